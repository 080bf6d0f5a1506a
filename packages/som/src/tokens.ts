/** Counts tokens of a text; `name` is reported with every limit that used it. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

const pieces = /[a-z]+|[A-Z]+|\p{Ll}+|\p{Lu}+|\d+|\p{L}+|\p{M}+|\s+|[^\s\p{L}\p{M}\d]+/gu

/**
 * An upper estimate that needs no vocabulary: words by length, digits by threes, every sign and every character beyond
 * ASCII by itself. On the measured pages it is above o200k on each; give a real tokenizer to use a limit to the full.
 */
export const estimateTokenizer: Tokenizer = {
  name: 'estimate',
  count(text) {
    let tokens = 0
    for (const [piece] of text.matchAll(pieces)) {
      const code = piece.charCodeAt(0)
      if (code === 32 && piece.length === 1) continue
      if (code > 127) tokens += utf8Weight(piece)
      else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) tokens += Math.ceil(piece.length / 5)
      else if (code >= 48 && code <= 57) tokens += Math.ceil(piece.length / 3)
      else if (/^\s/.test(piece)) tokens += Math.ceil(piece.length / 4)
      else tokens += Math.ceil(piece.length * 0.75)
    }
    return tokens
  },
}

function utf8Weight(piece: string): number {
  let weight = 0
  for (const char of piece) weight += (char.codePointAt(0) as number) > 0xffff ? 3 : 1
  return weight
}
