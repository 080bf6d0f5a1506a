import type { JsonObject, JsonValue, VoiceConfig } from '@domos/spec'

/** What a connection may switch on beyond the document ("config"); everything is off until asked for. */
export interface ConnectionConfig {
  /** Adds `turn` to transcript, tts_start, tts_end and error. @default false */
  readonly turns: boolean
  /** Adds `details {interrupted, playedMs, audioMs}` to tts_end. @default false */
  readonly interruptions: boolean
  /** Sends `latency` after each turn. @default false */
  readonly latency: boolean
  /** Sends `state` with each change, and `nothing_heard` for sounds that begin no turn. @default false */
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

/** The pipeline's settings; it checks their values itself. */
const voiceKeys = [
  'vadSensitivity',
  'language',
  'vocabulary',
  'partials',
  'pushToTalk',
  'endpointCompleteMs',
  'endpointMs',
  'bargeIn',
  'speak',
  'voice',
  'speed',
  'fastDelivery',
] as const satisfies readonly (keyof VoiceConfig)[]

/** Some clients say in words what the document's example says as a number. */
const sensitivityWords: Readonly<Record<string, number>> = { low: 0.25, medium: 0.5, high: 0.75 }

const connectionKeys = Object.keys(defaultConnectionConfig)

/** Every key a `config` message may hold. */
export const configKeys: readonly string[] = [...voiceKeys, ...connectionKeys]

/** A change, split by who applies it. */
export type ConfigChange =
  | { readonly ok: true; readonly voice: JsonObject; readonly connection: Partial<ConnectionConfig> }
  | { readonly ok: false; readonly path: string; readonly message: string }

/** Reads a `config` message as a whole: one invalid key, and nothing of it counts. */
export function readConfig(config: JsonObject): ConfigChange {
  const voice: Record<string, JsonValue> = {}
  const connection: Record<string, boolean> = {}
  for (const [key, value] of Object.entries(config)) {
    const path = `config.${key.slice(0, 64)}`
    if (connectionKeys.includes(key)) {
      if (typeof value !== 'boolean') return { ok: false, path, message: `${path} must be true or false.` }
      connection[key] = value
    } else if ((voiceKeys as readonly string[]).includes(key)) {
      const isWord = key === 'vadSensitivity' && typeof value === 'string' && Object.hasOwn(sensitivityWords, value)
      voice[key] = isWord ? (sensitivityWords[value] as number) : value
    } else {
      return { ok: false, path, message: `There is no setting ${path}; known are ${configKeys.join(', ')}.` }
    }
  }
  return { ok: true, voice, connection }
}
