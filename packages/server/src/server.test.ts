import { createServer as createHttpServer } from 'node:http'
import { connect } from 'node:net'
import {
  type Clock,
  type Connection,
  DomosError,
  type Door,
  type Host,
  silentLog,
  silentMetrics,
  systemClock,
  type Upgrade,
} from '@domos/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createPrometheusMetrics } from './prometheus.ts'
import { createServer, type Server, type ServerOptions } from './server.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

function testHost(clock: Clock = systemClock): Host {
  return {
    clock,
    log: silentLog,
    metrics: silentMetrics,
    requiresKey: false,
    authenticate: () => Promise.reject(new DomosError('unauthorized', 'not used here')),
    openSession: () => Promise.reject(new DomosError('busy', 'not used here')),
    session: () => undefined,
  }
}

interface EchoDoor extends Door {
  readonly upgrades: Upgrade[]
  readonly connections: Connection[]
}

function echoDoor(accept?: (connection: Connection) => void): EchoDoor {
  const connections: Connection[] = []
  const upgrades: Upgrade[] = []
  return {
    name: 'adtp',
    paths: ['/adtp', '/domos'],
    maxFrameBytes: 4_096,
    allowsQueryToken: true,
    connections,
    upgrades,
    accept(connection, upgrade) {
      connections.push(connection)
      upgrades.push(upgrade)
      if (accept !== undefined) accept(connection)
      else connection.onFrame((frame) => connection.send(frame))
    },
    health: () => ({ note: 'echo' }),
    close: async () => {
      for (const connection of connections) connection.close(1001, 'Server shutting down')
    },
  }
}

async function start(options: Partial<ServerOptions> = {}): Promise<{ server: Server; port: number }> {
  const server = createServer({ host: testHost(), doors: [echoDoor()], ...options })
  servers.push(server)
  const { port } = await server.listen({ port: 0 })
  return { server, port }
}

function open(url: string, options: ConstructorParameters<typeof WebSocket>[2] = {}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options)
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_request, response) => reject(new Error(`status ${response.statusCode}`)))
    socket.once('error', reject)
  })
}

const closed = (socket: WebSocket): Promise<{ code: number; reason: string }> => {
  return new Promise((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })))
}
const message = (socket: WebSocket): Promise<{ text: string; isBinary: boolean }> => {
  return new Promise((resolve) =>
    socket.once('message', (data, isBinary) => resolve({ text: data.toString(), isBinary })),
  )
}

describe('connections', () => {
  it('carries text and binary frames both ways at every path of a door', async () => {
    const { port } = await start()
    for (const path of ['/adtp', '/domos']) {
      const socket = await open(`ws://127.0.0.1:${port}${path}`)
      socket.send('hello')
      expect(await message(socket)).toEqual({ text: 'hello', isBinary: false })
      socket.send(Buffer.from('bytes'))
      expect(await message(socket)).toEqual({ text: 'bytes', isBinary: true })
      socket.close()
    }
  })

  it('hands over frames that came before the door listened', async () => {
    let late: Connection | undefined
    const door = echoDoor((connection) => {
      late = connection
    })
    const { port } = await start({ doors: [door] })
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    socket.send('one')
    socket.send('two')
    socket.ping()
    await new Promise((resolve) => socket.once('pong', resolve))
    const seen: unknown[] = []
    late?.onFrame((frame) => seen.push(frame))
    expect(seen).toEqual(['one', 'two'])
  })

  it('closes with 1008 when more early frames come than are kept', async () => {
    const { port } = await start({ doors: [echoDoor(() => {})], limits: { maxEarlyFrames: 2 } })
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    for (let i = 0; i < 3; i++) socket.send('x')
    expect((await closed(socket)).code).toBe(1008)
  })

  it('refuses a frame over the limit of the door with 1009, counts it, and leaves others alone', async () => {
    const metrics = createPrometheusMetrics()
    const { port } = await start({ metrics, host: { ...testHost(), metrics } })
    const other = await open(`ws://127.0.0.1:${port}/adtp`)
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    socket.send('x'.repeat(4_097))
    expect((await closed(socket)).code).toBe(1009)
    other.send('still here')
    expect((await message(other)).text).toBe('still here')
    expect(await metrics.render()).toMatch(/domos_frames_refused\S*\{.*WS_ERR_UNSUPPORTED_MESSAGE_LENGTH.*\} 1/)
  })

  it('closes with 1013 a peer that does not read', async () => {
    let sender: Connection | undefined
    const door = echoDoor((connection) => {
      sender = connection
    })
    const { port } = await start({ doors: [door], limits: { maxSendBufferBytes: 100_000 } })
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    socket.pause()
    const chunk = 'x'.repeat(50_000)
    for (let i = 0; i < 2_000 && sender?.isOpen === true; i++) {
      sender.send(chunk)
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sender?.isOpen).toBe(false)
    const end = closed(socket)
    socket.resume()
    expect((await end).code).toBe(1013)
  })

  it('terminates a peer that gives no sign of life between two pings', async () => {
    let tick: (() => void) | undefined
    const clock: Clock = {
      now: () => Date.now(),
      schedule: (delayMs, task) => {
        if (delayMs === 30_000) tick = task
        return () => {}
      },
    }
    const server = createServer({ host: testHost(clock), doors: [echoDoor()], clock })
    servers.push(server)
    const { port } = await server.listen({ port: 0 })
    const deaf = await open(`ws://127.0.0.1:${port}/adtp`, { autoPong: false })
    const alive = await open(`ws://127.0.0.1:${port}/adtp`)
    const pinged = new Promise((resolve) => alive.once('ping', resolve))
    tick?.()
    await pinged
    alive.send('sign of life')
    await message(alive)
    const gone = closed(deaf)
    tick?.()
    expect((await gone).code).toBe(1006)
    expect(server.connectionCounts().adtp).toBe(1)
  })
})

