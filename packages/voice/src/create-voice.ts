import {
  type Clock,
  DomosError,
  type JsonObject,
  type Log,
  type Metrics,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechEngine,
  type SpeechEngineHealth,
  type SpeechToText,
  silentLog,
  silentMetrics,
  systemClock,
  type TextToSpeech,
  toDomosError,
  type Voice,
  type VoiceActivityDetector,
  type VoiceConversation,
} from '@domos/spec'
import { changeVoiceConfig, DEFAULT_VOICE_CONFIG } from './config.ts'
import { openConversation } from './conversation.ts'
import { withSampleRate } from './engines/resampled-synthesis.ts'
import { resolveVoiceLimits, type VoiceLimits } from './limits.ts'
import { createRecentTurns } from './recent-turns.ts'
import type { OpenRecording } from './recording.ts'
import { type VoiceTexts, voiceTextsFor } from './texts.ts'

/** What a voice is made of. An engine that is missing takes its ability along: typed text and what is left still work. */
export interface VoiceOptions {
  readonly detector?: VoiceActivityDetector
  readonly recognition?: SpeechToText
  readonly synthesis?: TextToSpeech
  /** Overrides of {@link VOICE_LIMITS}. */
  readonly limits?: Partial<VoiceLimits>
  /** What conversations begin with. @default {@link DEFAULT_VOICE_CONFIG} */
  readonly config?: JsonObject
  /**
   * Prepare answers before the end of a turn is certain. Costs a model request for each pause, so it is meant for models in
   * this process. @default false
   */
  readonly isEager?: boolean
  /** Sentences that differ from those of the language. */
  readonly texts?: Partial<VoiceTexts>
  /** Opens recordings; without it nothing is recorded. */
  readonly record?: OpenRecording
  /** @default the real clock */
  readonly clock?: Clock
  /** @default silent */
  readonly log?: Log
  /** @default none */
  readonly metrics?: Metrics
}

type Part = 'detector' | 'recognition' | 'synthesis'

/**
 * Makes the voice of a server. Closing it closes its engines. Call {@link Voice} `health` any time; engines are looked at in the
 * beginning and again with every conversation that opens.
 * @throws DomosError `invalid_request` for limits or a configuration that make no sense
 */
export function createVoice(options: VoiceOptions): Voice {
  const limits = resolveVoiceLimits(options.limits)
  const clock = options.clock ?? systemClock
  const log = options.log ?? silentLog
  const metrics = options.metrics ?? silentMetrics
  const base = changeVoiceConfig(DEFAULT_VOICE_CONFIG, options.config ?? {}, limits)
  const synthesis =
    options.synthesis === undefined ? undefined : withSampleRate(options.synthesis, SPEECH_SAMPLE_RATE_HZ)
  const engines: readonly (readonly [Part, SpeechEngine | undefined])[] = [
    ['detector', options.detector],
    ['recognition', options.recognition],
    ['synthesis', options.synthesis],
  ]
  const known = new Map<Part, SpeechEngineHealth>()
  const conversations = new Set<VoiceConversation>()
  const recentTurns = createRecentTurns()
  const over = new AbortController()
  let looking: Promise<void> | undefined
  let closing: Promise<void> | undefined

  function look(): Promise<void> {
    looking ??= Promise.all(
      engines.map(async ([part, engine]) => {
        if (engine === undefined) return
        try {
          known.set(part, await engine.health(over.signal))
        } catch (thrown) {
          if (over.signal.aborted) return
          known.set(part, { state: 'unavailable', detail: toDomosError(thrown).message, missing: [] })
        }
      }),
    ).then(() => {
      looking = undefined
    })
    return looking
  }

  function works(part: Part): boolean {
    const engine = engines.find(([name]) => name === part)?.[1]
    return engine !== undefined && known.get(part)?.state !== 'unavailable'
  }

  function missing(): string {
    const parts = engines.slice(0, 2).flatMap(([part, engine]) => {
      const health = known.get(part)
      const what = part === 'detector' ? 'voice activity detection' : 'speech recognition'
      if (engine === undefined) return [`no engine for ${what} is configured`]
      return health?.state === 'unavailable' ? [`${what}: ${health.detail}`] : []
    })
    return `Speech cannot be recognized: ${parts.join('; ') || 'the engines do not answer'}. Typed text works.`
  }

  void look()

  return {
    get canHear() {
      return works('detector') && works('recognition')
    },
    get canSpeak() {
      return works('synthesis')
    },
    open(session, sink, config = {}) {
      if (over.signal.aborted) throw new DomosError('unavailable', 'The server is shutting down.')
      if (conversations.size >= limits.conversationsMax) {
        throw new DomosError(
          'busy',
          `There are ${conversations.size} conversations by voice; the limit is conversationsMax.`,
        )
      }
      const initial = changeVoiceConfig(base, config, limits)
      void look()
      const id = `voice-${randomHex()}`
      const conversation: VoiceConversation = openConversation(
        {
          id,
          session,
          sink,
          detector: options.detector,
          recognition: options.recognition,
          synthesis: () => (works('synthesis') ? synthesis : undefined),
          texts: (language) => ({ ...voiceTextsFor(language), ...options.texts }),
          limits,
          clock,
          log: log.child({ conversation: id }),
          metrics,
          onLatency: recentTurns.add,
          isEager: options.isEager ?? false,
          recording: options.record?.({ id, sessionId: session.id }),
          missing,
          onClosed() {
            conversations.delete(conversation)
            metrics.gauge('voice_conversations', conversations.size)
          },
        },
        initial,
      )
      conversations.add(conversation)
      metrics.gauge('voice_conversations', conversations.size)
      return conversation
    },
    health() {
      const facts: Record<string, JsonObject> = {}
      for (const [part, engine] of engines) {
        const health = known.get(part)
        facts[part] =
          engine === undefined
            ? { engine: null, state: 'unavailable', detail: 'No engine is configured.', missing: [] }
            : {
                engine: engine.id,
                state: health?.state ?? 'unknown',
                detail: health?.detail ?? 'Not looked at yet.',
                missing: [...(health?.missing ?? [])],
              }
      }
      return {
        ...facts,
        canHear: works('detector') && works('recognition'),
        canSpeak: works('synthesis'),
        conversations: conversations.size,
        recentTurns: recentTurns.summary(),
        eager: options.isEager ?? false,
        recording: options.record !== undefined,
      }
    },
    close() {
      closing ??= (async () => {
        over.abort()
        await Promise.all([...conversations].map((conversation) => conversation.close()))
        await Promise.allSettled(engines.map(([, engine]) => engine?.close()))
      })()
      return closing
    },
  }
}

/** Several voices may serve one session, so a number would not do. */
function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
