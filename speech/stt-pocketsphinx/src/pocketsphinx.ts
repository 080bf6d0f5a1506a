import {
  DomosError,
  describeThrown,
  type Log,
  type SpeechEngineHealth,
  type SpeechToText,
  silentLog,
} from '@domos/spec'
import { createDecoderPool, type DecoderPool } from './decoder-pool.ts'
import { POCKETSPHINX_LIMITS, type PocketsphinxLimits } from './limits.ts'
import { findModel } from './model-files.ts'
import { createRecognitionStream } from './recognition-stream.ts'

/** What {@link createPocketsphinx} takes. */
export interface PocketsphinxOptions {
  /** Directory with `en-us/`, `en-us.lm.bin` and `cmudict-en-us.dict`. @default where the system's package puts it */
  readonly modelDirectory?: string
  readonly limits?: Partial<PocketsphinxLimits>
  readonly log?: Log
  /** Told the process id of each worker that starts, e.g. to watch its memory. */
  readonly onWorkerStart?: (pid: number) => void
}

const LIBRARY = 'libpocketsphinx3 (Debian package)'
const MODEL = 'pocketsphinx-en-us (Debian package)'

/**
 * English recognition with the system's pocketsphinx. Each utterance is heard twice, by general language and by a grammar
 * of the live tools; the grammar wins where the two sound alike. Decoders run in worker processes.
 */
export function createPocketsphinx(options: PocketsphinxOptions = {}): SpeechToText {
  const limits = { ...POCKETSPHINX_LIMITS, ...options.limits }
  const log = options.log ?? silentLog
  const closing = new AbortController()
  let pool: DecoderPool | undefined
  const openPool = async (): Promise<DecoderPool> => {
    if (closing.signal.aborted) throw new DomosError('unavailable', 'The speech recognizer is closed.')
    if (pool) return pool
    const modelDirectory = await findModel(options.modelDirectory)
    if (modelDirectory === undefined) throw missingModel(options.modelDirectory)
    pool ??= createDecoderPool({ modelDirectory }, limits, options.onWorkerStart)
    return pool
  }

  return {
    id: 'pocketsphinx',
    abilities: { partials: true, wordTimes: true, confidence: true, hints: 'grammar', languages: ['en-US', 'en'] },

    async health(signal): Promise<SpeechEngineHealth> {
      signal.throwIfAborted()
      try {
        const ready = await openPool()
        await ready.warm()
        return { state: 'ready', detail: 'CMU pocketsphinx, English, offline.', missing: [] }
      } catch (thrown) {
        const detail = describeThrown(thrown)
        const isModel = thrown instanceof DomosError && thrown.details.missing === MODEL
        const missing = isModel ? [MODEL] : /lib(?:pocketsphinx|sphinxbase)\./.test(detail) ? [LIBRARY] : []
        return { state: 'unavailable', detail, missing }
      }
    },

    async openStream({ language, hints, onPartial }, signal) {
      if (language !== undefined && !/^en(?:-|$)/i.test(language)) {
        throw new DomosError('unsupported', `pocketsphinx recognizes English only, not "${language.slice(0, 20)}".`)
      }
      const ready = await openPool()
      await ready.warm()
      if (signal.aborted) throw new DomosError('cancelled', 'The recognition was cancelled.')
      const either = AbortSignal.any([signal, closing.signal])
      const stream = createRecognitionStream({ pool: ready, limits, log, onPartial, signal: either }, hints)
      either.addEventListener('abort', () => stream.close(), { once: true })
      return stream
    },

    async close() {
      closing.abort()
      await pool?.close()
    },
  }
}

function missingModel(directory: string | undefined): DomosError {
  const where = directory === undefined ? '' : ` in ${directory}`
  return new DomosError(
    'unavailable',
    `Speech recognition has no English model${where}: install the packages libpocketsphinx3 and pocketsphinx-en-us.`,
    { details: { missing: MODEL } },
  )
}
