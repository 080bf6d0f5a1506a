/**
 * Cuts text to a budget: after the last sentence end if that keeps two fifths of the budget, else at the last space and
 * with "...". `kept` is how much of the source is shown, so that the rest can follow from there.
 */
export function cutText(text: string, maxChars: number): { readonly text: string; readonly kept: number } {
  if (text.length <= maxChars) return { text, kept: text.length }
  const head = text.slice(0, maxChars)
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? ')) + 1
  if (sentence >= maxChars * 0.4) return { text: text.slice(0, sentence), kept: sentence }
  const space = head.lastIndexOf(' ')
  const at = charBoundary(text, space >= maxChars * 0.4 ? space : maxChars)
  return { text: `${text.slice(0, at).trimEnd()}...`, kept: at }
}

/** The nearest position at or before `at` that does not split a surrogate pair. */
export function charBoundary(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return at > 0 && at < text.length && code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** Bytes of a string in UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes++
    else if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      at++
    } else bytes += 2
  }
  return bytes
}
