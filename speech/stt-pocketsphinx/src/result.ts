import type { Recognition, RecognizedWord } from '@domos/spec'
import type { DecodedWord } from './decoder.ts'
import { accepts, type Grammar } from './grammar.ts'
import type { FinalResult } from './worker-messages.ts'

/**
 * From this sound agreement of the two decoders on, the grammar's sentence is believed. A lone grammar finds a command in
 * anything that is said.
 */
const MIN_AGREEMENT = 0.6

/** What both decoders heard, as words. */
export interface Heard {
  readonly language: readonly string[]
  readonly grammar: readonly string[]
  readonly agreement: number
}

/**
 * Which decoder to believe. General language, when it hears a whole sentence of the grammar by itself: its small words are
 * right more often. Else the grammar, when the two sound alike. Else general language.
 */
export function believe(heard: Heard, grammar: Grammar | undefined): 'both' | 'grammar' | 'language' {
  if (!grammar) return 'language'
  if (heard.language.length > 0 && accepts(grammar, heard.language)) return 'both'
  return heard.agreement >= MIN_AGREEMENT && accepts(grammar, heard.grammar) ? 'grammar' : 'language'
}

/** The better of the two results. */
export function chooseResult(result: FinalResult, grammar: Grammar | undefined, audioMs: number): Recognition {
  const heard: Heard = {
    language: result.language.map(({ word }) => word),
    grammar: result.grammar.map(({ word }) => word),
    agreement: result.agreement,
  }
  const believed = believe(heard, grammar)
  if (believed === 'grammar') {
    const words = result.grammar.map((word) => ({ ...word, confidence: supportOf(word, result) }))
    return { text: heard.grammar.join(' '), words, confidence: round(result.agreement), source: 'grammar', audioMs }
  }
  const words: readonly RecognizedWord[] = result.language
  const sum = result.language.reduce((total, { confidence }) => total + confidence, 0)
  const confidence = words.length === 0 ? 0 : round(sum / words.length)
  const source = believed === 'both' ? 'grammar' : 'language'
  return { text: heard.language.join(' '), words, confidence, source, audioMs }
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
