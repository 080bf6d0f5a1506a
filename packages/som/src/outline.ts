import { DomosError } from '@domos/spec'
import type { ModelElement, ModelItem, ModelRegion, Run, Span } from './model.ts'
import { charBoundary } from './text-cut.ts'
import { estimateTokenizer, type Tokenizer } from './tokens.ts'
import type { Model } from './view.ts'

/** Options of an outline. */
export interface OutlineOptions {
  /** `full`: text and controls; `interactive`: what can be acted on, one a line. @default full */
  readonly mode?: 'full' | 'interactive'
  /** Print link targets behind the links. Without, a link is reached by its alias. @default false */
  readonly targets?: boolean
  /** Only these regions, by id. @default all */
  readonly regions?: readonly string[]
  /** Ceiling in tokens for the page of text; the rest follows by cursor. At least 64. @default no ceiling */
  readonly maxTokens?: number
  /** @default {@link estimateTokenizer} */
  readonly tokenizer?: Tokenizer
  /** From the page before. */
  readonly cursor?: string
}

/** A page of an outline. */
export interface OutlinePage {
  readonly text: string
  /** Present when lines are left. */
  readonly cursor?: string
  readonly linesLeft: number
}

const maxOptions = 12

/**
 * The page as lines for a model: `## heading`, `- item`, `a | b` for rows, and in the running text every element that can
 * be acted on as `[alias name]`, with its kind before the name unless it is a link. Aliases are accepted wherever ids are.
 */
export function outline<N extends object>(model: Model<N>, options: OutlineOptions = {}): OutlinePage {
  const lines = outlineLines(model, options)
  const cursor = options.cursor === undefined ? ['', '0'] : /^l(\d{1,9})(?:\.(\d{1,9}))?$/.exec(options.cursor)
  const from = Number(cursor?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(from) || from > lines.length) {
    throw new DomosError('invalid_request', 'The outline cursor is malformed; use one that an outline gave.')
  }
  const rest = lines.slice(from)
  const offset = Number(cursor?.[2] ?? 0)
  if (offset > 0 && rest[0] !== undefined) rest[0] = rest[0].slice(offset)
  if (options.maxTokens === undefined) return { text: rest.join('\n'), linesLeft: 0 }
  return fitLines(rest, from, offset, Math.max(64, options.maxTokens), options.tokenizer ?? estimateTokenizer)
}

/** Takes lines while they fit; a single line that is too long is cut, and the cursor points into it. */
function fitLines(
  lines: readonly string[],
  firstLine: number,
  firstOffset: number,
  maxTokens: number,
  tokenizer: Tokenizer,
): OutlinePage {
  const page = (taken: readonly string[], left: number, cursor: string): OutlinePage =>
    left === 0
      ? { text: taken.join('\n'), linesLeft: 0 }
      : { text: [...taken, `[${left} more lines: cursor ${cursor}]`].join('\n'), cursor, linesLeft: left }
  const reserve = tokenizer.count(`\n[${lines.length} more lines: cursor l999999.99999]`) + 2
  let count = 0
  let tokens = 0
  while (count < lines.length) {
    tokens += tokenizer.count(`${lines[count]}\n`)
    if (tokens > maxTokens - reserve) break
    count++
  }
  // Tokens of parts need not add up to tokens of the whole, so the whole is what is checked.
  for (; count > 0; count--) {
    const candidate = page(lines.slice(0, count), lines.length - count, `l${firstLine + count}`)
    if (tokenizer.count(candidate.text) <= maxTokens) return candidate
  }
  const line = lines[0] ?? ''
  let size = Math.min(line.length, maxTokens * 4)
  for (;;) {
    const space = line.lastIndexOf(' ', size)
    const at = Math.max(1, charBoundary(line, space > size / 2 ? space : size))
    const candidate = page([line.slice(0, at)], lines.length, `l${firstLine}.${firstOffset + at}`)
    if (size <= 2 || tokenizer.count(candidate.text) <= maxTokens) return candidate
    size = Math.floor(size * 0.75)
  }
}

function outlineLines<N extends object>(model: Model<N>, options: OutlineOptions): string[] {
  const lines: string[] = []
  for (const document of model.documents) {
    const title = document.title === '' ? document.url : `${document.title} ${document.url}`
    lines.push(document.frameId === '' ? title : `frame ${document.frameId} ${title}`)
    for (const region of document.regions) {
      if (options.regions !== undefined && !options.regions.includes(region.id)) continue
      const body = options.mode === 'interactive' ? interactiveLines(region, options) : regionLines(region, options)
      if (body.length === 0) continue
      lines.push(regionTitle(region), ...body)
    }
  }
  return lines
}

