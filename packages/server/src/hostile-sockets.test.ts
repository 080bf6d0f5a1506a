import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { DomosError, type Door, type Host, silentLog, silentMetrics, systemClock } from '@domos/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer, type Server } from './server.ts'

const host: Host = {
  clock: systemClock,
  log: silentLog,
  metrics: silentMetrics,
  requiresKey: false,
  authenticate: () => Promise.reject(new DomosError('unauthorized', 'not used here')),
  openSession: () => Promise.reject(new DomosError('busy', 'not used here')),
  session: () => undefined,
}
const door: Door = {
  name: 'adtp',
  paths: ['/adtp'],
  maxFrameBytes: 4_096,
  allowsQueryToken: true,
  accept: () => {},
  health: () => ({}),
  close: () => Promise.resolve(),
}

let server: Server | undefined
let owner: HttpServer | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
  server = undefined
  owner?.closeAllConnections()
  await new Promise<void>((closed) => (owner === undefined ? closed() : owner.close(() => closed())))
  owner = undefined
})

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  sockets.push(socket)
  await new Promise((connected) => socket.once('connect', connected))
  return socket
}

function upgrade(path: string, headers = ''): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n${headers}\r\n`
  )
}

/** What the peer reads until the server has let go of the connection, which it shows by resetting what comes later. */
async function readUntilGone(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data: Buffer) => {
    text += data.toString()
  })
  await new Promise((ended) => socket.once('end', ended))
  await new Promise<void>((gone) => {
    socket.once('close', () => gone())
    const push = (): void => {
      if (!socket.destroyed) socket.write('still here', () => setImmediate(push))
    }
    push()
  })
  return text
}

describe('hostile sockets', () => {
  it('survives peers that reset in the middle of a refused upgrade', async () => {
    server = createServer({ host, doors: [door] })
    const { port } = await server.listen({ port: 0 })
    for (const request of [upgrade('/nope'), upgrade('/adtp', 'Origin: http://evil.example\r\n')]) {
      for (let index = 0; index < 40; index++) {
        const socket = await open(port)
        socket.write(request)
        if (index % 2 === 0) await new Promise((turn) => setImmediate(turn))
        socket.resetAndDestroy()
      }
    }
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })

  it.each([
    ['an upgrade to a path without a door', upgrade('/nope'), '404'],
    ['an upgrade from a foreign page', upgrade('/adtp', 'Origin: http://evil.example\r\n'), '403'],
    ['a request that is none', 'HELLO\r\n\r\n', '400'],
  ])('answers %s and lets the socket go, though the peer does not', async (_what, request, status) => {
    server = createServer({ host, doors: [door] })
    const { port } = await server.listen({ port: 0 })
    const socket = await open(port)
    socket.write(request)
    expect(await readUntilGone(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('lets go of a peer that never ends its headers', async () => {
    server = createServer({ host, doors: [door], limits: { headersTimeoutMs: 100 } })
    const { port } = await server.listen({ port: 0 })
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
    expect(await readUntilGone(socket)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('refuses upgrades that nobody answers on a server it was attached to', async () => {
    owner = createHttpServer()
    await new Promise<void>((listening) => owner?.listen(0, '127.0.0.1', listening))
    server = createServer({ host, doors: [door] })
    server.attach(owner)
    const socket = await open((owner.address() as AddressInfo).port)
    socket.write(upgrade('/nope'))
    expect(await readUntilGone(socket)).toMatch(/^HTTP\/1.1 404 /)
  })
})
