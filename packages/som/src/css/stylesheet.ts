import { type MediaEnvironment, matchesMedia } from './media.ts'
import { type CompiledSelector, compileSelector } from './selector.ts'

/** The properties that decide whether something is visible; the cascade keeps no others. */
export const visibilityProperties = [
  'display',
  'visibility',
  'opacity',
  'position',
  'clip',
  'clip-path',
  'width',
  'height',
  'max-height',
  'max-width',
  'overflow',
  'font-size',
  'left',
  'top',
  'content-visibility',
  'color',
  'background-color',
] as const

/** One of {@link visibilityProperties}. */
export type VisibilityProperty = (typeof visibilityProperties)[number]

/** A declaration of a property that matters. */
export interface Declaration {
  readonly property: VisibilityProperty
  readonly value: string
  readonly important: boolean
}

/** One selector with its declarations. */
export interface StyleRule {
  readonly selector: CompiledSelector
  readonly declarations: readonly Declaration[]
  /** Position among all rules; rules in cascade layers get negative positions, so that unlayered ones win. */
  readonly order: number
}

const known = new Set<string>(visibilityProperties)
const relevant =
  /(?:display|visibility|opacity|clip|width|height|overflow|font|left|top|background-color|color|position)[a-z-]*\s*:/i
const maxNesting = 32

/** Collects the visibility rules of stylesheets in order. */
export class StyleCollector {
  readonly rules: StyleRule[] = []
  private order = 0
  private readonly media: MediaEnvironment
  private readonly maxRules: number
  private readonly maxChars: number

  constructor(media: MediaEnvironment, maxRules: number, maxChars: number) {
    this.media = media
    this.maxRules = maxRules
    this.maxChars = maxChars
  }

  /** Reads one stylesheet; anything malformed is skipped as CSS demands. */
  add(css: string): void {
    const text = css.length > this.maxChars ? css.slice(0, this.maxChars) : css
    this.block(withoutComments(text), undefined, false, 0)
  }

  private block(css: string, parent: string | undefined, layered: boolean, depth: number): void {
    let at = 0
    while (at < css.length && this.rules.length < this.maxRules) {
      const open = findTop(css, at)
      if (open < 0) return
      const code = css.charCodeAt(open)
      if (code === 59 /* ; */ || code === 125 /* } */) {
        at = open + 1
        continue
      }
      const close = findClose(css, open + 1)
      const prelude = css.slice(at, open).trim()
      at = close + 1
      if (prelude.charCodeAt(0) === 64 /* @ */) this.atRule(prelude, css, open + 1, close, parent, layered, depth)
      else this.rule(prelude, css.slice(open + 1, close), parent, layered, depth)
    }
  }

  private atRule(
    prelude: string,
    css: string,
    from: number,
    to: number,
    parent: string | undefined,
    layered: boolean,
    depth: number,
  ): void {
    if (depth > maxNesting) return
    const match = /^@([a-z-]+)\s*([\s\S]*)$/i.exec(prelude)
    const name = match?.[1]?.toLowerCase()
    const condition = match?.[2] ?? ''
    let enters = false
    let inLayer = layered
    if (name === 'media') enters = matchesMedia(condition, this.media)
    else if (name === 'supports') enters = !/^not\b/i.test(condition.trim())
    else if (name === 'layer') {
      enters = true
      inLayer = true
    }
    if (!enters) return
    const inner = css.slice(from, to)
    if (parent !== undefined) this.keep(parent, inner, inLayer)
    this.block(inner, parent, inLayer, depth + 1)
  }

  private rule(prelude: string, body: string, parent: string | undefined, layered: boolean, depth: number): void {
    if (prelude === '' || !relevant.test(body)) return
    let selector = prelude
    if (parent !== undefined) {
      selector = prelude.includes('&') ? prelude.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${prelude}`
    }
    this.keep(selector, body, layered)
    if (body.includes('{') && depth < maxNesting) this.block(body, selector, layered, depth + 1)
  }

  private keep(selectorText: string, body: string, layered: boolean): void {
    const declarations = parseDeclarations(body)
    if (declarations.length === 0) return
    let selectors: CompiledSelector[]
    try {
      selectors = compileSelector(selectorText, 'never')
    } catch {
      return
    }
    const order = layered ? this.order++ - 1_000_000_000 : this.order++
    for (const selector of selectors) {
      if (this.rules.length < this.maxRules) this.rules.push({ selector, declarations, order })
    }
  }
}

/** Declarations of a block or a style attribute that decide visibility. Nested rules in it are passed over. */
export function parseDeclarations(body: string): Declaration[] {
  const declarations: Declaration[] = []
  if (!relevant.test(body)) return declarations
  for (const part of splitDeclarations(body)) {
    const colon = part.indexOf(':')
    if (colon < 0) continue
    let property = part.slice(0, colon).trim().toLowerCase()
    let value = part
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    let important = false
    const bang = value.lastIndexOf('!')
    if (bang >= 0 && value.slice(bang + 1).trim() === 'important') {
      important = true
      value = value.slice(0, bang).trim()
    }
    if (property === 'overflow-x' || property === 'overflow-y') property = 'overflow'
    if (property === 'inset' || property === 'font') continue
    if (known.has(property)) declarations.push({ property: property as VisibilityProperty, value, important })
  }
  return declarations
}

function splitDeclarations(body: string): string[] {
  if (!/["'({]/.test(body)) return body.split(';')
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if (code === 34 || code === 39) at = endOfString(body, at)
    else if (code === 40) depth++
    else if (code === 41) depth = Math.max(0, depth - 1)
    else if (code === 123) {
      at = findClose(body, at + 1)
      start = at + 1
    } else if (code === 59 && depth === 0) {
      parts.push(body.slice(start, at))
      start = at + 1
    }
  }
  parts.push(body.slice(start))
  return parts
}

function withoutComments(css: string): string {
  if (!css.includes('/*')) return css
  let out = ''
  let at = 0
  while (at < css.length) {
    const open = css.indexOf('/*', at)
    if (open < 0) break
    out += css.slice(at, open)
    const close = css.indexOf('*/', open + 2)
    if (close < 0) return out
    at = close + 2
  }
  return out + css.slice(at)
}

/** Position of the next `{`, `;` or `}` outside strings and brackets, or -1. */
function findTop(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === 123 || code === 59 || code === 125) return at
    if (code === 34 || code === 39) at = endOfString(css, at)
    else if (code === 92) at++
  }
  return -1
}

/** Position of the `}` that closes a block whose content starts at `from`; the end of the text when it is missing. */
function findClose(css: string, from: number): number {
  let depth = 1
  for (let at = from; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === 123) depth++
    else if (code === 125) {
      if (--depth === 0) return at
    } else if (code === 34 || code === 39) at = endOfString(css, at)
    else if (code === 92) at++
  }
  return css.length
}

function endOfString(css: string, from: number): number {
  const quote = css.charCodeAt(from)
  for (let at = from + 1; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === quote || code === 10) return at
    if (code === 92) at++
  }
  return css.length
}
