import { DomOSClient } from '@domos/core'
import { createLinkedConnections } from '@domos/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { callsTool, listModel, openWorld, says, type World } from './world.ts'

let world: World | undefined
let client: DomOSClient | undefined

afterEach(async () => {
  client?.destroy()
  await world?.close()
})

async function start(answers: Parameters<typeof listModel>[0], options: object = {}) {
  const model = listModel(answers)
  world = await openWorld(model)
  const sockets: WebSocket[] = []
  const Recording = class extends WebSocket {
    constructor(url: string | URL) {
      super(url)
      sockets.push(this)
    }
  }
  client = new DomOSClient({
    endpoint: world.url,
    webSocket: Recording,
    reconnect: { initialMs: 1, maxMs: 5 },
    ...options,
  } as never)
  return { model, sockets, client, world }
}

describe('our client at our door, over a real socket', () => {
  for (const dialect of ['document', 'spoken'] as const) {
    it(`says something, runs a tool and gets the answer (${dialect} dialect)`, async () => {
      const { client, model } = await start([callsTool('add_to_cart', { quantity: 2 }), says('Added two.')], {
        dialect,
      })
      const seen: unknown[] = []
      client.registerTool('add_to_cart', {
        description: 'Adds the shown product',
        parameters: {
          type: 'object',
          properties: { quantity: { type: 'integer', minimum: 1 } },
          required: ['quantity'],
        },
        handler: async (args: unknown) => {
          seen.push(args)
          return { total: 2 }
        },
      } as never)
      await client.connect()
      expect(await client.sendText('Add 2').done).toMatchObject({ status: 'complete', text: 'Added two.' })
      expect(seen).toEqual([{ quantity: 2 }])
      expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('total')
    })
  }

  it('ADTP-SEQ-1: sends HANDSHAKE_INIT as soon as the connection is open, and nothing before the answer', async () => {
    const [near, far] = createLinkedConnections()
    const seen: string[] = []
    const first = new Promise<void>((resolve) => {
      far.onFrame((frame) => {
        seen.push(JSON.parse(String(frame)).type)
        resolve()
      })
    })
    client = new DomOSClient({ endpoint: 'ws://t/adtp', transport: async () => near })
    client.registerTool('add', { description: 'Adds', handler: async () => 1 })
    const connecting = client.connect()
    connecting.catch(() => {})
    client.sendText('early')
    await first
    for (let round = 0; round < 20; round++) await new Promise<void>((resolve) => setImmediate(resolve))
    expect(seen).toEqual(['HANDSHAKE_INIT'])
  })

  it('a socket lost in mid-call neither loses nor doubles the call, and the answer still comes', async () => {
    const { client, sockets, world } = await start([callsTool('slow'), says('Finished.')])
    let runs = 0
    let finish: (value: string) => void = () => {}
    const started = Promise.withResolvers<void>()
    client.registerTool('slow', {
      description: 'Takes a while',
      handler: () => {
        runs += 1
        started.resolve()
        return new Promise<string>((resolve) => {
          finish = resolve
        })
      },
    } as never)
    await client.connect()
    const before = client.sessionId
    const turn = client.sendText('Go')
    await started.promise
    const resumed = new Promise<unknown>((resolve) => client.on('session.started', (event) => resolve(event.resumed)))
    sockets[0]?.close()
    finish('result')
    expect(await resumed).toBe(true)
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Finished.' })
    expect(runs).toBe(1)
    expect(client.sessionId).toBe(before)
    expect(world.agent.sessions()).toHaveLength(1)
  })

  it('a refused input ends as failed and the next one is answered', async () => {
    const { client } = await start([says('Here.')])
    await client.connect()
    const refused = client.sendText('x'.repeat(100_000))
    const next = client.sendText('still there?')
    expect(await refused.done).toMatchObject({ status: 'failed', error: { code: 'too_large' } })
    expect(await next.done).toMatchObject({ status: 'complete', text: 'Here.' })
  })
})
