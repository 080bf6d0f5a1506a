import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, type SpeechToText, silentLog, type TextToSpeech } from '@domos/spec'
import { createProviderServer, type ProviderServer } from '@domos/testing/provider-server'
import { createSileroVad } from '@domos/vad-silero'
import { createVoice } from '@domos/voice'
import { createDomos, type Domos, loadSettings } from 'domos'
import { WebSocket } from 'ws'

/** A whole server as `domos serve` makes it, over a language model's wire on loopback, with the given speech engines. */
export interface VoiceHouse {
  readonly domos: Domos
  readonly provider: ProviderServer
  readonly url: string
  /** Opens a client; its microphone runs unless that is not wanted. */
  open(config?: JsonObject, options?: { readonly hasMicrophone?: boolean }): Promise<Microphone>
  close(): Promise<void>
}

/** A client at /audio that sends 20 ms frames in real time, silence where nothing is said. */
export interface Microphone {
  readonly socket: WebSocket
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** Bytes of sound that came. */
  readonly soundBytes: number
  of(type: string): readonly Readonly<Record<string, unknown>>[]
  /** What was understood so far. */
  users(): readonly string[]
  /** The newest state; `states` is on. */
  readonly state: string
  send(message: JsonObject): void
  /** Says something after what is still being said. */
  say(samples: Int16Array): void
  /** Settles when something holds; asked whenever something came. */
  until(holds: () => boolean): Promise<void>
  close(): void
}

/** Starts it on a free port; without engines it has those of the settings. */
export async function openVoiceHouse(engines?: {
  readonly recognition: SpeechToText
  readonly synthesis: TextToSpeech
}): Promise<VoiceHouse> {
  const directory = mkdtempSync(join(tmpdir(), 'domos-voice-house-'))
  const provider = await createProviderServer()
  const flags = { port: '0', dataDir: directory, model: 'compatible/test', modelBaseUrl: provider.baseUrls.openai }
  const settings = await loadSettings({ flags, env: { DOMOS_MODEL_API_KEY: 'key-of-the-test' }, directory })
  const voice =
    engines === undefined
      ? {}
      : {
          voice: createVoice({
            detector: createSileroVad(),
            // Shared by the tests of a file; closing the voice must not close them.
            recognition: { ...engines.recognition, close: async () => {} },
            synthesis: { ...engines.synthesis, close: async () => {} },
          }),
        }
  const domos = await createDomos({ settings, log: silentLog, console: false, ...voice })
  const { port } = await domos.server.listen({ port: 0 })
  const url = `ws://127.0.0.1:${port}/audio`
  const microphones: Microphone[] = []
  return {
    domos,
    provider,
    url,
    async open(config = {}, { hasMicrophone = true } = {}) {
      const microphone = await openMicrophone(url, { states: true, interruptions: true, ...config }, hasMicrophone)
      microphones.push(microphone)
      return microphone
    },
    async close() {
      for (const microphone of microphones) microphone.close()
      await domos.close()
      await provider.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function openMicrophone(url: string, config: JsonObject, isOn: boolean): Promise<Microphone> {
  const socket = new WebSocket(url)
  const messages: Readonly<Record<string, unknown>>[] = []
  const queue: Int16Array[] = []
  let at = 0
  let soundBytes = 0
  let wake = (): void => {}
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) soundBytes += data.length
    else messages.push(JSON.parse(data.toString()) as Readonly<Record<string, unknown>>)
    wake()
  })
  socket.on('close', () => wake())
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  const startedAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    if (!isOn) return
    for (const due = Math.floor((performance.now() - startedAt) / 20); sent < due; sent++) {
      const frame = new Int16Array(320)
      const saying = queue[0]
      if (saying !== undefined) {
        frame.set(saying.subarray(at, at + 320))
        at += 320
        if (at >= saying.length) {
          queue.shift()
          at = 0
        }
      }
      if (socket.readyState === WebSocket.OPEN) socket.send(new Uint8Array(frame.buffer))
    }
  }, 10)
  const of = (type: string) => messages.filter((message) => message['type'] === type)
  const microphone: Microphone = {
    socket,
    messages,
    get soundBytes() {
      return soundBytes
    },
    get state() {
      return String(of('state').at(-1)?.['state'] ?? 'idle')
    },
    of,
    users: () => of('transcript').flatMap(({ role, text }) => (role === 'user' ? [String(text)] : [])),
    send: (message) => socket.send(JSON.stringify(message)),
    say: (samples) => void queue.push(samples),
    async until(holds) {
      while (!holds()) await new Promise<void>((resolve) => (wake = resolve))
    },
    close() {
      clearInterval(timer)
      socket.terminate()
    },
  }
  microphone.send({ type: 'session_start' })
  microphone.send({ type: 'config', config })
  await microphone.until(() => of('config').length > 0 && of('session_ack').length > 0)
  return microphone
}
