import type { JsonObject, JsonValue, VoiceConfig } from '@domos/spec'
import * as v from 'valibot'

/** What a connection may switch on beyond the document ("config"); everything is off until asked for. */
export interface ConnectionConfig {
  /** Adds `turn` to transcript, tts_start, tts_end and error. @default false */
  readonly turns: boolean
  /** Adds `details {interrupted, playedMs, audioMs}` to tts_end. @default false */
  readonly interruptions: boolean
  /** Sends `latency` after each turn. @default false */
  readonly latency: boolean
  /** Sends `state` with each change. @default false */
  readonly states: boolean
  /** Gives a resume token, and keeps the session for a minute when the connection breaks. @default false */
  readonly resume: boolean
}

/** The defaults of {@link ConnectionConfig}. */
export const defaultConnectionConfig: ConnectionConfig = {
  turns: false,
  interruptions: false,
  latency: false,
  states: false,
  resume: false,
}

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(50), v.maxValue(10_000))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const sensitivityWords: Readonly<Record<string, number>> = { low: 0.25, medium: 0.5, high: 0.75 }

/** The pipeline's settings, each with what is accepted. */
const voiceSchemas = {
  vadSensitivity: v.union(
    [
      share,
      v.pipe(
        v.picklist(['low', 'medium', 'high']),
        v.transform((name) => sensitivityWords[name] as number),
      ),
    ],
    'must be a number from 0 to 1, or low, medium or high',
  ),
  language: v.pipe(
    v.string(),
    v.regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/, 'must be a BCP 47 tag such as "en"'),
  ),
  vocabulary: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(500)),
  partials: v.boolean(),
  pushToTalk: v.boolean(),
  endpointCompleteMs: milliseconds,
  endpointMs: milliseconds,
  bargeIn: v.boolean(),
  speak: v.boolean(),
  voice: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  speed: v.pipe(v.number(), v.minValue(0.5), v.maxValue(2)),
  fastDelivery: v.boolean(),
} as const satisfies Record<keyof VoiceConfig, v.GenericSchema>

const connectionSchemas = {
  turns: v.boolean(),
  interruptions: v.boolean(),
  latency: v.boolean(),
  states: v.boolean(),
  resume: v.boolean(),
} as const satisfies Record<keyof ConnectionConfig, v.GenericSchema>

/** Every key a `config` message may hold. */
export const configKeys: readonly string[] = [...Object.keys(voiceSchemas), ...Object.keys(connectionSchemas)]

/** A checked change, split by who applies it. */
export type ConfigChange =
  | { readonly ok: true; readonly voice: JsonObject; readonly connection: Partial<ConnectionConfig> }
  | { readonly ok: false; readonly path: string; readonly message: string }

/** Checks a `config` message as a whole: one invalid key, and nothing of it counts. */
export function readConfig(config: Readonly<Record<string, unknown>>): ConfigChange {
  const voice: Record<string, JsonValue> = {}
  const connection: Record<string, boolean> = {}
  for (const [key, value] of Object.entries(config)) {
    const isVoice = Object.hasOwn(voiceSchemas, key)
    if (!isVoice && !Object.hasOwn(connectionSchemas, key)) {
      const message = `config has no "${key.slice(0, 64)}"; known are ${configKeys.join(', ')}.`
      return { ok: false, path: `config.${key.slice(0, 64)}`, message }
    }
    const schema: v.GenericSchema = isVoice
      ? voiceSchemas[key as keyof VoiceConfig]
      : connectionSchemas[key as keyof ConnectionConfig]
    const result = v.safeParse(schema, value)
    if (!result.success) {
      return { ok: false, path: `config.${key}`, message: `config.${key}: ${result.issues[0].message}.` }
    }
    if (isVoice) voice[key] = result.output as JsonValue
    else connection[key] = result.output as boolean
  }
  return { ok: true, voice, connection }
}
