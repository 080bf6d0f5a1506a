import type { ModelElement } from './model.ts'
import { nameOf } from './model.ts'
import type { Pattern } from './pattern.ts'
import { hasRole, type TargetQuery } from './target.ts'

/** How well an element fits a query without css and pattern: 0 not at all, 1 exactly. */
export function elementScore<N extends object>(element: ModelElement<N>, query: TargetQuery): number {
  if (query.role !== undefined && !hasRole(element, query.role)) return 0
  if (query.level !== undefined && element.attrs['level'] !== query.level) return 0
  let score = 1
  if (query.text !== undefined) {
    const alt = element.attrs['alt']
    score = Math.max(
      textScore(nameOf(element), query.text),
      textScore(element.text, query.text),
      typeof alt === 'string' ? textScore(alt, query.text) : 0,
    )
  }
  if (query.label !== undefined) score = Math.min(score, textScore(nameOf(element), query.label))
  return score
}

/** 1 exact, 0.95 ignoring case, 0.5 to 0.85 for a part by how much of the whole it is, else 0. */
export function textScore(have: string, want: string): number {
  const wanted = want.replace(/\s+/g, ' ').trim()
  if (wanted === '' || have === '') return 0
  if (have === wanted) return 1
  const lower = have.toLowerCase()
  const low = wanted.toLowerCase()
  if (lower === low) return 0.95
  return lower.includes(low) ? 0.5 + 0.35 * (low.length / lower.length) : 0
}

/** Texts of an element that a pattern matches, at most 100. */
export function patternMatches<N extends object>(element: ModelElement<N>, pattern: Pattern): string[] {
  const texts = [element.text, element.label]
  for (const item of element.items ?? []) {
    if (item.cells) for (const cell of item.cells) texts.push(cell.text)
    else texts.push(item.text)
  }
  const found: string[] = []
  for (const text of texts) {
    let at = 0
    while (text !== '' && at <= text.length && found.length < 100) {
      const match = pattern.find(text, at)
      if (match === undefined) break
      found.push(text.slice(match.start, match.end))
      at = Math.max(match.end, match.start + 1)
    }
  }
  return found
}
