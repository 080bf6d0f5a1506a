import { SelectorType } from 'css-what'
import type { DocumentTree, Visibility } from '../tree.ts'
import type { Work } from '../work.ts'
import { matchesSelector } from './selector.ts'
import { type Declaration, parseDeclarations, type StyleRule, type VisibilityProperty } from './stylesheet.ts'

type Computed = Partial<Record<VisibilityProperty, string>>

const noRules: readonly StyleRule[] = []
const noDeclarations: readonly Declaration[] = []

/** Rules by the last part of their selector, so that few are tried on an element. */
class RuleIndex {
  private readonly byId = new Map<string, StyleRule[]>()
  private readonly byClass = new Map<string, StyleRule[]>()
  private readonly byTag = new Map<string, StyleRule[]>()
  private readonly anywhere: StyleRule[] = []
  private readonly byClassList = new Map<string, readonly StyleRule[]>()

  private readonly work: Work

  constructor(rules: readonly StyleRule[], work: Work) {
    this.work = work
    for (const rule of rules) this.add(rule)
  }

  /** Calls back with every rule that may match until the callback says stop. */
  some(
    tag: string,
    className: string | undefined,
    id: string | undefined,
    test: (rule: StyleRule) => boolean,
  ): boolean {
    if (this.work.left <= 0) return false
    if (className !== undefined && this.byClass.size > 0 && this.ofClassList(className).some(test)) return true
    if (id !== undefined && this.byId.size > 0 && (this.byId.get(id)?.some(test) ?? false)) return true
    return (this.byTag.size > 0 && (this.byTag.get(tag)?.some(test) ?? false)) || this.anywhere.some(test)
  }

  private ofClassList(className: string): readonly StyleRule[] {
    const cached = this.byClassList.get(className)
    if (cached !== undefined) return cached
    const found = new Set<StyleRule>()
    for (const word of className.split(/\s+/)) for (const rule of this.byClass.get(word) ?? noRules) found.add(rule)
    const result = found.size === 0 ? noRules : [...found]
    if (this.byClassList.size < 20_000) this.byClassList.set(className, result)
    return result
  }

  private add(rule: StyleRule): void {
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

/**
 * Decides what a person would see of an element from the rules of one tree scope (document or shadow root) and its
 * style attribute: specificity, order, importance and layers as CSS has them, for the properties that hide things.
 */
export class Cascade<N extends object> {
  private readonly tree: DocumentTree<N>
  private readonly all: RuleIndex
  private readonly hiding: RuleIndex
  private readonly hides: boolean
  private readonly isEmpty: boolean
  private readonly inlines = new Map<string, readonly Declaration[]>()
  private readonly work: Work

  constructor(tree: DocumentTree<N>, rules: readonly StyleRule[], work: Work) {
    this.tree = tree
    this.work = work
    const hiding = rules.filter((rule) => mayHide(rule.declarations))
    this.all = new RuleIndex(rules, work)
    this.hiding = new RuleIndex(hiding, work)
    this.hides = hiding.length > 0
    this.isEmpty = rules.length === 0
  }

  /**
   * The element's own verdict; inheritance is the caller's part, who says when something inherited may be undone here.
   * Undefined = nothing said.
   */
  verdict(
    node: N,
    tag: string,
    className: string | undefined,
    id: string | undefined,
    inheritsHiding = false,
  ): Verdict | undefined {
    const style = this.tree.attribute(node, 'style')
    if (style === undefined && (inheritsHiding ? this.isEmpty : !this.hides)) return undefined
    const inline = style === undefined ? noDeclarations : this.inline(style)
    if (!inheritsHiding && !mayHide(inline)) {
      const test = (rule: StyleRule): boolean => this.matches(node, rule)
      if (!this.hides || !this.hiding.some(tag, className, id, test)) return undefined
    }
    return judge(this.compute(node, tag, className, id, inline))
  }

  /** Where the work of this compile is spent, rules no longer match. */
  private matches(node: N, rule: StyleRule): boolean {
    return this.work.left > 0 && matchesSelector(this.tree, node, rule.selector.tokens, this.work)
  }

  private inline(style: string): readonly Declaration[] {
    const known = this.inlines.get(style)
    if (known !== undefined) return known
    const declarations = parseDeclarations(style)
    if (this.inlines.size < 2_000) this.inlines.set(style, declarations)
    return declarations
  }

  private compute(
    node: N,
    tag: string,
    className: string | undefined,
    id: string | undefined,
    inline: readonly Declaration[],
  ): Computed {
    const matched: StyleRule[] = []
    this.all.some(tag, className, id, (rule) => {
      if (this.matches(node, rule)) matched.push(rule)
      return false
    })
    matched.sort((a, b) => layer(a) - layer(b) || a.selector.specificity - b.selector.specificity || a.order - b.order)
    const computed: Computed = {}
    const important: Computed = {}
    const inlineImportant: Computed = {}
    for (const { declarations } of matched) {
      for (const { property, value, important: wins } of declarations) (wins ? important : computed)[property] = value
    }
    for (const { property, value, important: wins } of inline) (wins ? inlineImportant : computed)[property] = value
    return Object.assign(computed, important, inlineImportant)
  }
}

/** False for declarations that cannot hide anything, whatever stands beside them. */
function mayHide(declarations: readonly Declaration[]): boolean {
  let color = false
  let background = false
  for (const { property, value } of declarations) {
    switch (property) {
      case 'display':
        if (value === 'none') return true
        break
      case 'visibility':
        if (value === 'hidden' || value === 'collapse') return true
        break
      case 'content-visibility':
        if (value === 'hidden') return true
        break
      case 'opacity':
        if (Number.parseFloat(value) === 0) return true
        break
      case 'clip':
      case 'clip-path':
        return true
      case 'width':
      case 'height':
      case 'max-width':
      case 'max-height':
      case 'font-size': {
        const size = length(value)
        if (size !== undefined && size < 2) return true
        break
      }
      case 'left':
      case 'top': {
        const size = length(value)
        if (size !== undefined && size <= -999) return true
        break
      }
      case 'color':
        color = true
        break
      case 'background-color':
        background = true
        break
      default:
    }
  }
  return color && background
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