function regionTitle<N extends object>(region: ModelRegion<N>): string {
  const label = region.label === '' ? '' : ` ${region.label}`
  return `= ${region.id.slice(2)}${label}${region.role === 'dialog' && !region.open ? ' (closed)' : ''}`
}

function interactiveLines<N extends object>(region: ModelRegion<N>, options: OutlineOptions): string[] {
  const lines: string[] = []
  for (const element of region.elements) {
    if (element.interactive) lines.push(`${element.alias} ${describe(element)}${target(element, options)}`)
  }
  return lines
}

function regionLines<N extends object>(region: ModelRegion<N>, options: OutlineOptions): string[] {
  const lines: string[] = []
  let line: object | undefined
  const late: Late<N>[] = []
  for (const element of region.elements) {
    if (element.inside !== undefined && !element.inside.dead) continue
    const marked =
      element.line !== undefined && element.line === line && !isBlock(element) ? mark(element, options) : ''
    if (marked !== '') lines[lines.length - 1] += ` ${marked}`
    else block(element, { options, lines, late }, 0)
    for (let next = late.pop(); next !== undefined; next = late.pop())
      block(next.element, { options, lines, late }, next.depth)
    line = element.line
  }
  return lines
}

interface Late<N extends object> {
  readonly element: ModelElement<N>
  readonly depth: number
}

interface Output<N extends object> {
  readonly options: OutlineOptions
  readonly lines: string[]
  /** What is nested too deep to go into at once; written after the block it stands in. */
  readonly late: Late<N>[]
}

const maxDepth = 32
const maxIndent = 12

function block<N extends object>(element: ModelElement<N>, output: Output<N>, depth: number): void {
  const { options, lines } = output
  const indent = '  '.repeat(Math.min(depth, maxIndent))
  const enter = (inner: ModelElement<N>): void => {
    if (depth % maxDepth === maxDepth - 1) output.late.push({ element: inner, depth: depth + 1 })
    else block(inner, output, depth + 1)
  }
  const add = (prefix: string, run: Run<N>): void => {
    const { text, blocks } = inline(run, options)
    if (text !== '') lines.push(`${indent}${prefix}${text}`)
    for (const inner of blocks) enter(inner)
  }
  switch (element.role) {
    case 'heading':
      add(`${'#'.repeat(Number(element.attrs['level'] ?? 2))} `, element.text === '' ? named(element) : element)
      return
    case 'paragraph':
      add('', element)
      return
    case 'list': {
      if (element.label !== '') lines.push(`${indent}${element.label}:`)
      const ordered = element.attrs['ordered'] === true
      for (const [index, item] of (element.items ?? []).entries()) add(ordered ? `${index + 1}. ` : '- ', item)
      return
    }
    case 'table':
      if (element.label !== '') add('', { text: `${element.label}:`, spans: element.spans })
      if (element.headers) add('| ', cells(element.headers))
      for (const row of element.items ?? []) add('', cells((row as ModelItem<N>).cells ?? []))
      return
    case 'separator':
      return
    case 'section':
    case 'group':
      if (element.label !== '') lines.push(`${indent}(${element.label})${marksInside(element, options)}`)
      break
    default:
      lines.push(`${indent}${mark(element, options)}`)
  }
  for (const { element: inner } of element.spans ?? []) if (isListing(inner)) enter(inner)
}

function named<N extends object>(element: ModelElement<N>): Run<N> {
  return { text: element.label, spans: element.spans }
}

/** Joins the cells of a row to one run. */
function cells<N extends object>(row: readonly Run<N>[]): Run<N> {
  let text = ''
  const spans: Span<N>[] = []
  let first = true
  for (const cell of row) {
    if (cell.repeats) continue
    if (!first) text += ' | '
    first = false
    for (const { start, end, element } of cell.spans ?? []) {
      spans.push({ start: start + text.length, end: end + text.length, element })
    }
    text += cell.text
  }
  return { text: /[^ |]/.test(text) || spans.length > 0 ? text : '', spans }
}

/** Lists and tables are written as lines of their own, wherever they stand. */
function isListing<N extends object>(element: ModelElement<N>): boolean {
  return element.role === 'list' || element.role === 'table'
}

function isBlock<N extends object>(element: ModelElement<N>): boolean {
  return (
    element.role === 'list' ||
    element.role === 'table' ||
    element.role === 'details' ||
    element.role === 'group' ||
    element.role === 'section'
  )
}

