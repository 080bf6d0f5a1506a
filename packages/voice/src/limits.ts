import { DomosError } from '@domos/spec'

/** One number an operator may change: its default, its range, and a sentence for the help text and the docs table. */
export interface VoiceLimitEntry {
  readonly default: number
  readonly min: number
  readonly max: number
  readonly description: string
}

function limit(value: number, min: number, max: number, description: string): VoiceLimitEntry {
  return { default: value, min, max, description }
}

/**
 * Every bound and waiting time of a conversation by voice, with its default. Flags, environment names and the docs table
 * derive from this table; the unit is in the name (`Ms`, `Db`, `Chars`, else a count).
 */
export const VOICE_LIMITS = {
  conversationsMax: limit(64, 1, 10_000, 'open conversations of this server'),
  inputBufferMs: limit(60_000, 1_000, 600_000, 'sound that waits to be heard; beyond it the oldest is dropped'),
  uploadThresholdMs: limit(2_000, 200, 60_000, 'waiting sound that marks an upload, which waits for each answer'),
  preRollMs: limit(200, 0, 2_000, 'sound before the beginning of speech that recognition is given'),
  speechStartMs: limit(64, 32, 1_000, 'speech after which somebody counts as speaking'),
  speechMinMs: limit(96, 32, 2_000, 'speech below which an utterance is dropped as a click'),
  endpointTrailingMs: limit(1_200, 100, 10_000, 'silence that ends a turn after "and", "to", "the", "uh" or a number'),
  endpointMaxMs: limit(3_000, 100, 30_000, 'longest silence that a turn waits for, whatever was said'),
  arrivalGapMs: limit(400, 50, 10_000, 'no sound arriving, after which the rest counts as silence'),
  pushToTalkGapMs: limit(5_000, 500, 60_000, 'no sound arriving with the button down, after which the turn ends'),
  armedMs: limit(8_000, 500, 60_000, 'listening without speech after a wake word'),
  utteranceMaxMs: limit(30_000, 1_000, 120_000, 'one utterance; a longer one is ended'),
  backgroundMs: limit(1_500, 200, 30_000, 'speech much quieter than the utterance (a television) that ends it'),
  backgroundDropDb: limit(8, 3, 40, 'how much quieter the background is'),
  transcriptStableMs: limit(2_500, 500, 30_000, 'speech without new words that ends the utterance'),
  recognitionTimeoutMs: limit(10_000, 500, 120_000, 'waiting for the words of an utterance'),
  recognitionsOpenMax: limit(2, 1, 16, 'utterances of one conversation whose words are awaited'),
  reopenDelayMs: limit(1_000, 50, 60_000, 'pause before a failed recognizer is opened again; doubles up to 30 s'),
  eagerSilenceMs: limit(120, 32, 2_000, 'silence after which an answer to a complete sentence is prepared'),
  holdMaxMs: limit(2_000, 100, 10_000, 'how long the answer waits for the words of somebody who interrupts'),
  interruptWordMs: limit(160, 32, 5_000, 'speech with a word in it that interrupts the answer'),
  interruptSpeechMs: limit(600, 64, 10_000, 'speech that interrupts where recognition gives no partial results'),
  toolGraceMs: limit(2_000, 0, 60_000, 'how long a running tool may finish after an interruption'),
  leadMs: limit(200, 20, 2_000, 'sound sent ahead of real time'),
  outputFrameMs: limit(40, 10, 60, 'length of one piece of sound handed to the far end'),
  sinkHoldMs: limit(1_000, 100, 60_000, 'unsent sound at the far end above which nothing more is sent'),
  sinkCancelMs: limit(3_000, 200, 120_000, 'unsent sound, or time of holding back, above which the answer is given up'),
  synthesisAheadMs: limit(8_000, 500, 120_000, 'speech made ahead of what is being played'),
  synthesisTimeoutMs: limit(8_000, 200, 120_000, 'silence of a speech synthesiser in the middle of its work'),
  speechGapMs: limit(2_000, 100, 60_000, 'silence inside an answer that ends its sound'),
  speechTextMaxChars: limit(4_000, 100, 100_000, 'characters of one answer that are spoken; the rest is only shown'),
  sentenceIdleMs: limit(80, 10, 5_000, 'pause of the model after which what looks like a whole sentence is spoken'),
  sentenceMaxChars: limit(240, 40, 2_000, 'characters given to the synthesiser at once'),
  turnSilentMs: limit(70_000, 1_000, 3_600_000, 'a turn without any sign of life'),
  toolSilentMs: limit(
    420_000,
    1_000,
    3_600_000,
    'a turn without any sign of life while a tool runs or a person decides',
  ),
  announcementsMax: limit(8, 1, 100, 'announcements that wait'),
  announcementMaxChars: limit(2_000, 10, 20_000, 'characters of one announcement'),
  echoTailMs: limit(600, 0, 5_000, 'how long after the last sound an echo may come'),
  echoDelayMaxMs: limit(1_200, 100, 3_000, 'longest way of an echo, the lead included'),
  vocabularyMax: limit(500, 0, 10_000, 'words and names of the configuration'),
  vocabularyWordMaxChars: limit(80, 1, 1_000, 'characters of one such word'),
} as const satisfies Readonly<Record<string, VoiceLimitEntry>>

/** The bounds as numbers. Defaults and ranges: {@link VOICE_LIMITS}. */
export type VoiceLimits = { readonly [Name in keyof typeof VOICE_LIMITS]: number }

/**
 * The defaults with `overrides` over them.
 * @throws DomosError `invalid_request` when a value is no whole number in its range, or a name is unknown
 */
export function resolveVoiceLimits(overrides: Partial<VoiceLimits> = {}): VoiceLimits {
  const entries: Readonly<Record<string, VoiceLimitEntry>> = VOICE_LIMITS
  const limits: Record<string, number> = {}
  for (const [name, entry] of Object.entries(entries)) limits[name] = entry.default
  for (const [name, value] of Object.entries(overrides)) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
    const details = { path: `limits.${name}` }
    if (entry === undefined)
      throw new DomosError('invalid_request', `There is no voice limit named ${name}.`, { details })
    if (value === undefined) continue
    if (!Number.isInteger(value) || value < entry.min || value > entry.max) {
      throw new DomosError(
        'invalid_request',
        `The limit ${name} must be a whole number from ${entry.min} to ${entry.max}: ${entry.description}.`,
        { details },
      )
    }
    limits[name] = value
  }
  return limits as VoiceLimits // every name of the table was filled in above
}
