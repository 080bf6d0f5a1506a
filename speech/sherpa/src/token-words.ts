import type { RecognizedWord } from '@domos/spec'
import type { SherpaResult } from './sherpa-api.ts'

/** Time given to the last token of an utterance. */
const LAST_TOKEN_MS = 120

/** Words with times out of timed pieces of words, whose first piece begins with a space or `▁`. Empty without times. */
export function wordsFromTokens(
  { tokens = [], timestamps = [] }: SherpaResult,
  audioMs: number,
): readonly RecognizedWord[] {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return []
  const words: { word: string; startMs: number; endMs: number }[] = []
  for (const [index, token] of tokens.entries()) {
    const startMs = Math.round((timestamps[index] as number) * 1_000)
    const next = timestamps[index + 1]
    const endMs = Math.min(audioMs, next === undefined ? startMs + LAST_TOKEN_MS : Math.round(next * 1_000))
    const text = token.replace(/^[▁\s]+/, '')
    const last = words.at(-1)
    if (/^[▁\s]/.test(token) || !last) words.push({ word: text, startMs, endMs })
    else {
      last.word += text
      last.endMs = endMs
    }
  }
  return words
    .filter(({ word }) => word !== '')
    .map((each) => ({ ...each, endMs: Math.max(each.endMs, each.startMs + 1) }))
}
