import type { VoiceState } from '@domos/spec'

/**
 * Where a conversation stands: what the person does (nothing, speaks, has spoken and the words are awaited) while the
 * assistant does nothing, prepares an answer, or sounds.
 */
export type VoicePhase =
  | 'idle'
  | 'hearing'
  | 'recognizing'
  | 'thinking'
  | 'hearing-over-thinking'
  | 'recognizing-over-thinking'
  | 'speaking'
  | 'hearing-over-speaking'
  | 'recognizing-over-speaking'
  | 'closed'

/**
 * What can happen.
 * - `speech-start` somebody speaks · `speech-end` they have finished, the words are awaited
 * - `speech-drop` it was no utterance after all, or its words are taken care of
 * - `answer-start` an answer or announcement is under way · `answer-end` it is over, stopped or failed
 * - `sound-start`, `sound-end` a stretch of its sound begins and ends
 * - `close` the far end is gone
 */
export type VoiceEvent =
  | 'speech-start'
  | 'speech-end'
  | 'speech-drop'
  | 'answer-start'
  | 'answer-end'
  | 'sound-start'
  | 'sound-end'
  | 'close'

/** The one table of a conversation's life; a missing pair has no effect, and nothing leaves `closed`. */
export const VOICE_TRANSITIONS: Readonly<Record<VoicePhase, Readonly<Partial<Record<VoiceEvent, VoicePhase>>>>> = {
  idle: { 'speech-start': 'hearing', 'answer-start': 'thinking', close: 'closed' },
  hearing: {
    'speech-end': 'recognizing',
    'speech-drop': 'idle',
    'answer-start': 'hearing-over-thinking',
    close: 'closed',
  },
  recognizing: { 'speech-start': 'hearing', 'speech-drop': 'idle', 'answer-start': 'thinking', close: 'closed' },
  thinking: {
    'speech-start': 'hearing-over-thinking',
    'sound-start': 'speaking',
    'answer-end': 'idle',
    close: 'closed',
  },
  'hearing-over-thinking': {
    'speech-end': 'recognizing-over-thinking',
    'speech-drop': 'thinking',
    'answer-end': 'hearing',
    close: 'closed',
  },
  'recognizing-over-thinking': {
    'speech-start': 'hearing-over-thinking',
    'speech-drop': 'thinking',
    'answer-end': 'recognizing',
    close: 'closed',
  },
  speaking: {
    'speech-start': 'hearing-over-speaking',
    'sound-end': 'thinking',
    'answer-end': 'idle',
    close: 'closed',
  },
  'hearing-over-speaking': {
    'speech-end': 'recognizing-over-speaking',
    'speech-drop': 'speaking',
    'sound-end': 'hearing-over-thinking',
    'answer-end': 'hearing',
    close: 'closed',
  },
  'recognizing-over-speaking': {
    'speech-start': 'hearing-over-speaking',
    'speech-drop': 'speaking',
    'sound-end': 'recognizing-over-thinking',
    'answer-end': 'recognizing',
    close: 'closed',
  },
  closed: {},
}

/** The phase after an event, or undefined when the event has no effect in this phase. */
export function nextVoicePhase(phase: VoicePhase, event: VoiceEvent): VoicePhase | undefined {
  return VOICE_TRANSITIONS[phase][event]
}

/** What the far end is told about a phase. */
export const PUBLIC_STATES: Readonly<Record<VoicePhase, VoiceState>> = {
  idle: 'idle',
  hearing: 'listening',
  recognizing: 'thinking',
  thinking: 'thinking',
  'hearing-over-thinking': 'listening',
  'recognizing-over-thinking': 'thinking',
  speaking: 'speaking',
  'hearing-over-speaking': 'paused',
  'recognizing-over-speaking': 'paused',
  closed: 'idle',
}

/** Whether the answer's sound waits in this phase, because a person may be interrupting it. */
export function holdsSound(phase: VoicePhase): boolean {
  return phase.includes('-over-')
}
