import {
  DomosError,
  type Recognition,
  type RecognitionOptions,
  type RecognitionStream,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechHints,
  type SpeechToText,
  silentLog,
} from '@domos/spec'
import {
  type ChainLink,
  chainHealth,
  codeOf,
  createLinks,
  type FallbackOptions,
  isEngineFault,
  openFirst,
} from './chain-link.ts'

/** Bounds of a recognition chain. */
export interface RecognitionChainLimits {
  /** Audio of the current utterance kept for the next engine; a longer utterance cannot be repeated. @default 30000 */
  readonly maxReplayMs: number
}

/** Defaults of {@link RecognitionChainLimits}. */
export const RECOGNITION_CHAIN_LIMITS: RecognitionChainLimits = { maxReplayMs: 30_000 }

/** What {@link createRecognitionChain} takes besides its engines. */
export interface RecognitionChainOptions extends FallbackOptions {
  readonly chainLimits?: Partial<RecognitionChainLimits>
}

/**
 * Recognition by the first engine that works. When an engine fails in an utterance, the utterance is given to the next one,
 * so that nobody has to say it again; later utterances go to the first again as soon as it works.
 */
export function createRecognitionChain(
  engines: readonly SpeechToText[],
  options: RecognitionChainOptions = {},
): SpeechToText {
  const links = createLinks(engines, options)
  const limits = { ...RECOGNITION_CHAIN_LIMITS, ...options.chainLimits }
  const first = engines[0] as SpeechToText
  return {
    id: engines.map(({ id }) => id).join('+'),
    abilities: first.abilities,
    health: (signal) => chainHealth(links, signal),
    async openStream(streamOptions, signal) {
      const stream = createChainStream({ links, limits, options, streamOptions, owner: signal })
      await stream.connect()
      return stream
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}

interface ChainStreamContext {
  readonly links: readonly ChainLink<SpeechToText>[]
  readonly limits: RecognitionChainLimits
  readonly options: FallbackOptions
  readonly streamOptions: RecognitionOptions
  readonly owner: AbortSignal
}

interface Opened {
  readonly link: ChainLink<SpeechToText>
  readonly stream: RecognitionStream
}

function createChainStream(context: ChainStreamContext): RecognitionStream & { connect(): Promise<void> } {
  const { links, limits, streamOptions, owner } = context
  const log = context.options.log ?? silentLog
  const maxReplay = (limits.maxReplayMs * SPEECH_SAMPLE_RATE_HZ) / 1_000
  const open = new Map<ChainLink<SpeechToText>, RecognitionStream>()
  let hints: SpeechHints | undefined = streamOptions.hints
  let active: Opened | undefined
  let replay: Int16Array[] = []
  let samples = 0

  const openOne = async (engine: SpeechToText): Promise<RecognitionStream> => {
    const link = links.find((each) => each.engine === engine) as ChainLink<SpeechToText>
    const existing = open.get(link)
    if (existing) return existing
    const given = hints
    const stream = await engine.openStream({ ...streamOptions, ...(given && { hints: given }) }, owner)
    // Replaced while the engine was starting.
    if (hints !== undefined && hints !== given) stream.setHints(hints)
    open.set(link, stream)
    return stream
  }
  const drop = ({ link, stream }: Opened): void => {
    stream.close()
    open.delete(link)
  }
  /** The first engine that allows it, among those after `failed`. */
  const connect = async (among: readonly ChainLink<SpeechToText>[]): Promise<Opened> => {
    const { result, link } = await openFirst(among, openOne, log)
    return { link, stream: result }
  }
  const forget = (): void => {
    replay = []
    samples = 0
  }

  return {
    async connect() {
      active = await connect(links)
    },
    write(piece) {
      samples += piece.length
      if (samples <= maxReplay) replay.push(piece.slice())
      active?.stream.write(piece)
    },
    async finish(signal): Promise<Recognition> {
      const said = replay
      const canRepeat = samples <= maxReplay
      forget()
      const tried = new Set<ChainLink<SpeechToText>>()
      for (;;) {
        const current = active ?? (await connect(links.filter((link) => !tried.has(link))))
        if (!active) for (const piece of said) current.stream.write(piece)
        active = current
        try {
          const result = await current.stream.finish(signal)
          current.link.breaker.succeeded()
          if (current.link !== links[0]) active = await preferred(current)
          return result
        } catch (thrown) {
          if (!isEngineFault(thrown)) throw thrown
          current.link.breaker.failed()
          log.warn('speech-engine-failed', { engine: current.link.engine.id, code: codeOf(thrown) })
          tried.add(current.link)
          drop(current)
          active = undefined
          if (!canRepeat || tried.size === links.length) {
            await this.connect().catch(() => {})
            throw thrown
          }
        }
      }
    },
    discard() {
      forget()
      active?.stream.discard()
    },
    setHints(next) {
      hints = next
      for (const stream of open.values()) stream.setHints(next)
    },
    close() {
      forget()
      for (const stream of open.values()) stream.close()
      open.clear()
    },
  }

  /** An engine before the current one that may be tried again; the current one when there is none. */
  async function preferred(current: Opened): Promise<Opened> {
    const better = links.slice(0, links.indexOf(current.link))
    try {
      return await connect(better)
    } catch (thrown) {
      if (thrown instanceof DomosError && thrown.code === 'cancelled') throw thrown
      return current
    }
  }
}
