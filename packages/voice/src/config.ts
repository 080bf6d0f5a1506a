import { DomosError, type JsonObject, type JsonValue, type VoiceConfig } from '@domos/spec'
import type { VoiceLimits } from './limits.ts'

/** What a conversation begins with (decisions.md 17). */
export const DEFAULT_VOICE_CONFIG: VoiceConfig = {
  vadSensitivity: 0.5,
  language: 'en',
  vocabulary: [],
  partials: false,
  pushToTalk: false,
  endpointCompleteMs: 250,
  endpointMs: 700,
  bargeIn: true,
  speak: true,
  voice: undefined,
  speed: 1,
  fastDelivery: false,
}

type Reader = (value: JsonValue, limits: VoiceLimits) => unknown

const number =
  (min: number, max: number): Reader =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined
const flag: Reader = (value) => (typeof value === 'boolean' ? value : undefined)
const silence: Reader = (value, limits) =>
  typeof value === 'number' && value >= 60 && value <= limits.endpointMaxMs ? Math.round(value) : undefined
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/i

const words: Reader = (value, limits) => {
  if (!Array.isArray(value) || value.length > limits.vocabularyMax) return undefined
  const list: string[] = []
  for (const word of value) {
    if (typeof word !== 'string' || word.length > limits.vocabularyWordMaxChars) return undefined
    if (word.trim() !== '') list.push(word.trim())
  }
  return list
}

const KEYS: Readonly<Record<keyof VoiceConfig, readonly [read: Reader, expected: string]>> = {
  vadSensitivity: [number(0, 1), 'a number from 0 to 1'],
  language: [
    (value) => (typeof value === 'string' && LANGUAGE.test(value) ? value : undefined),
    'a language tag such as "en"',
  ],
  vocabulary: [words, 'a list of words, bounded by vocabularyMax and vocabularyWordMaxChars'],
  partials: [flag, 'true or false'],
  pushToTalk: [flag, 'true or false'],
  endpointCompleteMs: [silence, 'milliseconds from 60 to endpointMaxMs'],
  endpointMs: [silence, 'milliseconds from 60 to endpointMaxMs'],
  bargeIn: [flag, 'true or false'],
  speak: [flag, 'true or false'],
  voice: [
    (value) => (typeof value === 'string' && value.length > 0 && value.length <= 100 ? value : undefined),
    'the id of a voice, or null for the default',
  ],
  speed: [number(0.5, 2), 'a number from 0.5 to 2'],
  fastDelivery: [flag, 'true or false'],
}

/** The names a configuration knows. */
export const VOICE_CONFIG_KEYS = Object.keys(KEYS) as readonly (keyof VoiceConfig)[]

/**
 * The configuration with the changes of a peer over it; all of them, or none.
 * @throws DomosError `invalid_request` with `details.path` for an unknown name or a value out of range
 */
export function changeVoiceConfig(config: VoiceConfig, change: JsonObject, limits: VoiceLimits): VoiceConfig {
  const changed: Record<string, unknown> = { ...config }
  for (const [name, value] of Object.entries(change)) {
    const details = { path: name.slice(0, 64) }
    const key = Object.hasOwn(KEYS, name) ? KEYS[name as keyof VoiceConfig] : undefined
    if (key === undefined) {
      const known = VOICE_CONFIG_KEYS.join(', ')
      throw new DomosError('invalid_request', `There is no setting named ${name.slice(0, 64)}; known: ${known}.`, {
        details,
      })
    }
    if (value === undefined) continue
    if (name === 'voice' && value === null) {
      changed['voice'] = undefined
      continue
    }
    const read = key[0](value, limits)
    if (read === undefined) {
      throw new DomosError('invalid_request', `The setting ${name} must be ${key[1]}.`, { details })
    }
    changed[name] = read
  }
  return changed as unknown as VoiceConfig // only known keys with checked values were set
}
