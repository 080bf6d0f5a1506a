import type { JsonObject } from '@domos/spec'
import type { Sha256 } from './identity.ts'
import { originOf } from './identity.ts'
import type { SomBudgets } from './limits.ts'
import type { ModelDocument, ModelElement, ModelRegion } from './model.ts'
import { type PartCut, renderElement, renderExt } from './render-element.ts'
import { selectElements, summaryOf } from './select-elements.ts'
import type { ElementExt, FrameExt, Som, SomDocument, SomElement, SomExt, SomRegion, Truncation } from './som.ts'
import { utf8Length } from './text-cut.ts'

/** The whole page as compiled, top document first, then its frames. */
export interface Model<N extends object> {
  readonly documents: readonly ModelDocument<N>[]
  readonly generation: number
  readonly reanchored: readonly string[]
  readonly page: JsonObject | undefined
  readonly focused: N | undefined
  /** The document was too much work: some style rules or names were left out. */
  readonly isHeavy: boolean
}

/** What decides a view beside the model. */
export interface RenderOptions<N extends object> {
  readonly budgets: SomBudgets
  readonly sha256: Sha256
  /** Elements that fit a size limit; all when absent. */
  readonly allowed?: ReadonlySet<ModelElement<N>>
  /** Leave structured data out because it does not fit. */
  readonly dropStructuredData?: boolean
}

/** A rendered document and the elements each region leaves out, by `<document>/<region id>`. */
export interface Rendered<N extends object> {
  readonly document: SomDocument
  readonly omitted: ReadonlyMap<string, readonly ModelElement<N>[]>
}

/** Renders the model under budgets. Same model and options, same bytes. */
export function render<N extends object>(model: Model<N>, options: RenderOptions<N>): Rendered<N> {
  const omitted = new Map<string, readonly ModelElement<N>[]>()
  const parts = model.documents.map((document, index) => renderDocument(document, index, options, omitted))
  const [top, ...inner] = parts
  const first = model.documents[0]
  if (top === undefined || first === undefined) throw new Error('a model has at least its top document')
  const frames = inner.map((part, at) => {
    const document = model.documents[at + 1] as ModelDocument<N>
    return frameExt(model, document, part)
  })
  // Only what this view shows: a reference to anything else says so when it is used.
  const reanchored = model.reanchored.filter((id) => parts.some(({ shown }) => shown.has(id)))
  const blocking = first.regions.filter((region) => region.modal && region.open).map((region) => region.id)
  const focused = model.focused === undefined ? undefined : idOfNode(model, model.focused)
  const page = { ...model.page, ...(focused === undefined ? {} : { focused }) }
  const ext: SomExt = {
    version: 1,
    generation: model.generation,
    ...(first.baseUrl === first.url ? {} : { base_url: first.baseUrl }),
    ...(model.isHeavy ? { incomplete: 'work' as const } : {}),
    ...(first.hidden.size === 0
      ? {}
      : { hidden: Object.fromEntries([...first.hidden].sort(([a], [b]) => (a < b ? -1 : 1))) }),
    ...(blocking.length === 0 ? {} : { blocking }),
    ...(top.elements === undefined ? {} : { elements: top.elements }),
    ...(frames.length === 0 ? {} : { frames }),
    ...(reanchored.length === 0 ? {} : { reanchored }),
    ...(top.truncated.length === 0 ? {} : { truncated: top.truncated }),
    ...(Object.keys(page).length === 0 ? {} : { page }),
  }
  return { document: { som: top.som, som_ext: ext }, omitted }
}

function frameExt<N extends object>(
  model: Model<N>,
  document: ModelDocument<N>,
  part: ReturnType<typeof renderDocument>,
): FrameExt {
  const host = document.hostNode === undefined ? undefined : idOfNode(model, document.hostNode)
  return {
    frame_id: document.frameId,
    ...(host === undefined ? {} : { host_element: host }),
    ...(document.parentFrameId === undefined || document.parentFrameId === ''
      ? {}
      : { parent_frame: document.parentFrameId }),
    url: document.url,
    origin: originOf(document.url),
    som: part.som,
    ...(part.truncated.length === 0 ? {} : { truncated: part.truncated }),
    ...(part.elements === undefined ? {} : { elements: part.elements }),
  }
}

function idOfNode<N extends object>(model: Model<N>, node: N): string | undefined {
  for (const { regions } of model.documents) {
    for (const region of regions) for (const element of region.elements) if (element.node === node) return element.id
  }
  return undefined
}

