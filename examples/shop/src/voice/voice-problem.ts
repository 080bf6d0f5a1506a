import { MicrophoneError } from '@domos/audio/client'
import type { VoiceProblem } from './voice-state.ts'

/** Why there is no microphone, in words that say what to do. */
export function problemOf(thrown: unknown, isSecure = globalThis.isSecureContext): VoiceProblem {
  if (!(thrown instanceof MicrophoneError)) {
    const message = thrown instanceof Error ? thrown.message : ''
    return { title: message || 'The microphone could not be started.', advice: 'Press it to try again. Typing works.' }
  }
  if (!isSecure) {
    return {
      title: 'Browsers give a microphone only to pages from https or localhost.',
      advice: 'Start the server with --tls-cert FILE --tls-key FILE and open its https address. Typing works as it is.',
    }
  }
  switch (thrown.kind) {
    case 'denied':
      return {
        title: 'The microphone is blocked for this page.',
        advice: 'Allow it in the site settings beside the address, then press it again. Typing works.',
      }
    case 'missing':
      return { title: 'No microphone was found.', advice: 'Plug one in and press again, or use your phone.' }
    case 'failed':
      return {
        title: 'The microphone does not work now.',
        advice: 'Close what else may be using it, such as a call, or plug it in again; then press again.',
      }
  }
}

/**
 * What the server says about hearing; undefined when it can, or does not say. `url` is its /healthz.
 */
export async function hearingProblem(url: string, signal: AbortSignal): Promise<VoiceProblem | undefined> {
  let health: unknown
  try {
    health = await (await fetch(url, { signal })).json()
  } catch {
    return undefined
  }
  return readHearing(health)
}

/** What /healthz says about hearing. */
export function readHearing(health: unknown): VoiceProblem | undefined {
  const doors = field(health, 'doors')
  if (doors === undefined) return undefined
  const door = field(doors, 'voice')
  const advice = 'Typing works.'
  if (door === undefined) {
    return { title: 'This server has no voice door.', advice: `Start it with "voice" among its --doors. ${advice}` }
  }
  if (field(door, 'canHear') !== false) return undefined
  const voice = field(door, 'voice')
  const details = ['detector', 'recognition']
    .map((part) => field(voice, part))
    .filter((part) => field(part, 'state') === 'unavailable')
    .map((part) => field(part, 'detail'))
    .filter((detail) => typeof detail === 'string')
  return { title: 'This server cannot recognize speech.', advice: [...details, advice].join(' ') }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
