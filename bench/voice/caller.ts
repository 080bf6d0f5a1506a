import type { JsonObject } from '@domos/spec'
import { WebSocket } from 'ws'

/** One answer as it came. */
export interface Reply {
  /** What the server understood. */
  readonly heard: string
  /** From the last sample of speech sent (-35 dB) to the first frame of sound received. */
  readonly voiceToVoiceMs: number
  /** Arrival of each frame, and its length, in milliseconds. */
  readonly frames: readonly { readonly at: number; readonly ms: number }[]
}

/** A microphone and a loudspeaker: sends 20 ms frames in real time, silence where nothing is said. */
export interface Caller {
  /** Speaks; settles when the answer has ended. */
  ask(speech: Int16Array): Promise<Reply>
  /** Speaks, and breaks the answer off after so much time of its sound. */
  askAndInterrupt(speech: Int16Array, afterMs: number): Promise<Reply & { readonly playedMs: number }>
  /** Types; settles when the answer has begun to sound. */
  type(text: string): Promise<void>
  /** Bytes sent, and bytes the server says it got. */
  count(): Promise<{ readonly sent: number; readonly counted: number }>
  readonly turns: number
  readonly errors: readonly string[]
  close(): void
}

type Message = Readonly<Record<string, unknown>>

const FRAME_SAMPLES = 320
const QUIET = 32_768 * 10 ** (-35 / 20)
const ANSWER_MAX_MS = 45_000

/** Connects, and starts its microphone. */
export async function openCaller(port: number, config: JsonObject = {}): Promise<Caller> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/audio`, { perMessageDeflate: false })
  const listeners = new Set<(message: Message) => void>()
  const errors: string[] = []
  let frames: { at: number; ms: number }[] = []
  let heard = ''
  let turns = 0
  let spoken: { samples: Int16Array; at: number; end: number } | undefined
  let speechEndedAt = 0
  let sentBytes = 0
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      frames.push({ at: performance.now(), ms: data.length / 32 })
      for (const listen of listeners) listen({ type: 'audio' })
      return
    }
    const message = JSON.parse(data.toString()) as Message
    if (message['type'] === 'error') errors.push(String(message['error']))
    if (message['type'] === 'transcript' && message['role'] === 'user') heard = String(message['text'])
    if (message['type'] === 'tts_end') turns++
    for (const listen of listeners) listen(message)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })

  function until(type: string, holds: () => boolean = () => true): Promise<Message> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        listeners.delete(listen)
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`No ${type} came; heard ${JSON.stringify(heard)}, errors ${JSON.stringify(errors)}.`))
      }, ANSWER_MAX_MS)
      const listen = (message: Message): void => {
        if (message['type'] !== type || !holds()) return
        done()
        resolve(message)
      }
      listeners.add(listen)
    })
  }

  const configured = until('config')
  socket.send(JSON.stringify({ type: 'session_start' }))
  socket.send(JSON.stringify({ type: 'config', config }))
  await configured

  const startedAt = performance.now()
  let sentFrames = 0
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - startedAt) / 20)
    for (; sentFrames < due; sentFrames++) {
      const frame = new Int16Array(FRAME_SAMPLES)
      if (spoken !== undefined) {
        frame.set(spoken.samples.subarray(spoken.at, spoken.at + FRAME_SAMPLES))
        spoken.at += FRAME_SAMPLES
        if (spoken.at >= spoken.end && spoken.at - FRAME_SAMPLES < spoken.end) speechEndedAt = performance.now()
        if (spoken.at >= spoken.samples.length) spoken = undefined
      }
      socket.send(new Uint8Array(frame.buffer))
      sentBytes += frame.byteLength
    }
  }, 5)

  function speak(samples: Int16Array): void {
    frames = []
    heard = ''
    spoken = { samples, at: 0, end: samples.findLastIndex((sample) => Math.abs(sample) >= QUIET) + 1 }
  }

  function reply(): Reply {
    return { heard, frames, voiceToVoiceMs: (frames[0]?.at ?? Number.NaN) - speechEndedAt }
  }

  return {
    get turns() {
      return turns
    },
    errors,
    async ask(speech) {
      const over = until('tts_end')
      speak(speech)
      await over
      return reply()
    },
    async askAndInterrupt(speech, afterMs) {
      const playing = until('audio', () => performance.now() - (frames[0]?.at ?? 0) >= afterMs)
      speak(speech)
      await playing
      const received = frames.reduce((sum, { ms }) => sum + ms, 0)
      const playedMs = Math.min(received, performance.now() - (frames[0]?.at ?? 0))
      const over = until('tts_end')
      socket.send(JSON.stringify({ type: 'interrupt' }))
      await over
      return { ...reply(), playedMs }
    },
    async type(text) {
      const over = until('tts_end')
      socket.send(JSON.stringify({ type: 'text', text }))
      await over
    },
    async count() {
      const status = until('status')
      const sent = sentBytes
      socket.send(JSON.stringify({ type: 'status' }))
      const { details } = (await status) as { details: { bytesReceived: number } }
      return { sent, counted: details.bytesReceived }
    },
    close() {
      clearInterval(timer)
      socket.close()
    },
  }
}
