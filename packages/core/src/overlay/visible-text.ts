/** A piece of text as it is shown: as it stands, or a character that would be invisible, by its number. */
export type TextPiece = { readonly type: 'text' | 'mark'; readonly text: string }

/**
 * Characters that show nothing, move others about, or end lines: controls, soft hyphen, zero width, direction marks and
 * overrides, line separators, variation selectors of the tag block, and lone surrogates. A line feed is shown as a mark and
 * still breaks the line.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu

/** Splits text so that nothing in it stays unseen; together the pieces hold every character. */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ type: 'text', text: text.slice(from, match.index) })
    pieces.push({ type: 'mark', text: markOf(match[0]) })
    if (match[0] === '\n') pieces.push({ type: 'text', text: '\n' })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ type: 'text', text: text.slice(from) })
  return pieces
}

function markOf(character: string): string {
  if (character === '\n') return '⏎'
  if (character === '\t') return '⇥'
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