describe('who is let in', () => {
  it.each(['https://evil.example', 'null', 'http://localhost.evil.example'])(
    'refuses origin %s before the upgrade',
    async (origin) => {
      const door = echoDoor()
      const { port } = await start({ doors: [door] })
      await expect(open(`ws://127.0.0.1:${port}/adtp`, { origin })).rejects.toThrow('status 403')
      expect(door.connections).toHaveLength(0)
    },
  )

  it('refuses a rebound name in Host', async () => {
    const { port } = await start()
    await expect(open(`ws://127.0.0.1:${port}/adtp`, { headers: { host: 'rebound.example' } })).rejects.toThrow(
      'status 403',
    )
  })

  it('accepts a listed origin and a native client without one', async () => {
    const { port } = await start({ allowedOrigins: ['https://shop.example'] })
    ;(await open(`ws://127.0.0.1:${port}/adtp`, { origin: 'https://shop.example' })).close()
    ;(await open(`ws://127.0.0.1:${port}/adtp`)).close()
  })

  it('reads the key from Authorization first, then from the query', async () => {
    const door = echoDoor()
    const { port } = await start({ doors: [door] })
    await open(`ws://127.0.0.1:${port}/adtp?apiKey=q`, { headers: { authorization: 'Bearer b' } })
    await open(`ws://127.0.0.1:${port}/adtp?token=q`)
    expect(door.upgrades.map((upgrade) => upgrade.token)).toEqual(['b', 'q'])
  })

  it('reads no key from the query where the door forbids it', async () => {
    const door: EchoDoor = { ...echoDoor(), allowsQueryToken: false }
    const { port } = await start({ doors: [door] })
    await open(`ws://127.0.0.1:${port}/adtp?token=q`)
    expect(door.upgrades[0]?.token).toBeUndefined()
  })

  it('answers 429 with Retry-After when it is full, and has room again after a close', async () => {
    const { port } = await start({ limits: { maxConnections: 1 } })
    const first = await open(`ws://127.0.0.1:${port}/adtp`)
    await expect(open(`ws://127.0.0.1:${port}/adtp`)).rejects.toThrow('status 429')
    const end = closed(first)
    first.close()
    await end
    ;(await open(`ws://127.0.0.1:${port}/adtp`)).close()
  })
})

describe('http', () => {
  it('answers health, readiness and metrics, and 426 at a door', async () => {
    const metrics = createPrometheusMetrics()
    const { port } = await start({ metrics, health: () => ({ model: 'local/planner' }) })
    const base = `http://127.0.0.1:${port}`
    expect(await (await fetch(`${base}/healthz`)).json()).toMatchObject({
      status: 'ok',
      model: 'local/planner',
      doors: { adtp: { connections: 0, note: 'echo' } },
    })
    expect((await fetch(`${base}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${base}/metrics`)).text()).toContain('domos_process_cpu_seconds_total')
    expect((await fetch(`${base}/adtp`)).status).toBe(426)
    expect((await fetch(`${base}/nowhere`)).status).toBe(404)
    expect((await fetch(`${base}/healthz`, { method: 'POST' })).status).toBe(405)
  })

  it('answers a malformed request with 400 and goes on', async () => {
    const { port } = await start()
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      socket.on('data', (data) => resolve(data.toString()))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })

  it('names --port when the port is taken', async () => {
    const { port } = await start()
    const second = createServer({ host: testHost(), doors: [] })
    await expect(second.listen({ port })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--port'),
    })
    await second.close()
  })
})

describe('shutdown', () => {
  it('tells every peer 1001 and refuses new ones', async () => {
    const { server, port } = await start()
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    const end = closed(socket)
    await server.close()
    expect((await end).code).toBe(1001)
    await expect(open(`ws://127.0.0.1:${port}/adtp`)).rejects.toThrow()
  })

  it('ends within its limit although a peer never answers the close', async () => {
    const { server, port } = await start({ limits: { shutdownTimeoutMs: 50 } })
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    socket.pause()
    await server.close()
    expect(server.connectionCounts().adtp).toBe(0)
    socket.terminate()
  })
})

describe('attached to a server of one’s own', () => {
  it('takes its own paths and leaves the host’s routes alone', async () => {
    const own = createHttpServer((request, response) => response.end(`own ${request.url}`))
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const port = (own.address() as { port: number }).port
    const server = createServer({ host: testHost(), doors: [echoDoor()] })
    servers.push(server)
    server.attach(own)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('own /')
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toMatchObject({ status: 'ok' })
    const socket = await open(`ws://127.0.0.1:${port}/adtp`)
    socket.send('hello')
    expect((await message(socket)).text).toBe('hello')
    const end = closed(socket)
    await server.close()
    await end
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()).toBe('own /healthz')
    own.closeAllConnections()
    await new Promise((resolve) => own.close(resolve))
  })
})
