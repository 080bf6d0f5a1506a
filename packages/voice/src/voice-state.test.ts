import { describe, expect, it } from 'vitest'
import {
  holdsSound,
  nextVoicePhase,
  PUBLIC_STATES,
  VOICE_TRANSITIONS,
  type VoiceEvent,
  type VoicePhase,
} from './voice-state.ts'

const EVENTS: readonly VoiceEvent[] = [
  'speech-start',
  'speech-end',
  'speech-drop',
  'answer-start',
  'sound-start',
  'sound-end',
  'answer-end',
  'close',
]
const PHASES = Object.keys(VOICE_TRANSITIONS) as VoicePhase[]

describe('the voice state machine', () => {
  it('knows every pair of phase and event', () => {
    const short = (phase: VoicePhase | undefined): string => phase ?? '–'
    expect(
      PHASES.map((phase) => `${phase}: ${EVENTS.map((event) => short(nextVoicePhase(phase, event))).join(', ')}`),
    ).toEqual([
      'idle: hearing, –, –, thinking, –, –, –, closed',
      'hearing: –, recognizing, idle, hearing-over-thinking, –, –, –, closed',
      'recognizing: hearing, –, idle, thinking, –, –, –, closed',
      'thinking: hearing-over-thinking, –, –, –, speaking, –, idle, closed',
      'hearing-over-thinking: –, recognizing-over-thinking, thinking, –, –, –, hearing, closed',
      'recognizing-over-thinking: hearing-over-thinking, –, thinking, –, –, –, recognizing, closed',
      'speaking: hearing-over-speaking, –, –, –, –, thinking, idle, closed',
      'hearing-over-speaking: –, recognizing-over-speaking, speaking, –, –, hearing-over-thinking, hearing, closed',
      'recognizing-over-speaking: hearing-over-speaking, –, speaking, –, –, recognizing-over-thinking, recognizing, closed',
      'closed: –, –, –, –, –, –, –, –',
    ])
  })

  it('leads from every phase back to idle, and to closed at once', () => {
    for (const start of PHASES.filter((phase) => phase !== 'closed')) {
      expect(nextVoicePhase(start, 'close')).toBe('closed')
      // The events that timers bring about: words do not come, the sound ends, the turn ends.
      let phase: VoicePhase = start
      for (const event of ['speech-drop', 'sound-end', 'answer-end'] as const)
        phase = nextVoicePhase(phase, event) ?? phase
      expect(phase, start).toBe('idle')
    }
  })

  it('holds the answer exactly while somebody may be interrupting it', () => {
    for (const phase of PHASES) expect(holdsSound(phase)).toBe(/^(hearing|recognizing)-over/.test(phase))
    expect(PUBLIC_STATES['hearing-over-speaking']).toBe('paused')
  })
})
