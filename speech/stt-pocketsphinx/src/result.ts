import type { Recognition, RecognizedWord } from '@domos/spec'
import type { DecodedWord } from './decoder.ts'
import { accepts, type Grammar } from './grammar.ts'
import type { FinalResult } from './worker-messages.ts'

/**
 * From this sound agreement of the two decoders on, the grammar's sentence is believed. A lone grammar finds a command in
 * anything that is said.
 */
const MIN_AGREEMENT = 0.6

/** Whether what the grammar heard may be taken as a command. */
export function isCommand(agreement: number): boolean {
  return agreement >= MIN_AGREEMENT
}

/** The better of the two results. */
export function chooseResult(result: FinalResult, grammar: Grammar | undefined, audioMs: number): Recognition {
  const expected = result.grammar.map(({ word }) => word)
  if (grammar && isCommand(result.agreement) && accepts(grammar, expected)) {
    const words = result.grammar.map((word) => ({ ...word, confidence: supportOf(word, result) }))
    return { text: expected.join(' '), words, confidence: round(result.agreement), source: 'grammar', audioMs }
  }
  const words: readonly RecognizedWord[] = result.language
  const sum = result.language.reduce((total, { confidence }) => total + confidence, 0)
  const text = words.map(({ word }) => word).join(' ')
  const confidence = words.length === 0 ? 0 : round(sum / words.length)
  return { text, words, confidence, source: 'language', audioMs }
}

/** What general language says for a word of the grammar, which itself is always sure; the agreement where it heard another. */
function supportOf(word: DecodedWord, result: FinalResult): number {
  const same = result.language.find(
    (other) => other.word === word.word && other.startMs < word.endMs && other.endMs > word.startMs,
  )
  return same?.confidence ?? round(result.agreement)
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
