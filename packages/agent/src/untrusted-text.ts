// Characters that are read by a model or change what a person sees, without being visible: C0 and C1 controls (except tab
// and newline), soft hyphen, zero-width and bidi controls, invisible operators, variation selectors, byte order mark,
// interlinear marks and the tag block.
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu

/** Text from a page without characters that hide from the eye or turn its direction. Tabs and line breaks stay. */
export function stripInvisible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, '')
}

/** {@link stripInvisible} on one line, cut to `maxChars` with a visible mark. */
export function singleLine(text: string, maxChars: number): string {
  const line = stripInvisible(text).replace(/\s+/g, ' ').trim()
  return line.length <= maxChars ? line : `${line.slice(0, Math.max(0, maxChars - 1))}…`
}
