/** A piece of text as it is shown: as it stands, or a character that would be invisible, by its number. */
export type TextPiece = { readonly type: 'text' | 'mark'; readonly text: string }

/**
 * Characters that show nothing, move others about, or end lines: controls, formats (zero width, direction overrides, soft
 * hyphen, tags), lone surrogates, line separators, and whatever a reader is to ignore (fillers, variation selectors). A
 * line feed is shown as a mark and still breaks the line.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu

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
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
