import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@domos/spec'
import { createDomos, loadSettings } from 'domos'
import { type WebSocket, WebSocketServer } from 'ws'
import { callFrame } from './frames.ts'

// One process under measurement: `domos` (the whole path of a call: scope, schema, risk, rate, records, wire), `echo`
// (bare ws sends the same call frame and waits for the same result frame) or `json` (that, and writes and parses the JSON).
// Answers over IPC: {run: callsPerConnection} with the times, {usage} with memory and CPU.

const mode = process.argv[2]
const directory = mkdtempSync(join(tmpdir(), 'domos-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

/** One call of one connection, from deciding to make it to having its result. */
type Caller = () => Promise<unknown>
const started = mode === 'domos' ? await startDomos() : await startControl(mode === 'json')
process.on('message', async (question: { run?: number; usage?: true }) => {
  if (question.usage === true) {
    ;(globalThis as { gc?: () => void }).gc?.()
    const { user, system } = process.cpuUsage()
    process.send?.({ rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed, cpuUs: user + system })
    return
  }
  const times: number[] = []
  await Promise.all(
    started.callers().map(async (call) => {
      for (let done = 0; done < (question.run ?? 0); done++) {
        const start = performance.now()
        await call()
        times.push(performance.now() - start)
      }
    }),
  )
  process.send?.({ times })
})
process.send?.({ port: started.port })

async function startDomos(): Promise<{ port: number; callers(): readonly Caller[] }> {
  const settings = await loadSettings({ flags: { dataDir: directory }, env: {}, directory })
  const limits = { agent: { toolCallsPerMinute: 100_000 }, adtp: { maxMessagesPerSecond: 100_000 } }
  const domos = await createDomos({ settings: { ...settings, limits }, log: silentLog, console: false })
  const { port } = await domos.server.listen({ port: 0 })
  const callers = (): readonly Caller[] =>
    domos.agent
      .sessions()
      .filter((session) => session.tools.get('add_to_cart') !== undefined)
      .map((session) => async () => {
        const outcome = await session.call('add_to_cart', { quantity: 2 })
        if (outcome.type !== 'success') throw new Error(outcome.message)
      })
  return { port, callers }
}

async function startControl(isJson: boolean): Promise<{ port: number; callers(): readonly Caller[] }> {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  const open = new Set<WebSocket>()
  sockets.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const frame = JSON.stringify(callFrame)
  const callers = (): readonly Caller[] =>
    [...open].map(
      (socket) => () =>
        new Promise((resolve) => {
          socket.once('message', (data: Buffer) => resolve(isJson ? JSON.parse(data.toString()) : data))
          socket.send(isJson ? JSON.stringify(callFrame) : frame)
        }),
    )
  return { port: (http.address() as AddressInfo).port, callers }
}
