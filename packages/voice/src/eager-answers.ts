import type { Metrics, Recognition, Session, Turn } from '@domos/spec'
import type { Answer } from './answer.ts'
import type { TurnTimes } from './latency.ts'
import { sameWords } from './words.ts'

/** What eager generation needs of its conversation. */
export interface EagerContext {
  readonly session: Session
  readonly memberId: string
  readonly metrics: Metrics
  make(turn: Turn): Answer
  /** The words came as expected: the prepared answer is the answer. */
  adopt(answer: Answer, text: string, times: TurnTimes, recognition: Recognition): void
}

/** Answers prepared before it is certain that the person has finished. Nothing of them is heard, shown or done until then. */
export interface EagerAnswers {
  prepare(text: string): void
  /** The words so far; other words withdraw what was prepared. */
  check(text: string): void
  /** The final words; true when the prepared answer is theirs. */
  confirm(text: string, times: TurnTimes, recognition: Recognition): boolean
  withdraw(): void
}

/** Makes the preparer of one conversation; it holds at most one answer. */
export function createEagerAnswers(context: EagerContext): EagerAnswers {
  let prepared: { readonly text: string; readonly turn: Turn; readonly answer: Answer } | undefined

  function withdraw(): void {
    if (prepared === undefined) return
    const { answer } = prepared
    prepared = undefined
    context.metrics.count('voice_eager_answers', { result: 'withdrawn' })
    answer.interrupt(true)
  }

  return {
    prepare(text) {
      if (prepared !== undefined && sameWords(prepared.text, text)) return
      withdraw()
      if (context.session.currentTurn !== undefined) return
      try {
        const turn = context.session.say({ text, modality: 'audio', from: context.memberId, provisional: true })
        prepared = { text, turn, answer: context.make(turn) }
      } catch {
        // Too busy for work that may be in vain; the turn itself will say so if it stays that way.
      }
    },
    check(text) {
      if (prepared !== undefined && !sameWords(prepared.text, text)) withdraw()
    },
    confirm(text, times, recognition) {
      if (prepared === undefined) return false
      if (!sameWords(prepared.text, text)) {
        withdraw()
        return false
      }
      const { turn, answer } = prepared
      prepared = undefined
      if (!turn.confirm()) return false
      context.metrics.count('voice_eager_answers', { result: 'used' })
      context.adopt(answer, text, times, recognition)
      return true
    },
    withdraw,
  }
}
