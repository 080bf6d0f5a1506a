import { SelectorType } from 'css-what'
import type { DocumentTree, Visibility } from '../tree.ts'
import { matchesSelector } from './selector.ts'
import { parseDeclarations, type StyleRule, type VisibilityProperty } from './stylesheet.ts'

type Computed = Partial<Record<VisibilityProperty, string>>

const noRules: readonly StyleRule[] = []

/**
 * Decides what a person would see of an element from the rules of one tree scope (document or shadow root) and its
 * style attribute: specificity, order, importance and layers as CSS has them, for the properties that hide things.
 */
export class Cascade<N extends object> {
  private readonly byId = new Map<string, StyleRule[]>()
  private readonly byClass = new Map<string, StyleRule[]>()
  private readonly byTag = new Map<string, StyleRule[]>()
  private readonly anywhere: StyleRule[] = []
  private readonly classCandidates = new Map<string, readonly StyleRule[]>()
  private readonly tree: DocumentTree<N>
  readonly isEmpty: boolean

  constructor(tree: DocumentTree<N>, rules: readonly StyleRule[]) {
    this.tree = tree
    this.isEmpty = rules.length === 0
    for (const rule of rules) this.index(rule)
  }

  /** The element's own verdict; inheritance is the caller's part. Undefined = nothing said. */
  verdict(node: N, tag: string, className: string | undefined, id: string | undefined): Verdict | undefined {
    const style = this.tree.attribute(node, 'style')
    if (this.isEmpty && style === undefined) return undefined
    const computed = this.compute(node, tag, className, id, style)
    return computed === undefined ? undefined : judge(computed)
  }

  private compute(
    node: N,
    tag: string,
    className: string | undefined,
    id: string | undefined,
    style: string | undefined,
  ): Computed | undefined {
    let matched: StyleRule[] | undefined
    const consider = (rules: readonly StyleRule[] | undefined): void => {
      if (rules === undefined) return
      for (const rule of rules) {
        if (!matchesSelector(this.tree, node, rule.selector.tokens)) continue
        if (matched === undefined) matched = [rule]
        else matched.push(rule)
      }
    }
    if (!this.isEmpty) {
      if (className !== undefined) consider(this.candidates(className))
      if (id !== undefined) consider(this.byId.get(id))
      consider(this.byTag.get(tag))
      if (this.anywhere.length > 0) consider(this.anywhere)
    }
    const inline = style === undefined ? undefined : parseDeclarations(style)
    if (matched === undefined && (inline === undefined || inline.length === 0)) return undefined
    const computed: Computed = {}
    const important: Computed = {}
    if (matched !== undefined) {
      const rules: StyleRule[] = matched
      if (rules.length > 1) {
        rules.sort(
          (a, b) => layer(a) - layer(b) || a.selector.specificity - b.selector.specificity || a.order - b.order,
        )
      }
      for (const rule of rules) {
        for (const { property, value, important: wins } of rule.declarations) {
          if (wins) important[property] = value
          else computed[property] = value
        }
      }
    }
    const inlineImportant: Computed = {}
    if (inline !== undefined) {
      for (const { property, value, important: wins } of inline) {
        if (wins) inlineImportant[property] = value
        else computed[property] = value
      }
    }
    return Object.assign(computed, important, inlineImportant)
  }

  private candidates(className: string): readonly StyleRule[] {
    if (this.byClass.size === 0) return noRules
    const cached = this.classCandidates.get(className)
    if (cached !== undefined) return cached
    const found = new Set<StyleRule>()
    for (const word of className.split(/\s+/)) for (const rule of this.byClass.get(word) ?? noRules) found.add(rule)
    const result = found.size === 0 ? noRules : [...found]
    if (this.classCandidates.size < 20_000) this.classCandidates.set(className, result)
    return result
  }

