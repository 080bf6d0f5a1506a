import {
  DomosError,
  type Recognition,
  type RecognitionStream,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechToText,
} from '@domos/spec'
import type { WyomingAddress, WyomingConnection } from './connection.ts'
import { WYOMING_LIMITS, type WyomingLimits } from './limits.ts'
import { createService, type WyomingService } from './service.ts'

/** What {@link createWyomingRecognition} takes. */
export interface WyomingRecognitionOptions extends WyomingAddress {
  /** Name of a model of the server. @default the server's choice */
  readonly model?: string
  readonly limits?: Partial<WyomingLimits>
}

const FORMAT = { rate: SPEECH_SAMPLE_RATE_HZ, width: 2, channels: 1 }

/** Recognition by a Wyoming server. Samples are sent while a person speaks; the text comes at the end. */
export function createWyomingRecognition(options: WyomingRecognitionOptions): SpeechToText {
  const limits = { ...WYOMING_LIMITS, ...options.limits }
  const service = createService(options, limits)
  return {
    id: 'wyoming',
    abilities: { partials: false, wordTimes: false, confidence: false, hints: 'none', languages: ['*'] },
    health: (signal) => service.health('asr', signal),
    async openStream({ language }, signal) {
      if (service.closed.aborted) throw new DomosError('unavailable', 'The Wyoming client is closed.')
      if (signal.aborted) throw new DomosError('cancelled', 'The recognition was cancelled.')
      const request = {
        ...(options.model !== undefined && { name: options.model }),
        ...(language !== undefined && { language: language.split('-')[0] }),
      }
      return createStream(service, limits, request, signal)
    },
    async close() {
      service.close()
    },
  }
}

interface Utterance {
  readonly connection: Promise<WyomingConnection>
  readonly abort: AbortController
  samples: number
  isTooLong: boolean
}

function createStream(
  service: WyomingService,
  limits: WyomingLimits,
  request: Readonly<Record<string, unknown>>,
  owner: AbortSignal,
): RecognitionStream {
  const maxSamples = (limits.maxUtteranceMs * SPEECH_SAMPLE_RATE_HZ) / 1_000
  let current: Utterance | undefined
  let isClosed = false

  const begin = (): Utterance => {
    const abort = new AbortController()
    const connection = service.open(AbortSignal.any([abort.signal, owner])).then((opened) => {
      opened.send('transcribe', request)
      opened.send('audio-start', { ...FORMAT, timestamp: 0 })
      return opened
    })
    // The failure is told by `finish`; an utterance that is discarded has nobody to tell.
    connection.catch(() => {})
    return { connection, abort, samples: 0, isTooLong: false }
  }
  const drop = ({ connection, abort }: Utterance): void => {
    abort.abort()
    connection.then(
      (opened) => opened.close(),
      () => {},
    )
  }
  return {
    write(samples) {
      if (isClosed || owner.aborted || samples.length === 0) return
      current ??= begin()
      const kept = samples.slice(0, Math.max(0, maxSamples - current.samples))
      if (kept.length < samples.length) current.isTooLong = true
      current.samples += kept.length
      const payload = new Uint8Array(kept.buffer, kept.byteOffset, kept.byteLength)
      if (kept.length > 0)
        current.connection.then((opened) => opened.send('audio-chunk', FORMAT, payload)).catch(() => {})
    },
    async finish(signal) {
      if (isClosed || owner.aborted) throw new DomosError('cancelled', 'The recognition stream is closed.')
      const utterance = current
      current = undefined
      const audioMs = Math.round(((utterance?.samples ?? 0) * 1_000) / SPEECH_SAMPLE_RATE_HZ)
      const empty: Recognition = { text: '', words: [], source: 'language', audioMs }
      if (!utterance) return empty
      const either = AbortSignal.any([signal, owner])
      const leave = (): void => drop(utterance)
      if (either.aborted) leave()
      either.addEventListener('abort', leave, { once: true })
      try {
        if (utterance.isTooLong) {
          const seconds = limits.maxUtteranceMs / 1_000
          throw new DomosError('too_large', `An utterance may last ${seconds} s (maxUtteranceMs); it was longer.`)
        }
        const connection = await utterance.connection
        connection.send('audio-stop', { timestamp: audioMs })
        return { ...empty, text: await readTranscript(connection, either) }
      } finally {
        either.removeEventListener('abort', leave)
        drop(utterance)
      }
    },
    discard() {
      if (current) drop(current)
      current = undefined
    },
    setHints() {
      // The protocol has no place for them, and `abilities.hints` says so.
    },
    close() {
      isClosed = true
      this.discard()
    },
  }
}

async function readTranscript(connection: WyomingConnection, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { type, data } = await connection.receive(signal)
    if (type !== 'transcript') continue
    if (typeof data.text !== 'string') throw new DomosError('unavailable', 'The Wyoming server gave no text.')
    return data.text.trim()
  }
}
