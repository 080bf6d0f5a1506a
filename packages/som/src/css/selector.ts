import { parse, type Selector, SelectorType } from 'css-what'
import type { DocumentTree } from '../tree.ts'
import { nextInTree } from '../tree.ts'
import type { Work } from '../work.ts'

/** What a pseudo-class outside the supported set does: never match (style rules) or refuse (queries). */
export type UnknownPseudo = 'never' | 'throw'

/** One selector of a list, parsed, with its specificity as one number. */
export interface CompiledSelector {
  readonly tokens: readonly Selector[]
  readonly specificity: number
}

/** Thrown by {@link compileSelector} for text that is no selector, or one this matcher does not know. */
export class SelectorError extends Error {}

const maxHasNodes = 20_000

/** Parses a selector list. @throws SelectorError when it is malformed, or unsupported and `unknown` is `throw` */
export function compileSelector(text: string, unknown: UnknownPseudo = 'throw'): CompiledSelector[] {
  let parsed: Selector[][]
  try {
    parsed = parse(text)
  } catch (cause) {
    throw new SelectorError(cause instanceof Error ? cause.message : 'not a selector', { cause })
  }
  const compiled: CompiledSelector[] = []
  for (const tokens of parsed) {
    const problem = unsupported(tokens)
    if (problem === undefined) compiled.push({ tokens, specificity: specificityOf(tokens) })
    else if (unknown === 'throw') throw new SelectorError(`${problem} is not supported in a selector`)
  }
  return compiled
}

/** True when the node matches one of the selectors. `host` bounds ancestor combinators (a shadow root's host). */
export function matchesAny<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  selectors: readonly CompiledSelector[],
): boolean {
  for (const selector of selectors) if (matchesSelector(tree, node, selector.tokens)) return true
  return false
}

/** True when the node matches the selector. */
export function matchesSelector<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  tokens: readonly Selector[],
  work?: Work,
): boolean {
  const steps: Steps = { left: 2_000, spent: 1 }
  const matches = matchFrom(tree, node, tokens, tokens.length - 1, steps)
  if (work !== undefined) work.left -= steps.spent
  return matches
}

interface Steps {
  /** What one selector may still look around. */
  left: number
  /** What it has cost so far. */
  spent: number
}

function matchFrom<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  tokens: readonly Selector[],
  from: number,
  steps: Steps,
): boolean {
  let index = from
  for (; index >= 0; index--) {
    const token = tokens[index] as Selector
    switch (token.type) {
      case SelectorType.Descendant: {
        let ancestor = parentElement(tree, node)
        while (ancestor !== undefined && steps.left-- > 0) {
          steps.spent++
          if (matchFrom(tree, ancestor, tokens, index - 1, steps)) return true
          ancestor = parentElement(tree, ancestor)
        }
        return false
      }
      case SelectorType.Child: {
        const parent = parentElement(tree, node)
        return parent !== undefined && matchFrom(tree, parent, tokens, index - 1, steps)
      }
      case SelectorType.Adjacent: {
        const sibling = previousElement(tree, node)
        return sibling !== undefined && matchFrom(tree, sibling, tokens, index - 1, steps)
      }
      case SelectorType.Sibling: {
        let sibling = previousElement(tree, node)
        while (sibling !== undefined && steps.left-- > 0) {
          steps.spent++
          if (matchFrom(tree, sibling, tokens, index - 1, steps)) return true
          sibling = previousElement(tree, sibling)
        }
        return false
      }
      default:
        if (!matchesSimple(tree, node, token, steps)) return false
    }
  }
  return true
}

function matchesSimple<N extends object>(tree: DocumentTree<N>, node: N, token: Selector, steps: Steps): boolean {
  switch (token.type) {
    case SelectorType.Universal:
      return true
    case SelectorType.Tag:
      return tree.tag(node).toLowerCase() === token.name.toLowerCase()
    case SelectorType.Attribute:
      return matchesAttribute(tree.attribute(node, token.name.toLowerCase()), token)
    case SelectorType.Pseudo:
      return matchesPseudo(tree, node, token.name, token.data, steps)
    default:
      return false
  }
}

