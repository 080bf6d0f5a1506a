import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type AwpClient, type AwpPage, type AwpSession, connectAwp } from '@domos/awp/client'
import { WebSocket } from 'ws'

// node --conditions=@domos/source bench/awp/run.ts
// The browser door without a browser: sessions a second, memory of an idle session with a loaded page, act + observe
// steps, and how long others wait meanwhile. Control: an empty request (awp.ping) on the same connection in the same run,
// and a bare fetch of the same page. The figures of the last run are in last-run.txt.

interface Usage {
  readonly rss: number
  readonly heap: number
  readonly cpuUs: number
}

const lines: string[] = []
const say = (line: string): void => {
  lines.push(line)
  console.log(line)
}
const start = async (file: string): Promise<{ child: ChildProcess; port: number }> => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execArgv: ['--conditions=@domos/source', '--expose-gc'],
  })
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (value) => resolve(value as { port: number })),
  )
  return { child, port }
}
const server = await start('./server.ts')
const site = await start('./site.ts')
const url = (page: number): string => `http://127.0.0.1:${site.port}/page${page}`
const usage = (): Promise<Usage> =>
  new Promise((resolve) => {
    server.child.once('message', (value) => resolve(value as Usage))
    server.child.send('usage')
  })
const connect = (): Promise<AwpClient> =>
  connectAwp(`ws://127.0.0.1:${server.port}/awp`, {
    webSocket: (target) => new WebSocket(target) as never,
    reconnect: false,
  })
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
const show = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5).toFixed(2)} ms, p99 ${quantile(values, 0.99).toFixed(2)} ms`

say(`Node ${process.version}, load average ${loadavg()[0]?.toFixed(1)} at the start`)
const client = await connect()

const pings: number[] = []
for (let index = 0; index < 500; index++) pings.push(await timed(() => client.ping()))
say(`awp.ping: ${show(pings)}`)

const fetches: number[] = []
for (let index = 0; index < 200; index++) fetches.push(await timed(async () => (await fetch(url(1))).text()))
say(`bare fetch of the page (${(await (await fetch(url(1))).text()).length} bytes): ${show(fetches)}`)

const SESSIONS = 500
const created: AwpSession[] = []
const creating = await timed(async () => {
  for (let index = 0; index < SESSIONS; index += 25) {
    created.push(...(await Promise.all(Array.from({ length: 25 }, () => client.createSession()))))
  }
})
say(`sessions created a second, 25 at a time: ${((SESSIONS / creating) * 1_000).toFixed(0)}`)
for (const session of created) await session.close()

// One agent, one page: a link, then what it shows.
const solo = await client.createSession()
const page = await solo.createPage()
await page.navigate(url(1))
const steps: number[] = []
const clicks: number[] = []
const observes: number[] = []
for (let index = 0; index < 220; index++) {
  const click = await timed(() => page.click({ query: { text: index % 2 === 0 ? 'Second' : 'First', role: 'link' } }))
  const observe = await timed(() => page.observe({ outline: true, maxTokens: 4_000 }))
  if (index < 20) continue
  clicks.push(click)
  observes.push(observe)
  steps.push(click + observe)
}
say(
  `act (follow a link to a new page): ${show(clicks)}; observe with outline: ${show(observes)}; together ${(1_000 / quantile(steps, 0.5)).toFixed(0)} steps a second`,
)
await solo.close()

// Many sessions, each with a loaded page, idle.
const IDLE = 2_000
const before = await usage()
const idle: AwpPage[] = []
// Twenty agents with a connection each.
const agents = await Promise.all(Array.from({ length: 20 }, connect))
const loading = await timed(async () => {
  for (let index = 0; index < IDLE; index += 20) {
    const batch = await Promise.all(
      agents.map(async (agent) => {
        const opened = await (await agent.createSession()).createPage()
        await opened.navigate(url(1))
        return opened
      }),
    )
    idle.push(...batch)
  }
})
const after = await usage()
const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(2)
say(
  `${IDLE} live sessions with a loaded page, opened in ${(loading / 1_000).toFixed(1)} s: ${mb(after.rss)} MB RSS in all, ${mb((after.rss - before.rss) / IDLE)} MB RSS and ${mb((after.heap - before.heap) / IDLE)} MB heap each`,
)

// 500 of them work; another connection asks meanwhile.
const WORKING = 500
const other = await connect()
const waits: number[] = []
const worked: number[] = []
let isWorking = true
const asking = (async () => {
  while (isWorking) waits.push(await timed(() => other.ping()))
})()
const busy = await timed(async () => {
  await Promise.all(
    idle.slice(0, WORKING).map(async (target, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index % 50) * 20))
      for (let round = 0; round < 2; round++) {
        worked.push(
          await timed(async () => {
            await target.click({ query: { text: round % 2 === 0 ? 'Second' : 'First', role: 'link' } })
            await target.observe({ outline: true, maxTokens: 4_000 })
          }),
        )
      }
    }),
  )
})
isWorking = false
await asking
say(
  `${WORKING} sessions at work at once: ${((WORKING * 2) / (busy / 1_000)).toFixed(0)} steps a second in all, a step ${show(worked)}; a ping of another connection meanwhile ${show(waits)}, longest ${Math.max(...waits).toFixed(0)} ms`,
)
say(`load average ${loadavg()[0]?.toFixed(1)} at the end`)
writeFileSync(fileURLToPath(new URL('./last-run.txt', import.meta.url)), `${lines.join('\n')}\n`)
server.child.kill()
site.child.kill()
process.exit(0)