/** Text of a run with the elements in it marked; lists and tables in it follow as blocks. */
function inline<N extends object>(
  run: Run<N>,
  options: OutlineOptions,
  depth = 0,
): { text: string; blocks: ModelElement<N>[] } {
  const blocks: ModelElement<N>[] = []
  if (run.spans === undefined || run.spans.length === 0) return { text: run.text, blocks }
  let text = ''
  let at = 0
  for (const { start, end, element } of run.spans) {
    if (element.dead || element.role === 'separator') continue
    text += run.text.slice(at, start)
    at = Math.max(at, end)
    if (isBlock(element)) blocks.push(element)
    else if (element.role === 'heading' && depth < maxDepth) {
      const inner = inline(element, options, depth + 1)
      text += inner.text
      blocks.push(...inner.blocks)
    } else {
      if (text !== '' && !/[\s([]$/.test(text)) text += ' '
      text += mark(element, options)
      if (start === end && /^\S/.test(run.text.slice(at))) text += ' '
    }
  }
  text += run.text.slice(at)
  return { text: text.trim(), blocks }
}

function mark<N extends object>(element: ModelElement<N>, options: OutlineOptions): string {
  if (element.role === 'heading') return `${element.text || element.label}${marksInside(element, options)}`
  if (element.role === 'image') {
    const name = element.label || String(element.attrs['alt'] ?? '')
    return name === '' ? '' : `(image ${name})`
  }
  if (element.role === 'iframe') return `(frame ${element.label || String(element.attrs['src'] ?? '')})`
  return `[${element.alias} ${describe(element)}]${target(element, options)}${marksInside(element, options)}`
}

/** What can be acted on inside an element that is one mark itself, such as a link in a summary. */
function marksInside<N extends object>(element: ModelElement<N>, options: OutlineOptions): string {
  let text = ''
  const open = [...(element.spans ?? [])].reverse()
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const inner = span.element
    if (inner.dead || isListing(inner)) continue
    if (inner.interactive) text += ` [${inner.alias} ${describe(inner)}]${target(inner, options)}`
    if (inner.spans !== undefined) open.push(...inner.spans.toReversed())
  }
  return text
}

function target<N extends object>(element: ModelElement<N>, options: OutlineOptions): string {
  const href = element.attrs['href']
  return options.targets && typeof href === 'string' && href !== '' ? `(${href})` : ''
}

/** Kind, name and state of something that can be acted on. */
function describe<N extends object>(element: ModelElement<N>): string {
  const { attrs } = element
  const parts: string[] = []
  const kind = kindOf(element)
  if (kind !== '') parts.push(kind)
  parts.push(nameIn(element))
  const value = attrs['value']
  if (element.role === 'text_input' || element.role === 'textarea') {
    if (element.ext.value_state !== undefined) parts.push(element.ext.value_state === 'filled' ? '=***' : '')
    else if (typeof value === 'string')
      parts.push(`=${value.length > 200 ? `${value.slice(0, 200).toWellFormed()}...` : value}`)
  }
  if (element.options !== undefined) {
    const chosen = element.options.filter((option) => option.selected).map((option) => option.text)
    const rest = element.options.length - maxOptions
    const shown = element.options.slice(0, maxOptions).map((option) => option.text)
    parts.push(`=${chosen.join(',')}: ${shown.join('|')}${rest > 0 ? ` +${rest}` : ''}`)
  }
  if (attrs['checked'] === true) parts.push('(checked)')
  if (attrs['disabled'] === true || attrs['inert'] === true) parts.push('(disabled)')
  if (attrs['required'] === true) parts.push('(required)')
  if (element.role === 'details' && attrs['open'] === false) parts.push('(closed)')
  const aria = attrs['aria']
  if (typeof aria === 'object' && 'expanded' in aria)
    parts.push(aria['expanded'] === true ? '(expanded)' : '(collapsed)')
  if (typeof aria === 'object' && ('selected' in aria || 'pressed' in aria || 'current' in aria)) {
    if (aria['selected'] === true || aria['pressed'] === true) parts.push('(selected)')
    else if (aria['current']) parts.push('(current)')
  }
  return parts.filter((part) => part !== '').join(' ')
}

function nameIn<N extends object>(element: ModelElement<N>): string {
  if (element.label === '') return element.text
  if (element.text === '' || element.label.includes(element.text)) return element.label
  return `${element.text} (${element.label})`
}

function kindOf<N extends object>(element: ModelElement<N>): string {
  switch (element.role) {
    case 'link':
      return ''
    case 'text_input': {
      const type = element.attrs['input_type']
      return typeof type === 'string' && type !== 'text' && type !== 'search' ? `input:${type}` : 'input'
    }
    case 'button': {
      const source = element.attrs['source_role']
      return typeof source === 'string' && source !== 'button' ? source : 'button'
    }
    default:
      return element.role
  }
}
