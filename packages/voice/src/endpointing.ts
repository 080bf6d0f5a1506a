import type { VoiceConfig } from '@domos/spec'
import type { VoiceLimits } from './limits.ts'
import { trailing, wordsOf } from './words.ts'

/** What is known of the words so far. */
export interface HeardSoFar {
  readonly text: string
  /** A complete sentence of the grammar of the live tools. */
  readonly complete: boolean
}

/**
 * How much silence ends the turn: little after a complete command, more in the middle of free speech, most after a word that
 * promises another. A number may go on ("twenty … five"), so it never counts as complete at once.
 */
export function requiredSilenceMs(heard: HeardSoFar, config: VoiceConfig, limits: VoiceLimits): number {
  const end = trailing(heard.text)
  const longer = Math.max(config.endpointMs, limits.endpointTrailingMs)
  let required = config.endpointMs
  if (heard.complete) required = end === 'number' ? config.endpointMs : config.endpointCompleteMs
  else if (end !== 'none') required = longer
  return Math.min(required, limits.endpointMaxMs)
}

/** Why an utterance ended. */
export type EndpointReason = 'silence' | 'gap' | 'commit' | 'too-long' | 'background' | 'no-new-words'

/** The measures of an utterance under way. */
export interface UtteranceMeasures {
  readonly silenceMs: number
  readonly speechMs: number
  readonly quietMs: number
  readonly lengthMs: number
  /** Milliseconds since the words last changed. */
  readonly unchangedMs: number
}

/** Whether the utterance is over, and why; undefined while it goes on. */
export function endpointReason(
  heard: HeardSoFar,
  measures: UtteranceMeasures,
  config: VoiceConfig,
  limits: VoiceLimits,
): EndpointReason | undefined {
  if (measures.lengthMs >= limits.utteranceMaxMs) return 'too-long'
  if (config.pushToTalk) return undefined
  if (measures.silenceMs >= requiredSilenceMs(heard, config, limits)) return 'silence'
  if (measures.speechMs < limits.speechMinMs) return undefined
  if (measures.quietMs >= limits.backgroundMs && measures.silenceMs < measures.quietMs) return 'background'
  if (wordsOf(heard.text).length > 0 && measures.unchangedMs >= limits.transcriptStableMs) return 'no-new-words'
  return undefined
}
