import { type AudioDoorOptions, createAudioDoor } from '@domos/audio/door'
import { createServer, type Server, type ServerOptions } from '@domos/server'
import { systemClock } from '@domos/spec'
import { WebSocket } from 'ws'
import { createFakeHouse, type FakeHouse } from '../../protocols/audio/src/test/fake-house.ts'
import { createScriptedVoice, type ScriptedVoice } from '../../protocols/audio/src/test/scripted-voice.ts'

/** A listening server with a voice door whose conversations the test drives: the sockets and the wire are real. */
export interface VoiceServer {
  readonly server: Server
  readonly house: FakeHouse
  readonly voice: ScriptedVoice
  readonly url: string
  readonly clients: () => number
}

/** Starts it on a free port of loopback. */
export async function startVoiceServer(
  options: AudioDoorOptions & { readonly server?: Partial<ServerOptions> } = {},
): Promise<VoiceServer> {
  const { server: serverOptions = {}, ...doorOptions } = options
  const house = createFakeHouse(systemClock)
  const voice = createScriptedVoice()
  const door = createAudioDoor(house, voice, doorOptions)
  const server = createServer({ host: house, doors: [door], ...serverOptions })
  const { port } = await server.listen({ port: 0 })
  const clients = () => door.health()['clients'] as number
  return { server, house, voice, url: `ws://127.0.0.1:${port}/audio`, clients }
}

/** A raw client. */
export interface RawClient {
  readonly socket: WebSocket
  readonly texts: Readonly<Record<string, unknown>>[]
  readonly audio: Buffer[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  /** Settles with the next, or an earlier, text of this type. */
  text(type: string): Promise<Readonly<Record<string, unknown>>>
}

/** Opens a client; settles when the upgrade is done. */
export async function openClient(
  url: string,
  options: ConstructorParameters<typeof WebSocket>[2] & { readonly protocols?: string[] } = {},
): Promise<RawClient> {
  const { protocols, ...rest } = options
  const socket = new WebSocket(url, protocols ?? [], rest)
  const texts: Readonly<Record<string, unknown>>[] = []
  const audio: Buffer[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) audio.push(data)
    else texts.push(JSON.parse(data.toString()) as Readonly<Record<string, unknown>>)
    for (const wake of waiting.splice(0)) wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_request, response) => reject(new Error(`status ${response.statusCode}`)))
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return {
    socket,
    texts,
    audio,
    closed,
    async text(type) {
      for (;;) {
        const found = texts.find((each) => each['type'] === type)
        if (found !== undefined) return found
        await new Promise<void>((wake) => waiting.push(wake))
      }
    },
  }
}
