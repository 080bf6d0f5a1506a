/** What media queries are answered against. */
export interface MediaEnvironment {
  /** CSS pixels. @default 1280 */
  readonly width: number
  /** CSS pixels. @default 720 */
  readonly height: number
}

/** The environment of a session that names no viewport. */
export const defaultMedia: MediaEnvironment = { width: 1280, height: 720 }

/** Answers a media query list; what it does not understand does not match. */
export function matchesMedia(query: string, media: MediaEnvironment): boolean {
  const text = query.trim().toLowerCase()
  if (text === '') return true
  return text.split(',').some((part) => matchesOne(part.trim(), media))
}

function matchesOne(query: string, media: MediaEnvironment): boolean {
  let text = query
  let negated = false
  if (text.startsWith('not ')) {
    negated = true
    text = text.slice(4).trim()
  } else if (text.startsWith('only ')) text = text.slice(5).trim()
  const result = text.split(/\s+and\s+/).every((term) => matchesTerm(term.trim(), media))
  return negated ? !result : result
}

function matchesTerm(term: string, media: MediaEnvironment): boolean {
  if (term === 'all' || term === 'screen') return true
  if (!term.startsWith('(') || !term.endsWith(')')) return false
  const inner = term.slice(1, -1).trim()
  if (inner.startsWith('(') || inner.includes(' or ')) {
    return inner.split(/\s+or\s+/).some((part) => matchesOne(part.trim(), media))
  }
  const range = /^(width|height)\s*(<=|>=|<|>|=)\s*([\d.]+)(px|em|rem)?$/.exec(inner)
  if (range) {
    const have = range[1] === 'width' ? media.width : media.height
    return compare(have, range[2] as string, pixels(range[3], range[4]))
  }
  const colon = inner.indexOf(':')
  const name = (colon < 0 ? inner : inner.slice(0, colon)).trim()
  const value = colon < 0 ? '' : inner.slice(colon + 1).trim()
  const size = /^([\d.]+)(px|em|rem)?$/.exec(value)
  const length = size ? pixels(size[1], size[2]) : Number.NaN
  switch (name) {
    case 'min-width':
      return media.width >= length
    case 'max-width':
      return media.width <= length
    case 'min-height':
      return media.height >= length
    case 'max-height':
      return media.height <= length
    case 'orientation':
      return value === (media.width >= media.height ? 'landscape' : 'portrait')
    case 'prefers-color-scheme':
      return value === 'light'
    case 'prefers-reduced-motion':
    case 'prefers-contrast':
      return value === 'no-preference'
    case 'hover':
    case 'any-hover':
      return value === '' || value === 'hover'
    case 'pointer':
    case 'any-pointer':
      return value === '' || value === 'fine'
    default:
      return false
  }
}

function pixels(amount: string | undefined, unit: string | undefined): number {
  return Number(amount) * (unit === 'em' || unit === 'rem' ? 16 : 1)
}

function compare(left: number, operator: string, right: number): boolean {
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  if (operator === '<=') return left <= right
  if (operator === '>=') return left >= right
  return left === right
}
