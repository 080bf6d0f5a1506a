/** A piece of an answer fit to be spoken at once. */
export interface TextChunk {
  readonly text: string
  /** Where it stands in the whole answer, in UTF-16 units; pieces touch, so that joined they give it whole. */
  readonly start: number
  readonly end: number
}

/** Cuts a stream of text into sentences; the first piece is short, so that it can be heard early. */
export interface SentenceChunker {
  push(text: string): readonly TextChunk[]
  /** What is left: the text pauses or ends here. */
  flush(): readonly TextChunk[]
  /** What is left, if it looks like a whole sentence: nothing follows for a while. */
  flushSentence(): readonly TextChunk[]
  readonly length: number
}

/** The first piece ends at a comma once it has this many words. */
const FIRST_WORDS_MIN = 3
/** The first piece ends before the next word here, comma or not. */
const FIRST_WORDS_MAX = 12

const ABBREVIATIONS = new Set([
  ...[
    'mr',
    'mrs',
    'ms',
    'dr',
    'prof',
    'st',
    'sr',
    'jr',
    'vs',
    'etc',
    'inc',
    'ltd',
    'co',
    'no',
    'nr',
    'vol',
    'fig',
    'approx',
  ],
  ...[
    'e.g',
    'i.e',
    'a.m',
    'p.m',
    'u.s',
    'u.k',
    'z.b',
    'd.h',
    'u.a',
    'ca',
    'bzw',
    'usw',
    'str',
    'tel',
    'max',
    'min',
    'dept',
  ],
  ...[
    'jan',
    'feb',
    'mar',
    'apr',
    'jun',
    'jul',
    'aug',
    'sep',
    'sept',
    'oct',
    'nov',
    'dec',
    'mt',
    'ft',
    'gen',
    'capt',
    'rev',
  ],
])
/** These are followed by a name or number and never end a sentence; others may ("at 9:30 a.m. Then …"). */
const ALWAYS_GO_ON = new Set([
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'e.g',
  'i.e',
  'z.b',
  'd.h',
  'vs',
  'fig',
  'no',
  'nr',
  'approx',
  'ca',
  'st',
  'vol',
])

/** Makes a chunker; no piece is longer than `maxChars`, unless a single word is. */
export function createSentenceChunker(maxChars: number): SentenceChunker {
  let pending = ''
  let offset = 0
  let isFirst = true

  function take(length: number): TextChunk {
    const chunk = { text: pending.slice(0, length), start: offset, end: offset + length }
    pending = pending.slice(length)
    offset += length
    if (chunk.text.trim() !== '') isFirst = false
    return chunk
  }

  function cut(final: boolean): TextChunk[] {
    const chunks: TextChunk[] = []
    for (;;) {
      const at = boundary(pending, { isFirst, maxChars, final })
      if (at === undefined) return chunks
      chunks.push(take(at))
    }
  }

  return {
    get length() {
      return offset + pending.length
    },
    push(text) {
      pending += text
      return cut(false)
    },
    flushSentence() {
      const text = pending.trimEnd()
      const stop = text.length - 1
      const isWhole =
        /[!?…]["'”’)]*$/.test(text) || (/\p{L}\.$/u.test(text) && decide(text, stop, stop + 1, false) === true)
      return isWhole ? [take(pending.length)] : []
    },
    flush() {
      const chunks = cut(true)
      if (pending !== '') chunks.push(take(pending.length))
      return chunks
    },
  }
}

/** The length of the next whole piece, undefined while more text may change it. */
function boundary(
  text: string,
  { isFirst, maxChars, final }: { readonly isFirst: boolean; readonly maxChars: number; readonly final: boolean },
): number | undefined {
  let words = 0
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] as string
    const next = text[index + 1]
    if (/\s/.test(char)) {
      if (index > 0 && /\S/.test(text[index - 1] as string)) words += 1
      const isBreak = char === '\n' && text.slice(0, index).trim() !== ''
      if (isBreak) return afterSpace(text, index, final)
      if (index >= maxChars) return lastSpace(text, maxChars)
      if (isFirst && words >= FIRST_WORDS_MAX && !goesOn(text.slice(0, index))) return index
      continue
    }
    // What follows decides: "3." may become "3.5", "Done." may become "Done.)".
    if (next === undefined) return undefined
    if (/[。！？]/.test(char)) return index + 1
    if (/[.!?…]/.test(char) && endsSentence(text, index)) {
      const end = closing(text, index + 1)
      if (end === undefined) return undefined
      if (/\s/.test(text[end] as string)) {
        const decided = char === '.' ? decide(text, index, end, final) : true
        if (decided === undefined) return undefined
        if (decided) return end
      }
    }
    if (isFirst && /[,;:–—]/.test(char) && words + 1 >= FIRST_WORDS_MIN && /\s/.test(next)) return index + 1
  }
  return text.length > maxChars ? lastSpace(text, maxChars) : undefined
}

/** A full stop may end a sentence; whether it does depends on the word before it and on what follows. */
function decide(text: string, stop: number, end: number, final: boolean): boolean | undefined {
  const before = wordBefore(text, stop)
  if (ALWAYS_GO_ON.has(before) || /^\p{L}$/u.test(before)) return false
  const follows = text.slice(end).match(/\S/)?.[0]
  // "1." at the beginning of a line is the number of a list item.
  if (/^\d+$/.test(before) && /(^|\n)\s*$/.test(text.slice(0, stop - before.length))) return false
  if (!ABBREVIATIONS.has(before)) return true
  if (follows === undefined) return final ? true : undefined
  return /\p{Lu}/u.test(follows)
}

function endsSentence(text: string, index: number): boolean {
  return !/[.!?…]/.test(text[index + 1] ?? '')
}

/** Steps over quotes and brackets that belong to the sentence. */
function closing(text: string, from: number): number | undefined {
  for (let index = from; index < text.length; index += 1) if (!/["'”’)\]*_]/.test(text[index] as string)) return index
  return undefined
}

function wordBefore(text: string, stop: number): string {
  return (
    text
      .slice(0, stop)
      .match(/[\p{L}\p{N}.]+$/u)?.[0]
      .toLowerCase() ?? ''
  )
}

/** Whether a cut here would part a title from its name or a number from its unit. */
function goesOn(text: string): boolean {
  return /\d$/.test(text) || (text.endsWith('.') && ABBREVIATIONS.has(wordBefore(text, text.length - 1)))
}

function afterSpace(text: string, index: number, final: boolean): number | undefined {
  const rest = text.slice(index).search(/\S/)
  if (rest >= 0) return index + rest
  return final ? text.length : index + 1
}

function lastSpace(text: string, maxChars: number): number {
  const clause = text.slice(0, maxChars).search(/[,;:][^,;:]*$/)
  if (clause > maxChars / 3 && /\s/.test(text[clause + 1] ?? '')) return clause + 1
  for (let index = Math.min(maxChars, text.length - 1); index > 0; index -= 1) {
    if (/\s/.test(text[index] as string) && !goesOn(text.slice(0, index))) return index
  }
  return Math.min(maxChars, text.length)
}
