import * as v from 'valibot'
import { SUPPORTED_RATES_HZ } from './audio-format.ts'

/** A device id ("session_start"): 1 to 128 letters, digits, `-` and `_`. */
export const deviceId = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, "-" or "_"'),
)

/** A text that is not empty and short enough for a token. */
export const token = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))

/** The audio a client declares; the server resamples both ways. */
export const declaredAudio = v.object({
  sampleRate: v.exactOptional(v.picklist(SUPPORTED_RATES_HZ)),
  channels: v.exactOptional(v.picklist([1, 2])),
  bitDepth: v.exactOptional(v.picklist([16, 24, 32])),
})

/** What a device says it can do, whatever it calls it. */
export const capabilities = v.record(v.pipe(v.string(), v.maxLength(64)), v.unknown())

/** Times in milliseconds from the first sample of the utterance ("transcript"). */
export const word = v.object({ word: v.string(), start: v.number(), end: v.number() })

/** A non-negative whole number. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
