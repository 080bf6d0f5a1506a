/**
 * How much two sentences sound alike, 0 to 1: one minus the edit distance of their sounds over the longer length. Sounds
 * rather than words, because the language model hears the grammar's "add two headphones" as "at to head phones".
 */
export function soundAgreement(first: readonly string[], second: readonly string[]): number {
  const longer = Math.max(first.length, second.length)
  return longer === 0 ? 0 : 1 - editDistance(first, second) / longer
}

/** Insertions, deletions and replacements that turn one list into the other. */
export function editDistance(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const [index, item] of first.entries()) {
    const next = [index + 1]
    for (const [column, other] of second.entries()) {
      const replaced = (row[column] as number) + (item === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row[second.length] as number
}