  private index(rule: StyleRule): void {
    let tag: string | undefined
    let className: string | undefined
    const tokens = rule.selector.tokens
    for (let at = tokens.length - 1; at >= 0; at--) {
      const token = tokens[at]
      if (token === undefined) break
      if (token.type === SelectorType.Attribute) {
        if (token.name === 'id' && token.action === 'equals') return add(this.byId, token.value, rule)
        if (token.name === 'class' && token.action === 'element') className ??= token.value
      } else if (token.type === SelectorType.Tag) tag = token.name.toLowerCase()
      else if (token.type !== SelectorType.Pseudo && token.type !== SelectorType.Universal) break
    }
    if (className !== undefined) add(this.byClass, className, rule)
    else if (tag !== undefined) add(this.byTag, tag, rule)
    else this.anywhere.push(rule)
  }
}

/** What an element's own style says. `text` = only its text is hidden, children may undo it. */
export interface Verdict {
  /** `none` = gone for everybody; `clip` = out of sight, but assistive technology still reads it. */
  readonly hides?: 'none' | 'clip'
  readonly visibility?: Visibility
  readonly text?: 'hidden' | 'shown'
}

function add(map: Map<string, StyleRule[]>, key: string, rule: StyleRule): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [rule])
  else list.push(rule)
}

function layer(rule: StyleRule): number {
  return rule.order < 0 ? 0 : 1
}

function judge(style: Computed): Verdict | undefined {
  if (style.display === 'none' || style['content-visibility'] === 'hidden') return { hides: 'none' }
  if (isClipped(style)) return { hides: 'clip' }
  const visibility = style.visibility
  const fontSize = length(style['font-size'])
  const sameColor = style.color !== undefined && style.color !== 'inherit' && style.color === style['background-color']
  if (visibility === undefined && style['font-size'] === undefined && !sameColor) return undefined
  return {
    ...(visibility === undefined || visibility === 'inherit'
      ? {}
      : { visibility: visibility === 'hidden' || visibility === 'collapse' ? 'invisible' : 'visible' }),
    ...(sameColor || (fontSize !== undefined && fontSize < 2)
      ? { text: 'hidden' as const }
      : style['font-size'] === undefined || /^[\d.]*(?:em|%)$/.test(style['font-size'])
        ? {}
        : { text: 'shown' as const }),
  }
}

function isClipped(style: Computed): boolean {
  const opacity = style.opacity
  if (opacity !== undefined && Number.parseFloat(opacity) === 0) return true
  const outOfFlow = style.position === 'absolute' || style.position === 'fixed'
  if (outOfFlow) {
    const clip = style.clip?.replace(/[\s,]+/g, ' ')
    if (clip !== undefined && /^rect\( ?(?:[01](?:px)? ?){4}\)$/.test(clip)) return true
    const left = length(style.left)
    const top = length(style.top)
    if ((left !== undefined && left <= -999) || (top !== undefined && top <= -999)) return true
  }
  const path = style['clip-path']
  if (path !== undefined && /^(?:inset\((?:50%|100%)|circle\(0)/.test(path)) return true
  if (style.overflow === 'hidden' || style.overflow === 'clip') {
    const width = length(style['max-width']) ?? length(style.width)
    const height = length(style['max-height']) ?? length(style.height)
    // A width of 0 alone is a common way to let flex items shrink, so it hides only what is out of flow.
    if (height === 0 || (width === 0 && outOfFlow)) return true
    if (width !== undefined && height !== undefined && width <= 1 && height <= 1) return true
  }
  return false
}

function length(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const match = /^(-?[\d.]+)(px|em|rem|pt|vw|vh|%)?$/.exec(value)
  if (match === null) return undefined
  const amount = Number(match[1])
  if (match[2] === undefined) return amount === 0 ? 0 : undefined
  if (match[2] === 'em' || match[2] === 'rem') return amount * 16
  return match[2] === '%' && amount !== 0 ? amount * 10 : amount
}