function renderDocument<N extends object>(
  document: ModelDocument<N>,
  index: number,
  options: RenderOptions<N>,
  omittedByRegion: Map<string, readonly ModelElement<N>[]>,
): {
  som: Som
  truncated: Truncation[]
  elements: Record<string, ElementExt> | undefined
  shown: ReadonlySet<string>
} {
  const { budgets } = options
  const truncated: Truncation[] = []
  const ext: { element: ModelElement<N>; value: ElementExt }[] = []
  const regions: SomRegion[] = []
  const shown = new Set<string>()
  let elementCount = 0
  let interactiveCount = 0
  let summaries = 0
  for (const region of document.regions) {
    const selection = selectElements(region, budgets, options.allowed)
    const elements: SomElement[] = []
    const cuts = new Map<PartCut['part'], { count: number; elements: string[] }>()
    let paragraphs = 0
    for (const element of selection.shown) {
      let chars = budgets.textChars
      if (element.role === 'paragraph') {
        chars = paragraphs++ === 0 ? budgets.firstParagraphChars : budgets.laterParagraphChars
      }
      const rendered = renderElement(element, budgets, chars)
      elements.push(rendered.element)
      shown.add(element.id)
      if (element.interactive) interactiveCount++
      for (const cut of rendered.cuts) {
        const known = cuts.get(cut.part)
        if (known === undefined) cuts.set(cut.part, { count: cut.total - cut.shown, elements: [element.id] })
        else {
          known.count += cut.total - cut.shown
          known.elements.push(element.id)
        }
      }
      const value = renderExt(element, budgets)
      if (value !== undefined) ext.push({ element, value })
    }
    for (const [part, cut] of cuts) truncated.push({ region: region.id, part, ...cut })
    if (selection.omitted.length > 0) {
      const summary = summaryOf(selection.reasons)
      elements.push({ id: `e_summary_${++summaries}`, role: 'paragraph', text: summary })
      const key = `${index}/${region.id}`
      omittedByRegion.set(key, selection.omitted)
      truncated.push(regionCut(region, selection.omitted, key, options.sha256))
    }
    if (elements.length === 0) continue
    elementCount += elements.length
    regions.push(renderRegion(region, elements))
  }
  // In order of first sight, so that later compiles only append.
  ext.sort((a, b) => a.element.order - b.element.order)
  return {
    som: finish(document, regions, elementCount, interactiveCount, options),
    truncated,
    shown,
    elements: ext.length === 0 ? undefined : Object.fromEntries(ext.map(({ element, value }) => [element.id, value])),
  }
}

function regionCut<N extends object>(
  region: ModelRegion<N>,
  omitted: readonly ModelElement<N>[],
  key: string,
  sha256: Sha256,
): Truncation {
  const kinds: Record<string, number> = {}
  for (const { role } of omitted) kinds[role] = (kinds[role] ?? 0) + 1
  const first = region.elements.indexOf(omitted[0] as ModelElement<N>)
  const after = region.elements[first - 1]
  return {
    region: region.id,
    ...(after === undefined ? {} : { after: after.id }),
    count: omitted.length,
    kinds: Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))),
    cursor: `${key}/~${omittedKey(omitted, sha256)}/0`,
  }
}

/** Names a list of left-out elements, so that a cursor into another list is found out. */
export function omittedKey<N extends object>(omitted: readonly ModelElement<N>[], sha256: Sha256): string {
  return sha256(omitted.map((element) => element.id).join(' ')).slice(0, 8)
}

/** A region as it travels, with the given elements. */
export function renderRegion<N extends object>(region: ModelRegion<N>, elements: readonly SomElement[]): SomRegion {
  return {
    id: region.id,
    role: region.role,
    ...(region.label === '' ? {} : { label: region.label }),
    ...region.form,
    elements,
  }
}

function finish<N extends object>(
  document: ModelDocument<N>,
  regions: SomRegion[],
  elementCount: number,
  interactiveCount: number,
  options: RenderOptions<N>,
): Som {
  const meta = {
    html_bytes: document.htmlBytes,
    som_bytes: 0,
    element_count: elementCount,
    interactive_count: interactiveCount,
  }
  const data = options.dropStructuredData ? undefined : document.structuredData
  const som: Som = {
    som_version: '0.1',
    url: document.url,
    title: document.title,
    lang: document.lang,
    regions,
    meta,
    ...(data === undefined ? {} : { structured_data: data }),
  }
  // The size counts its own digits.
  const base = utf8Length(JSON.stringify(som)) - 1
  let size = base + String(base).length
  while (base + String(size).length !== size) size = base + String(size).length
  meta.som_bytes = size
  return som
}
