import {
  DomosError,
  type Recognition,
  type RecognitionStream,
  type RecognizedWord,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechHints,
  type SpeechToText,
} from '@domos/spec'
import { createEndpoint, type Endpoint, type EndpointAnswer, type EndpointOptions } from './endpoint.ts'
import { ENDPOINT_LIMITS, type EndpointLimits } from './limits.ts'
import { toWav } from './wav.ts'

/** What {@link createTranscription} takes. */
export interface TranscriptionOptions extends EndpointOptions {
  /** @default 'whisper-1' */
  readonly model?: string
}

/** Below this level, of 32,768, nothing was said; models make words out of silence. */
const MIN_PEAK = 200

/** Recognition by `POST /audio/transcriptions`: the whole utterance at its end, with word times where the server has them. */
export function createTranscription(options: TranscriptionOptions): SpeechToText {
  const limits = { ...ENDPOINT_LIMITS, ...options.limits }
  const endpoint = createEndpoint(options, limits)
  const model = options.model ?? 'whisper-1'
  return {
    id: 'openai-compatible',
    abilities: { partials: false, wordTimes: true, confidence: false, hints: 'words', languages: ['*'] },
    health: (signal) => endpoint.health(signal),
    async openStream({ language, hints }, signal) {
      if (endpoint.closed.aborted) throw new DomosError('unavailable', 'The speech endpoint is closed.')
      if (signal.aborted) throw new DomosError('cancelled', 'The recognition was cancelled.')
      return createStream({ endpoint, limits, model, language, signal }, hints)
    },
    async close() {
      endpoint.close()
    },
  }
}

interface StreamContext {
  readonly endpoint: Endpoint
  readonly limits: EndpointLimits
  readonly model: string
  readonly language: string | undefined
  readonly signal: AbortSignal
}

function createStream(context: StreamContext, initialHints: SpeechHints | undefined): RecognitionStream {
  const { limits, signal: owner } = context
  const maxSamples = (limits.maxUtteranceMs * SPEECH_SAMPLE_RATE_HZ) / 1_000
  let hints = initialHints
  let pieces: Int16Array[] = []
  let count = 0
  let isClosed = false
  const take = (): { readonly samples: Int16Array; readonly isTooLong: boolean } => {
    const samples = new Int16Array(Math.min(count, maxSamples))
    let at = 0
    for (const piece of pieces) {
      samples.set(piece, at)
      at += piece.length
    }
    const isTooLong = count > maxSamples
    pieces = []
    count = 0
    return { samples, isTooLong }
  }
  return {
    write(samples) {
      if (isClosed || owner.aborted) return
      const room = Math.max(0, maxSamples - count)
      if (room > 0 && samples.length > 0) pieces.push(samples.slice(0, room))
      count += samples.length
    },
    async finish(signal) {
      if (isClosed || owner.aborted) throw new DomosError('cancelled', 'The recognition stream is closed.')
      const { samples, isTooLong } = take()
      if (signal.aborted) throw new DomosError('cancelled', 'The recognition was cancelled.')
      if (isTooLong) {
        const seconds = limits.maxUtteranceMs / 1_000
        throw new DomosError('too_large', `An utterance may last ${seconds} s (maxUtteranceMs); it was longer.`)
      }
      const audioMs = Math.round((samples.length * 1_000) / SPEECH_SAMPLE_RATE_HZ)
      const empty: Recognition = { text: '', words: [], source: 'language', audioMs }
      if (!samples.some((sample) => Math.abs(sample) >= MIN_PEAK)) return empty
      const form = (): FormData => toForm(samples, context, hints)
      const answer = await context.endpoint.post('/audio/transcriptions', form, AbortSignal.any([signal, owner]))
      return { ...empty, ...readTranscription(await readText(answer, limits), answer.contentType, audioMs) }
    },
    discard() {
      pieces = []
      count = 0
    },
    setHints(next) {
      hints = next
    },
    close() {
      isClosed = true
      this.discard()
    },
  }
}

function toForm(
  samples: Int16Array,
  { model, language, limits }: StreamContext,
  hints: SpeechHints | undefined,
): FormData {
  const form = new FormData()
  form.set('file', new Blob([toWav(samples, SPEECH_SAMPLE_RATE_HZ)], { type: 'audio/wav' }), 'utterance.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'word')
  if (language !== undefined) form.set('language', language.split('-')[0] ?? language)
  const words = [...(hints?.vocabulary ?? []), ...(hints?.phrases ?? [])].slice(0, limits.maxPromptWords)
  if (words.length > 0) form.set('prompt', words.join(', '))
  return form
}

async function readText(answer: EndpointAnswer, limits: EndpointLimits): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of answer.body) {
    bytes += piece.length
    if (bytes > limits.maxAnswerBytes) {
      throw new DomosError(
        'too_large',
        `The transcription is longer than ${limits.maxAnswerBytes} bytes (maxAnswerBytes).`,
      )
    }
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

/** Reads the three forms servers answer in: verbose JSON, server-sent events, plain text. */
function readTranscription(body: string, contentType: string, audioMs: number): Pick<Recognition, 'text' | 'words'> {
  if (contentType.startsWith('text/event-stream')) return { text: readEvents(body), words: [] }
  if (contentType.startsWith('text/plain')) return { text: body.trim(), words: [] }
  const parsed = parseObject(body)
  if (typeof parsed?.text !== 'string') throw new DomosError('unavailable', 'The server gave no transcription.')
  return { text: parsed.text.trim(), words: readWords(parsed.words, audioMs) }
}

function readEvents(body: string): string {
  let text = ''
  for (const line of body.split(/\r?\n/)) {
    const event = line.startsWith('data:') ? parseObject(line.slice(5)) : undefined
    if (event?.type === 'transcript.text.done' && typeof event.text === 'string') return event.text.trim()
    if (event?.type === 'transcript.text.delta' && typeof event.delta === 'string') text += event.delta
  }
  throw new DomosError('unavailable', 'The server broke off the transcription.', {
    details: { characters: text.length },
  })
}

function readWords(value: unknown, audioMs: number): readonly RecognizedWord[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { word, start, end } = entry as Readonly<Record<string, unknown>>
    if (typeof word !== 'string' || typeof start !== 'number' || typeof end !== 'number') return []
    const startMs = Math.max(0, Math.min(audioMs, Math.round(start * 1_000)))
    return [{ word: word.trim(), startMs, endMs: Math.max(startMs + 1, Math.min(audioMs, Math.round(end * 1_000))) }]
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
