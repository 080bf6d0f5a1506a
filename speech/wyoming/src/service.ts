import { DomosError, type SpeechEngineHealth, type SpeechVoice } from '@domos/spec'
import { openConnection, type WyomingAddress, type WyomingConnection } from './connection.ts'
import type { WyomingLimits } from './limits.ts'

/** What one Wyoming server offers, and connections to it. */
export interface WyomingService {
  open(signal: AbortSignal): Promise<WyomingConnection>
  /** The `info` answer of the server. */
  describe(signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  health(kind: 'asr' | 'tts', signal: AbortSignal): Promise<SpeechEngineHealth>
  voices(signal: AbortSignal): Promise<readonly SpeechVoice[]>
  readonly closed: AbortSignal
  close(): void
}

/** Nothing is connected before it is needed. */
export function createService(address: WyomingAddress, limits: WyomingLimits): WyomingService {
  const closing = new AbortController()
  const name = `${address.host}:${address.port}`
  return {
    closed: closing.signal,
    close: () => closing.abort(),
    async open(signal) {
      if (closing.signal.aborted) throw new DomosError('unavailable', 'The Wyoming client is closed.')
      return openConnection(address, limits, AbortSignal.any([signal, closing.signal]))
    },
    async describe(signal) {
      const connection = await this.open(signal)
      try {
        connection.send('describe')
        for (;;) {
          const { type, data } = await connection.receive(signal)
          if (type === 'info') return data
        }
      } finally {
        connection.close()
      }
    },
    async health(kind, signal) {
      signal.throwIfAborted()
      try {
        const info = await this.describe(signal)
        if (listOf(info[kind]).length > 0)
          return { state: 'ready', detail: `The Wyoming server ${name} answers.`, missing: [] }
        const what = kind === 'asr' ? 'recognition' : 'speech'
        return { state: 'unavailable', detail: `The Wyoming server ${name} offers no ${what}.`, missing: [name] }
      } catch (thrown) {
        signal.throwIfAborted()
        const detail = thrown instanceof Error ? thrown.message : String(thrown)
        return { state: 'unavailable', detail, missing: [name] }
      }
    },
    async voices(signal) {
      const { tts } = await this.describe(signal)
      return listOf(tts).flatMap((program) =>
        listOf(program.voices).flatMap(({ name: id, languages, description, installed }) => {
          if (typeof id !== 'string' || installed === false) return []
          const [language] = Array.isArray(languages) ? languages : []
          const text = typeof description === 'string' ? description : id
          return [
            { id, language: typeof language === 'string' ? language.replace('_', '-') : 'mul', description: text },
          ]
        }),
      )
    },
  }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (entry): entry is Readonly<Record<string, unknown>> => typeof entry === 'object' && entry !== null,
  )
}
