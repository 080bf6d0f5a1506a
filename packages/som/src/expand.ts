import { DomosError } from '@domos/spec'
import type { Sha256 } from './identity.ts'
import { unlimitedBudgets } from './limits.ts'
import type { ModelElement } from './model.ts'
import { renderElement } from './render-element.ts'
import type { Snapshot } from './snapshot.ts'
import type { SomElement } from './som.ts'
import { charBoundary, utf8Length } from './text-cut.ts'
import { estimateTokenizer, type Tokenizer } from './tokens.ts'
import { omittedKey } from './view.ts'

/** What to continue: a cursor, or a region or element from its start. */
export interface ExpandRequest {
  /** From `som_ext.truncated`, or from the slice before. */
  readonly cursor?: string
  /** All elements of a region, from the first. */
  readonly region?: string
  /** All text, items, rows or options of an element, from the first. */
  readonly element?: string
  /** Tokens of the slice's content at most; one entry is always given. @default 2_000 */
  readonly maxTokens?: number
  /** @default {@link estimateTokenizer} */
  readonly tokenizer?: Tokenizer
  /** Only options whose text holds this, ignoring case. */
  readonly filter?: string
}

/** One slice; `cursor` is absent when it is the last. Exactly one of the content keys is set. */
export interface Slice {
  readonly region?: string
  readonly element?: string
  readonly elements?: readonly SomElement[]
  readonly text?: string
  readonly items?: readonly { readonly text: string }[]
  readonly rows?: readonly (readonly string[])[]
  /** All header cells, beside the rows of a table that has them. */
  readonly headers?: readonly string[]
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  /** Entries, or characters of text, that are still to come. */
  readonly left: number
  readonly cursor?: string
}

type Part = 'text' | 'items' | 'rows' | 'options'

/** Gives the next slice. */
export function expand<N extends object>(
  snapshot: Snapshot<N>,
  omitted: ReadonlyMap<string, readonly ModelElement<N>[]>,
  sha256: Sha256,
  request: ExpandRequest,
): Slice {
  const { documents } = snapshot.model
  if (request.cursor !== undefined) {
    const steps = request.cursor.split('/')
    const [document, name, list, offset] = steps
    const at = Number(offset)
    if (steps.length !== 4 || !Number.isSafeInteger(at) || at < 0 || documents[Number(document)] === undefined) {
      throw new DomosError('invalid_request', 'The cursor is malformed; use one that a snapshot or slice gave.')
    }
    if (list === 'text' || list === 'items' || list === 'rows' || list === 'options') {
      return slicePart(elementIn(snapshot, name as string), list, at, `${document}/${name}/${list}`, request)
    }
    if (list === 'all') {
      const region = documents[Number(document)]?.regions.find((each) => each.id === name)
      if (region === undefined) throw expired()
      return sliceElements(region.id, region.elements, at, `${document}/${name}/all`, request)
    }
    const key = `${document}/${name}`
    const elements = omitted.get(key)
    if (elements === undefined || list !== `~${omittedKey(elements, sha256)}`) throw expired()
    return sliceElements(name as string, elements, at, `${key}/${list}`, request)
  }
  if (request.element !== undefined) {
    const element = elementIn(snapshot, request.element)
    const part: Part = element.options
      ? 'options'
      : element.role === 'table'
        ? 'rows'
        : element.items
          ? 'items'
          : 'text'
    const index = documents.findIndex(({ regions }) => regions.includes(element.region))
    return slicePart(element, part, 0, `${index}/${element.id}/${part}`, request)
  }
  if (request.region !== undefined) {
    const region = snapshot.region(request.region)
    if (region === undefined) {
      throw new DomosError(
        'not_found',
        `No region has the id ${request.region.slice(0, 60)}; observe the page for current ids.`,
      )
    }
    const index = documents.findIndex(({ regions }) => regions.includes(region))
    return sliceElements(region.id, region.elements, 0, `${index}/${region.id}/all`, request)
  }
  throw new DomosError('invalid_request', 'Say what to expand: cursor, region or element.')
}

function elementIn<N extends object>(snapshot: Snapshot<N>, id: string): ModelElement<N> {
  const element = snapshot.element(id)
  if (element === undefined) throw snapshot.missing(id)
  return element
}

function expired(): DomosError {
  return new DomosError('expired', 'The cursor belongs to another view of the page; observe again for current cursors.')
}

function sliceElements<N extends object>(
  region: string,
  elements: readonly ModelElement<N>[],
  from: number,
  cursor: string,
  request: ExpandRequest,
): Slice {
  const rendered = (at: number): SomElement =>
    renderElement(elements[at] as ModelElement<N>, unlimitedBudgets, unlimitedBudgets.textChars).element
  const { taken, next } = take(elements.length, from, request, rendered)
  return {
    region,
    elements: taken,
    left: elements.length - next,
    ...(next < elements.length ? { cursor: `${cursor}/${next}` } : {}),
  }
}

function slicePart<N extends object>(
  element: ModelElement<N>,
  part: Part,
  from: number,
  cursor: string,
  request: ExpandRequest,
): Slice {
  if (part === 'text') return sliceText(element, from, cursor, request)
  const wanted = request.filter?.toLowerCase()
  const entries: readonly unknown[] =
    part === 'options'
      ? (element.options ?? []).filter((option) => wanted === undefined || option.text.toLowerCase().includes(wanted))
      : part === 'items'
        ? (element.items ?? []).map((item) => ({ text: item.text }))
        : (element.items ?? []).map((row) => (row.cells ?? []).map((cell) => cell.text))
  const { taken, next } = take(entries.length, from, request, (at) => entries[at])
  return {
    element: element.id,
    [part]: taken,
    ...(part === 'rows' && element.headers ? { headers: element.headers.map((cell) => cell.text) } : {}),
    left: entries.length - next,
    ...(next < entries.length ? { cursor: `${cursor}/${next}` } : {}),
  } as Slice
}

function sliceText<N extends object>(
  element: ModelElement<N>,
  from: number,
  cursor: string,
  request: ExpandRequest,
): Slice {
  const tokenizer = request.tokenizer ?? estimateTokenizer
  const limit = request.maxTokens ?? 2_000
  let size = Math.min(element.text.length - from, Math.max(1, limit * 4))
  let text = ''
  for (;;) {
    const end = charBoundary(element.text, from + size)
    text = element.text.slice(from, end > from ? end : from + 2)
    if (size <= 1 || tokenizer.count(text) <= limit) break
    size = Math.floor(size * 0.75)
  }
  const next = from + text.length
  return {
    element: element.id,
    text,
    left: Math.max(0, element.text.length - next),
    ...(next < element.text.length ? { cursor: `${cursor}/${next}` } : {}),
  }
}

/** Takes entries while they fit, at least one. */
function take<T>(
  length: number,
  from: number,
  request: ExpandRequest,
  entry: (at: number) => T,
): { taken: T[]; next: number } {
  const tokenizer = request.tokenizer ?? estimateTokenizer
  const limit = request.maxTokens ?? 2_000
  const taken: T[] = []
  let tokens = 0
  let at = Math.min(from, length)
  for (; at < length; at++) {
    const value = entry(at)
    const text = JSON.stringify(value)
    tokens += utf8Length(text) > limit * 16 ? limit + 1 : tokenizer.count(text) + 1
    if (tokens > limit && taken.length > 0) break
    taken.push(value)
  }
  return { taken, next: at }
}
