/**
 * How many words must be put in, left out or replaced to make the heard text the expected one; case and punctuation do not
 * count. The word error rate is `errors / words`.
 */
export function wordErrors(expected: string, heard: string): { readonly errors: number; readonly words: number } {
  const [wanted, got] = [wordsOf(expected), wordsOf(heard)]
  let row = Array.from({ length: got.length + 1 }, (_, index) => index)
  for (const [index, word] of wanted.entries()) {
    const next = [index + 1]
    for (const [column, other] of got.entries()) {
      const replaced = (row[column] as number) + (word === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return { errors: row[got.length] as number, words: wanted.length }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}
