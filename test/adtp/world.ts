import { type AdtpDoorOptions, createAdtpDoor } from '@domos/adtp/door'
import { type Agent, type AgentOptions, createAgent } from '@domos/agent'
import { createServer, type Server } from '@domos/server'
import type { JsonObject, LanguageModel, ModelPart, ModelRequest } from '@domos/spec'
import { WebSocket } from 'ws'

/** A model that answers from a list, at once, and keeps what it was asked. */
export interface ListModel extends LanguageModel {
  readonly requests: ModelRequest[]
}

export function listModel(answers: readonly (readonly ModelPart[])[], last = says('Done.')): ListModel {
  const requests: ModelRequest[] = []
  return {
    id: 'test/list',
    embedded: true,
    requests,
    async *stream(request) {
      requests.push(structuredClone(request))
      yield* answers[requests.length - 1] ?? last
    },
  }
}

export function says(text: string): readonly ModelPart[] {
  return [
    { type: 'text-delta', text },
    { type: 'finish', reason: 'stop' },
  ]
}

export function callsTool(name: string, args: JsonObject = {}): readonly ModelPart[] {
  return [
    { type: 'tool-call', callId: `m_${name}`, name, args },
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** A real server on a free loopback port: listener, page door and agent; only the model is scripted. */
export interface World {
  readonly url: string
  readonly agent: Agent
  readonly server: Server
  close(): Promise<void>
}

export async function openWorld(
  model: LanguageModel,
  options: { readonly agent?: Partial<AgentOptions>; readonly door?: AdtpDoorOptions } = {},
): Promise<World> {
  const agent = createAgent({ model, ...options.agent })
  const server = createServer({ host: agent, doors: [createAdtpDoor(agent, options.door)] })
  const { port } = await server.listen({ port: 0 })
  return {
    url: `ws://127.0.0.1:${port}/adtp`,
    agent,
    server,
    async close() {
      await server.close()
      await agent.close()
    },
  }
}

/** A frame of the server, parsed. */
export interface SeenFrame {
  readonly type: string
  readonly id?: string
  readonly payload: {
    readonly [key: string]: unknown
    readonly data?: { readonly code?: string; readonly ref?: string | null }
  }
}

/** A page as a bare socket. */
export interface RawPage {
  readonly seen: SeenFrame[]
  readonly closed: Promise<number>
  readonly isOpen: boolean
  send(frame: unknown): void
  sendRaw(frame: string | Uint8Array): void
  /** The first frame, seen or still to come, that the test accepts; each frame is given out once. */
  next(accept: (frame: SeenFrame) => boolean, what: string): Promise<SeenFrame>
  nextOf(type: string): Promise<SeenFrame>
  /** The code of the next SYSTEM_EVENT error. */
  nextError(): Promise<string | undefined>
  drop(): void
}

export async function openPage(
  url: string,
  options: { readonly headers?: Record<string, string> } = {},
): Promise<RawPage> {
  const socket = new WebSocket(url, { headers: options.headers ?? {} })
  const seen: SeenFrame[] = []
  const taken = new Set<SeenFrame>()
  const waiting = new Set<() => void>()
  let closeCode: number | undefined
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => {
      closeCode = code
      resolve(code)
      for (const look of [...waiting]) look()
    })
  })
  socket.on('message', (data) => {
    seen.push(JSON.parse(String(data)) as SeenFrame)
    for (const look of [...waiting]) look()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  const page: RawPage = {
    seen,
    closed,
    get isOpen() {
      return closeCode === undefined
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendRaw: (frame) => socket.send(frame),
    next(accept, what) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = seen.find((frame) => !taken.has(frame) && accept(frame))
          if (found !== undefined) {
            taken.add(found)
            waiting.delete(look)
            resolve(found)
          } else if (closeCode !== undefined) {
            waiting.delete(look)
            reject(new Error(`closed with ${closeCode} before ${what}`))
          }
        }
        waiting.add(look)
        look()
      })
    },
    nextOf: (type) => page.next((frame) => frame.type === type, type),
    nextError: async () => (await page.next(({ payload }) => payload.kind === 'error', 'an error')).payload.data?.code,
    drop: () => socket.terminate(),
  }
  return page
}

let frameCount = 0

/** A frame of the document's dialect. */
export function frame(type: string, payload: JsonObject): JsonObject {
  frameCount += 1
  return { type, payload, meta: { id: `msg_${frameCount}`, timestamp: 1, version: '1.0.0' } }
}

/** Says hello and waits to be let in. */
export async function openReadyPage(
  url: string,
  capabilities: readonly string[] = ['text', 'tools'],
): Promise<RawPage> {
  const page = await openPage(url)
  page.send(frame('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: [...capabilities] }))
  await page.nextOf('HANDSHAKE_ACK')
  return page
}
