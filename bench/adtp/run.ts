import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { openControl, openPage } from './peer.ts'

// node --conditions=@domos/source bench/adtp/run.ts
// The page door against two controls that have none of our code, in one run, interleaved round by round. The figures of
// the last run are in last-run.txt.

const MODES = ['domos', 'echo', 'json'] as const
type Mode = (typeof MODES)[number]
interface Usage {
  readonly rss: number
  readonly heap: number
  readonly cpuUs: number
}
interface Measured {
  readonly child: ChildProcess
  readonly port: number
  usage(): Promise<Usage>
  run(callsPerConnection: number): Promise<readonly number[]>
}

const ROUNDS = 9
const CALLS = { 1: 2_000, 100: 10_000, 1000: 10_000 } as const
const IDLE = 5_000
const HANDSHAKES = 1_000

const lines: string[] = []
const say = (line: string): void => {
  lines.push(line)
  console.log(line)
}

const measured = Object.fromEntries(
  await Promise.all(MODES.map(async (mode) => [mode, await start(mode)] as const)),
) as Record<Mode, Measured>
say(`Node ${process.version}, load average ${loadavg()[0]?.toFixed(1)} at the start`)
await roundTrips(1)
await roundTrips(100)
await roundTrips(1_000)
await handshakes()
await idle()
say(`load average ${loadavg()[0]?.toFixed(1)} at the end`)
for (const { child } of Object.values(measured)) child.kill()
writeFileSync(fileURLToPath(new URL('./last-run.txt', import.meta.url)), `${lines.join('\n')}\n`)
process.exit(0)

async function start(mode: Mode): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [mode], {
    execArgv: ['--conditions=@domos/source', '--expose-gc'],
  })
  const message = <T>(): Promise<T> => new Promise((resolve) => child.once('message', (value) => resolve(value as T)))
  const { port } = await message<{ port: number }>()
  const ask = <T>(question: object): Promise<T> => {
    const answer = message<T>()
    child.send(question)
    return answer
  }
  return {
    child,
    port,
    usage: () => ask<Usage>({ usage: true }),
    run: async (calls) => (await ask<{ times: number[] }>({ run: calls })).times,
  }
}

/** Calls one after another on each of `connections` connections. */
async function roundTrips(connections: keyof typeof CALLS): Promise<void> {
  const sockets = []
  for (const mode of MODES) {
    const { port } = measured[mode]
    for (let index = 0; index < connections; index++)
      sockets.push(await (mode === 'domos' ? openPage(port, false) : openControl(port)))
  }
  const figures: Record<Mode, { p50: number; p99: number; cpuUs: number }[]> = { domos: [], echo: [], json: [] }
  const each = Math.ceil(CALLS[connections] / connections)
  for (let round = -1; round < ROUNDS; round++) {
    for (const mode of MODES) {
      const before = await measured[mode].usage()
      const times = await measured[mode].run(each)
      const after = await measured[mode].usage()
      // The first round warms up.
      if (round >= 0)
        figures[mode].push({
          p50: quantile(times, 0.5),
          p99: quantile(times, 0.99),
          cpuUs: (after.cpuUs - before.cpuUs) / times.length,
        })
    }
  }
  say(
    `\n${connections} connection${connections === 1 ? '' : 's'}, ${each * connections} gated tool calls a round (medians of ${ROUNDS} rounds)`,
  )
  for (const mode of MODES) {
    const of = (key: 'p50' | 'p99' | 'cpuUs'): string =>
      quantile(
        figures[mode].map((figure) => figure[key]),
        0.5,
      ).toFixed(key === 'cpuUs' ? 0 : 3)
    say(`  ${mode.padEnd(6)} p50 ${of('p50')} ms  p99 ${of('p99')} ms  server CPU ${of('cpuUs')} µs a call`)
  }
  const p50 = (mode: Mode): number =>
    quantile(
      figures[mode].map((figure) => figure.p50),
      0.5,
    )
  say(
    `  p50 ratio to the ws echo ${(p50('domos') / p50('echo')).toFixed(2)}, to the ws that writes and parses JSON ${(p50('domos') / p50('json')).toFixed(2)}`,
  )
  for (const socket of sockets) socket.terminate()
}

async function handshakes(): Promise<void> {
  const timed = async (open: (port: number) => Promise<{ terminate(): void }>, port: number): Promise<number> => {
    const begin = performance.now()
    for (let done = 0; done < HANDSHAKES; done += 50) {
      for (const socket of await Promise.all(Array.from({ length: 50 }, () => open(port)))) socket.terminate()
    }
    return HANDSHAKES / ((performance.now() - begin) / 1_000)
  }
  const ours = await timed((port) => openPage(port, true), measured.domos.port)
  const theirs = await timed(openControl, measured.echo.port)
  say(
    `\nhandshakes a second, 50 at a time: domos ${ours.toFixed(0)} (connect, INIT, session, ACK), bare ws ${theirs.toFixed(0)} (connect)`,
  )
}

async function idle(): Promise<void> {
  const grown = async (
    mode: Mode,
    open: (port: number) => Promise<{ terminate(): void }>,
  ): Promise<{ rss: string; heap: string }> => {
    // What the first connections of a process load and compile is no connection's own.
    for (const socket of await Promise.all(Array.from({ length: 500 }, () => open(measured[mode].port))))
      socket.terminate()
    const before = await measured[mode].usage()
    const sockets = []
    for (let index = 0; index < IDLE; index++) sockets.push(await open(measured[mode].port))
    const after = await measured[mode].usage()
    for (const socket of sockets) socket.terminate()
    const each = (bytes: number): string => (bytes / IDLE / 1_024).toFixed(1)
    return { rss: each(after.rss - before.rss), heap: each(after.heap - before.heap) }
  }
  // Processes of their own, so that memory freed by the rounds above is not counted as room.
  for (const mode of ['domos', 'echo'] as const) {
    measured[mode].child.kill()
    measured[mode] = await start(mode)
  }
  const ours = await grown('domos', (port) => openPage(port, true))
  const theirs = await grown('echo', openControl)
  say(
    `\nmemory of an idle connection, ${IDLE} of them: domos ${ours.rss} kB RSS (${ours.heap} kB heap), bare ws ${theirs.rss} kB RSS (${theirs.heap} kB heap)`,
  )
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
