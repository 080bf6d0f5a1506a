import type { VoiceClientEvents } from '@domos/audio/client'

/** One thing that was said here or in answer. */
export interface Said {
  readonly id: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly turn: number | undefined
}

/** The most that is kept; older ones go first. */
export const MAX_SAID = 50

/** What was said, after one more final transcript. The pieces of one answer become one. */
export function nextSaid(said: readonly Said[], transcript: VoiceClientEvents['transcript']): readonly Said[] {
  const { role, turn, isFinal } = transcript
  const text = transcript.text.trim()
  if (!isFinal || text === '') return said
  const last = said.at(-1)
  if (role === 'assistant' && last?.role === 'assistant' && turn !== undefined && last.turn === turn) {
    return [...said.slice(0, -1), { ...last, text: `${last.text} ${text}` }]
  }
  return [...said, { id: (last?.id ?? 0) + 1, role, text, turn }].slice(-MAX_SAID)
}