function matchesAttribute(
  actual: string | undefined,
  token: Extract<Selector, { type: SelectorType.Attribute }>,
): boolean {
  if (actual === undefined) return token.action === 'not'
  let have = actual
  let want = token.value
  if (token.ignoreCase === true) {
    have = have.toLowerCase()
    want = want.toLowerCase()
  }
  switch (token.action) {
    case 'exists':
      return true
    case 'equals':
      return have === want
    case 'element':
      return want !== '' && hasToken(have, want)
    case 'start':
      return want !== '' && have.startsWith(want)
    case 'end':
      return want !== '' && have.endsWith(want)
    case 'any':
      return want !== '' && have.includes(want)
    case 'hyphen':
      return have === want || have.startsWith(`${want}-`)
    case 'not':
      return have !== want
    default:
      return false
  }
}

function hasToken(list: string, word: string): boolean {
  let at = list.indexOf(word)
  while (at >= 0) {
    const end = at + word.length
    const startsToken = at === 0 || isSpace(list.charCodeAt(at - 1))
    if (startsToken && (end === list.length || isSpace(list.charCodeAt(end)))) return true
    at = list.indexOf(word, at + 1)
  }
  return false
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

const simplePseudos = new Set([
  'root',
  'empty',
  'first-child',
  'last-child',
  'only-child',
  'first-of-type',
  'last-of-type',
  'only-of-type',
  'link',
  'any-link',
  'checked',
  'disabled',
  'enabled',
  'required',
  'optional',
  'scope',
])
const neverPseudos = new Set([
  'hover',
  'focus',
  'focus-within',
  'focus-visible',
  'active',
  'target',
  'visited',
  'popover-open',
  'modal',
  'fullscreen',
  'autofill',
  'host',
  'host-context',
  'placeholder-shown',
  'invalid',
  'user-invalid',
  'playing',
])
const listPseudos = new Set(['not', 'is', 'where', 'matches', 'has', '-webkit-any', '-moz-any'])
const nthPseudos = new Set(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'])

function unsupported(tokens: readonly Selector[]): string | undefined {
  for (const token of tokens) {
    if (token.type === SelectorType.PseudoElement) return `::${token.name}`
    if (token.type === SelectorType.Parent || token.type === SelectorType.ColumnCombinator) return token.type
    if (token.type !== SelectorType.Pseudo) continue
    if (listPseudos.has(token.name) && Array.isArray(token.data)) {
      // `:is` and `:where` forgive unknown members, the others do not.
      for (const inner of token.data) {
        const problem = unsupported(inner)
        if (problem !== undefined && (token.name === 'not' || token.name === 'has')) return problem
      }
      continue
    }
    if (nthPseudos.has(token.name) && parseNth(token.data) !== undefined) continue
    if (!simplePseudos.has(token.name) && !neverPseudos.has(token.name)) return `:${token.name}`
  }
  return undefined
}

function matchesPseudo<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  name: string,
  data: string | Selector[][] | null,
  steps: Steps,
): boolean {
  switch (name) {
    case 'root':
    case 'scope':
      return node === tree.root
    case 'empty': {
      const child = tree.firstChild(node)
      return child === undefined
    }
    case 'first-child':
      return previousElement(tree, node) === undefined
    case 'last-child':
      return nextElement(tree, node) === undefined
    case 'only-child':
      return previousElement(tree, node) === undefined && nextElement(tree, node) === undefined
    case 'first-of-type':
      return position(tree, node, true, false, steps) === 1
    case 'last-of-type':
      return position(tree, node, true, true, steps) === 1
    case 'only-of-type':
      return position(tree, node, true, false, steps) === 1 && position(tree, node, true, true, steps) === 1
    case 'nth-child':
    case 'nth-last-child':
    case 'nth-of-type':
    case 'nth-last-of-type': {
      const nth = parseNth(data)
      if (nth === undefined) return false
      const at = position(tree, node, name.endsWith('of-type'), name.includes('last'), steps)
      const [step, offset] = nth
      if (step === 0) return at === offset
      return (at - offset) % step === 0 && (at - offset) / step >= 0
    }
    case 'link':
    case 'any-link':
      return tree.tag(node) === 'a' && tree.attribute(node, 'href') !== undefined
    case 'checked':
      if (tree.tag(node) === 'option') {
        return tree.selected?.(node) ?? tree.attribute(node, 'selected') !== undefined
      }
      return tree.checked?.(node) ?? tree.attribute(node, 'checked') !== undefined
    case 'disabled':
      return tree.attribute(node, 'disabled') !== undefined
    case 'enabled':
      return tree.attribute(node, 'disabled') === undefined
    case 'required':
      return tree.attribute(node, 'required') !== undefined
    case 'optional':
      return tree.attribute(node, 'required') === undefined
    case 'not':
      return Array.isArray(data) && !data.some((inner) => matchFrom(tree, node, inner, inner.length - 1, steps))
    case 'has':
      return Array.isArray(data) && data.some((inner) => hasMatch(tree, node, inner, steps))
    default:
      if (!listPseudos.has(name) || !Array.isArray(data)) return false
      return data.some(
        (inner) => unsupported(inner) === undefined && matchFrom(tree, node, inner, inner.length - 1, steps),
      )
  }
}

function hasMatch<N extends object>(tree: DocumentTree<N>, node: N, inner: readonly Selector[], steps: Steps): boolean {
  // A leading combinator is relative to the node itself; only the child and descendant forms are decided here.
  const first = inner[0]
  const childOnly = first?.type === SelectorType.Child
  const tokens = first?.type === SelectorType.Child || first?.type === SelectorType.Descendant ? inner.slice(1) : inner
  let left = maxHasNodes
  for (let at = nextInTree(tree, node, node); at !== undefined && left-- > 0; at = nextInTree(tree, at, node)) {
    steps.spent++
    if (tree.kind(at) !== 'element' || (childOnly && tree.parent(at) !== node)) continue
    if (matchFrom(tree, at, tokens, tokens.length - 1, steps)) return true
  }
  return false
}

function parseNth(data: string | Selector[][] | null): [number, number] | undefined {
  if (typeof data !== 'string') return undefined
  const text = data.trim().toLowerCase()
  if (text === 'odd') return [2, 1]
  if (text === 'even') return [2, 0]
  if (/^[+-]?\d+$/.test(text)) return [0, Number(text)]
  const match = /^([+-]?\d*)n\s*(?:([+-])\s*(\d+))?$/.exec(text)
  if (match === null) return undefined
  const step = match[1] === '' || match[1] === '+' ? 1 : match[1] === '-' ? -1 : Number(match[1])
  return [step, match[3] === undefined ? 0 : Number(`${match[2]}${match[3]}`)]
}

function position<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  sameType: boolean,
  fromEnd: boolean,
  steps: Steps,
): number {
  const tag = tree.tag(node)
  let count = 1
  let sibling = fromEnd ? nextElement(tree, node) : previousElement(tree, node)
  while (sibling !== undefined && steps.left-- > -100_000) {
    steps.spent++
    if (!sameType || tree.tag(sibling) === tag) count++
    sibling = fromEnd ? nextElement(tree, sibling) : previousElement(tree, sibling)
  }
  return count
}

