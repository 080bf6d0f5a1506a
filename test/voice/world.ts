import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createAgent } from '@domos/agent'
import type {
  JsonObject,
  LanguageModel,
  ModelRequest,
  SpeechToText,
  Tool,
  VoiceConversation,
  VoiceSink,
} from '@domos/spec'
import { createFlite } from '@domos/tts-flite'
import { createSileroVad } from '@domos/vad-silero'
import { createResampler, createVoice, type VoiceOptions } from '@domos/voice'

const run = promisify(execFile)

/** What keeps these tests from running here, or undefined. */
export async function missingHere(recognition: SpeechToText): Promise<string | undefined> {
  const { state, detail } = await recognition.health(AbortSignal.timeout(30_000))
  if (state === 'unavailable') return detail
  try {
    await run('espeak-ng', ['--version'])
    return undefined
  } catch {
    return 'espeak-ng (Debian package) speaks the sentences'
  }
}

/** A sentence spoken by espeak-ng: 16 kHz, without silence at its ends, half of full scale. */
export async function say(text: string, wordsPerMinute = 150): Promise<Int16Array> {
  const { stdout } = await run('espeak-ng', ['-v', 'en-us', '-s', String(wordsPerMinute), '--stdout', text], {
    encoding: 'buffer',
    maxBuffer: 1 << 24,
  })
  const rate = stdout.readUInt32LE(24)
  const body = stdout.subarray(44, stdout.length - (stdout.length % 2))
  const wave = new Int16Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length))
  const resampler = createResampler(rate, 16_000)
  return louder(trim(joined(resampler.push(wave), resampler.flush())), 16_000)
}

export const silence = (ms: number): Int16Array => new Int16Array(ms * 16)

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function trim(samples: Int16Array): Int16Array {
  const loud = (sample: number): boolean => Math.abs(sample) > 160
  return samples.subarray(samples.findIndex(loud), samples.findLastIndex(loud) + 1)
}

function louder(samples: Int16Array, peak: number): Int16Array {
  const most = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1)
  return samples.map((sample) => Math.round((sample * peak) / most))
}

export type Heard =
  | { readonly type: 'transcript'; readonly role: string; readonly text: string; readonly at: number }
  | { readonly type: 'start' | 'state'; readonly at: number; readonly state?: string }
  | { readonly type: 'audio'; readonly samples: Int16Array; readonly at: number }
  | { readonly type: 'end'; readonly interrupted: boolean; readonly audioMs: number; readonly at: number }
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly at: number }
  | { readonly type: 'latency'; readonly report: Parameters<VoiceSink['onLatency']>[0]; readonly at: number }

export interface RealWorld {
  readonly requests: ModelRequest[]
  readonly heard: Heard[]
  readonly conversation: VoiceConversation
  /** Settles when something holds; asked whenever something was heard. */
  until(holds: () => boolean): Promise<void>
  /** Sends sound as a microphone does, 20 ms at a time. `each` may change a piece before it goes out; false ends it all. */
  listen(samples: Int16Array, each?: (piece: Int16Array) => boolean): Promise<void>
  count(type: Heard['type']): number
  users(): string[]
  close(): Promise<void>
}

/** A real agent with scripted answers, and a real voice with real engines on the real clock. */
export async function openRealWorld(
  engines: {
    readonly recognition: SpeechToText
    readonly replies: readonly string[]
    readonly tools?: readonly Tool[]
  },
  options: Partial<VoiceOptions> & { readonly settings?: JsonObject } = {},
): Promise<RealWorld> {
  const requests: ModelRequest[] = []
  const model: LanguageModel = {
    id: 'test/scripted',
    embedded: true,
    async *stream(request) {
      requests.push(structuredClone(request))
      yield { type: 'text-delta', text: engines.replies[requests.length - 1] ?? 'Yes.' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const agent = createAgent({ model })
  const session = await agent.openSession(await agent.authenticate({ door: 'voice' }), { door: 'voice' })
  if (engines.tools !== undefined) session.tools.replace('page', engines.tools)
  const { settings, ...more } = options
  const voice = createVoice({
    detector: createSileroVad(),
    // Shared by the tests of a file; closing the voice must not close it.
    recognition: { ...engines.recognition, close: async () => {} },
    synthesis: createFlite({ voice: 'kal16' }),
    ...more,
  })
  const heard: Heard[] = []
  let wake = (): void => {}
  const note = (entry: Heard): void => {
    heard.push(entry)
    wake()
  }
  const conversation = voice.open(
    session,
    {
      bufferedMs: 0,
      onTranscript: ({ role, text, isFinal }) => isFinal && note({ type: 'transcript', role, text, at: Date.now() }),
      onSpeechStart: () => note({ type: 'start', at: Date.now() }),
      onAudio: (samples) => note({ type: 'audio', samples: samples.slice(), at: Date.now() }),
      onSpeechEnd: ({ interrupted, audioMs }) => note({ type: 'end', interrupted, audioMs, at: Date.now() }),
      onState: (state) => note({ type: 'state', state, at: Date.now() }),
      onError: ({ code, message }) => note({ type: 'error', code, message, at: Date.now() }),
      onLatency: (report) => note({ type: 'latency', report, at: Date.now() }),
    },
    settings ?? {},
  )
  return {
    requests,
    heard,
    conversation,
    async until(holds) {
      while (!holds()) await new Promise<void>((resolve) => (wake = resolve))
    },
    async listen(samples, each) {
      const startedAt = performance.now()
      for (let from = 0; from < samples.length; from += 320) {
        const waitMs = startedAt + from / 16 - performance.now()
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        const piece = samples.slice(from, from + 320)
        if (each?.(piece) === false) return
        conversation.pushAudio(piece)
      }
    },
    count: (type) => heard.filter((entry) => entry.type === type).length,
    users: () => heard.flatMap((entry) => (entry.type === 'transcript' && entry.role === 'user' ? [entry.text] : [])),
    async close() {
      await voice.close()
      await agent.close()
    },
  }
}

/** A sentence spoken by flite in a voice that small recognizers understand. */
export async function sayClearly(text: string): Promise<Int16Array> {
  const flite = createFlite({ voice: 'rms' })
  const parts: Int16Array[] = []
  for await (const { samples } of flite.synthesize({ text }, AbortSignal.timeout(30_000))) parts.push(samples)
  await flite.close()
  return louder(trim(joined(...parts)), 16_000)
}

/** What the same engine makes of the same sound offline. */
export async function transcribe(
  recognition: SpeechToText,
  samples: Int16Array,
  tools: readonly Tool[] = [],
): Promise<string> {
  const stream = await recognition.openStream({ hints: { tools } }, AbortSignal.timeout(60_000))
  for (let from = 0; from < samples.length; from += 512) stream.write(samples.subarray(from, from + 512))
  const { text } = await stream.finish(AbortSignal.timeout(60_000))
  stream.close()
  return text
}

/** Share of the expected words that were heard, in order. */
export function agreement(heard: string, expected: string): number {
  const words = heard.toLowerCase().split(/\s+/)
  const wanted = expected.toLowerCase().split(/\s+/)
  let at = 0
  let found = 0
  for (const word of wanted) {
    const next = words.indexOf(word, at)
    if (next < 0) continue
    found += 1
    at = next + 1
  }
  return found / wanted.length
}