function parentElement<N extends object>(tree: DocumentTree<N>, node: N): N | undefined {
  const parent = tree.parent(node)
  return parent !== undefined && tree.kind(parent) === 'element' ? parent : undefined
}

function previousElement<N extends object>(tree: DocumentTree<N>, node: N): N | undefined {
  let sibling = tree.previousSibling(node)
  while (sibling !== undefined && tree.kind(sibling) !== 'element') sibling = tree.previousSibling(sibling)
  return sibling
}

function nextElement<N extends object>(tree: DocumentTree<N>, node: N): N | undefined {
  let sibling = tree.nextSibling(node)
  while (sibling !== undefined && tree.kind(sibling) !== 'element') sibling = tree.nextSibling(sibling)
  return sibling
}

function specificityOf(tokens: readonly Selector[]): number {
  let sum = 0
  for (const token of tokens) {
    if (token.type === SelectorType.Tag) sum += 1
    else if (token.type === SelectorType.Attribute) {
      sum += token.name === 'id' && token.action === 'equals' ? 1_000_000 : 1_000
    } else if (token.type === SelectorType.Pseudo) {
      if (token.name === 'where') continue
      if (Array.isArray(token.data) && listPseudos.has(token.name)) {
        sum += Math.max(0, ...token.data.map(specificityOf))
      } else sum += 1_000
    }
  }
  return sum
}
