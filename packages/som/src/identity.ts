import { type Fingerprint, fingerprintOf, matchFingerprints } from './fingerprint.ts'
import type { ModelDocument, ModelElement, ModelRegion } from './model.ts'
import { nameOf } from './model.ts'

/** A synchronous SHA-256 that gives lower-case hex. `crypto.hash('sha256', text)` in Node. */
export type Sha256 = (text: string) => string

/** Options of {@link SomIdentity}. */
export interface IdentityOptions {
  readonly sha256: Sha256
  /** `bound`: an id stays with its node while that lives; `pure`: ids follow from the document alone. @default bound */
  readonly ids: 'bound' | 'pure'
  readonly maxLostIds: number
}

/** An element that is gone: what it looked like, and in which document. */
export interface LostElement {
  readonly id: string
  readonly fingerprint: Fingerprint
  readonly generation: number
  readonly url: string
  readonly order: number
  readonly alias: number
}

/** An id bound to a node, and what the element looked like: of one that shows nothing now, or in a released document. */
export interface BoundId<N extends object> {
  readonly node: N
  readonly lost: LostElement
}

interface Pending<N extends object> {
  readonly document: ModelDocument<N>
  readonly element: ModelElement<N>
}

/**
 * Gives elements their ids. First sight: the specification's hash of origin, role, name and path. From then on the id is
 * bound to the node, whatever moves around it. When nodes are replaced, the id moves to the replacement only if that is
 * clearly the same thing and nothing else comes near; otherwise the id of what could be acted on stays lost and is never
 * given again.
 */
export class SomIdentity<N extends object> {
  generation = 0
  /** URL of the current document. */
  url = ''
  private readonly options: IdentityOptions
  /** Nodes of the current document; entries leave when their id is lost. */
  private readonly bound = new Map<N, string>()
  private readonly regions = new WeakMap<N, string>()
  private live = new Map<string, ModelElement<N>>()
  private readonly waiting = new Map<string, BoundId<N>>()
  private readonly lost = new Map<string, LostElement>()
  private root: N | undefined

  constructor(options: IdentityOptions) {
    this.options = options
  }

  /** Starts a new generation when the root is another node than before. Call before {@link assign}. */
  enter(root: N | undefined, url: string): void {
    if (root !== this.root || this.generation === 0) {
      this.generation++
      for (const element of this.live.values()) this.lose(this.lostFrom(element))
      for (const { lost } of this.waiting.values()) this.lose(lost)
      this.waiting.clear()
      this.live.clear()
      this.bound.clear()
      this.root = root
    }
    this.url = url
  }

  /** Gives ids to all elements of the documents; returns ids that moved to a replacement node. */
  assign(documents: readonly ModelDocument<N>[]): string[] {
    return this.options.ids === 'pure' ? this.assignPure(documents) : this.assignBound(documents)
  }

  /** Lets go of all nodes and gives what was bound to them. What was lost before stays remembered. */
  release(): BoundId<N>[] {
    const released = [
      ...[...this.live.values()].map((element) => ({ node: element.node, lost: this.lostFrom(element) })),
      ...this.waiting.values(),
    ]
    this.live.clear()
    this.waiting.clear()
    this.bound.clear()
    this.root = undefined
    return released
  }

  /** Binds released ids to the nodes of an equal tree; the next compile finds them there, in the same generation. */
  rebind(root: N | undefined, ids: readonly BoundId<N>[]): void {
    this.root = root
    for (const { node, lost } of ids) {
      this.bound.set(node, lost.id)
      this.waiting.set(lost.id, { node, lost })
    }
  }

  /** Gives ids to regions: `r_<role>`, then `_1`, `_2`; bound to their node like elements. */
  assignRegions(regions: readonly ModelRegion<N>[]): void {
    const used = new Set<string>()
    const waiting: ModelRegion<N>[] = []
    for (const region of regions) {
      const known = this.options.ids === 'bound' ? this.regions.get(region.node) : undefined
      if (known?.startsWith(`r_${region.role}`) && !used.has(known)) {
        region.id = known
        used.add(known)
      } else waiting.push(region)
    }
    for (const region of waiting) {
      let id = `r_${region.role}`
      for (let count = 1; used.has(id); count++) id = `r_${region.role}_${count}`
      used.add(id)
      region.id = id
      if (region.role !== 'content') this.regions.set(region.node, id)
    }
  }

  /** What is known of an id whose element is gone. */
  lostElement(id: string): LostElement | undefined {
    return this.lost.get(id)
  }

  private assignPure(documents: readonly ModelDocument<N>[]): string[] {
    const used = new Set<string>()
    this.suffixes.clear()
    let alias = 0
    let order = 0
    for (const document of documents) {
      for (const region of document.regions) {
        for (const element of region.elements) {
          element.id = this.free(this.mint(document, element), (id) => used.has(id))
          used.add(element.id)
          element.order = ++order
          if (element.interactive) element.alias = ++alias
        }
      }
    }
    return []
  }

  private assignBound(documents: readonly ModelDocument<N>[]): string[] {
    const before = this.live
    const live = new Map<string, ModelElement<N>>()
    const pending: Pending<N>[] = []
    const isFirst = before.size === 0 && this.lost.size === 0 && this.waiting.size === 0
    const renamed = isFirst ? undefined : this.renamed(documents)
    for (const document of documents) {
      for (const region of document.regions) {
        for (const element of region.elements) {
          if (isFirst) {
            this.bind(document, element, live)
            continue
          }
          const id = this.bound.get(element.node)
          if (id === undefined || live.has(id) || renamed?.has(element)) pending.push({ document, element })
          else this.keep(id, element, before, live)
        }
      }
    }
    if (!isFirst) this.part(documents, before, live, pending)
    const moved = this.reanchor(documents, pending, live)
    for (const { document, element } of pending) this.bind(document, element, live)
    this.live = live
    this.trim()
    return moved
  }

  /** The id goes on with its node. */
  private keep(
    id: string,
    element: ModelElement<N>,
    before: ReadonlyMap<string, ModelElement<N>>,
    live: Map<string, ModelElement<N>>,
  ): void {
    const known = before.get(id) ?? this.waiting.get(id)?.lost
    if (known !== undefined) {
      element.order = known.order
      element.alias = known.alias
    }
    this.waiting.delete(id)
    element.id = id
    this.number(element)
    live.set(id, element)
  }

  /** Sorts what is not shown any more: hidden for now, its id waits for its node; or gone, its id is lost. */
  private part(
    documents: readonly ModelDocument<N>[],
    before: ReadonlyMap<string, ModelElement<N>>,
    live: ReadonlyMap<string, ModelElement<N>>,
    pending: readonly Pending<N>[],
  ): void {
    const tree = documents[0]?.tree
    const asked = new Set(pending.map(({ element }) => element.node))
    const stays = (id: string, node: N): boolean =>
      this.bound.get(node) === id && tree?.connected(node) === true && !asked.has(node)
    const gone = (lost: LostElement, node: N): void => {
      if (this.bound.get(node) === lost.id) this.bound.delete(node)
      this.waiting.delete(lost.id)
      this.lose(lost)
    }
    for (const [id, { node, lost }] of this.waiting) if (!stays(id, node)) gone(lost, node)
    for (const [id, element] of before) {
      if (live.has(id)) continue
      const lost = this.lostFrom(element)
      if (stays(id, element.node)) this.waiting.set(id, { node: element.node, lost })
      else gone(lost, element.node)
    }
  }

  /** Gives an element that has none its id, and binds it to the node. */
  private bind(document: ModelDocument<N>, element: ModelElement<N>, live: Map<string, ModelElement<N>>): void {
    if (element.id === '') {
      const minted = this.mint(document, element)
      const taken = (id: string): boolean => live.has(id) || this.lost.has(id) || this.waiting.has(id)
      // Text of the same kind, words and place is the same text; only what can be acted on must never be mistaken.
      if (!element.interactive && !live.has(minted)) this.lost.delete(minted)
      element.id = this.free(minted, taken)
    }
    this.number(element)
    this.bound.set(element.node, element.id)
    live.set(element.id, element)
  }

  /**
   * Elements whose node is the same but whose name now belongs to another: pages that reuse nodes when a list is sorted
   * change texts, not nodes. Such ids follow the name, not the place.
   */
  private renamed(documents: readonly ModelDocument<N>[]): Set<ModelElement<N>> {
    const found = new Set<ModelElement<N>>()
    const changed: { element: ModelElement<N>; old: string }[] = []
    for (const { regions } of documents) {
      for (const region of regions) {
        for (const element of region.elements) {
          if (!element.interactive) continue
          const id = this.bound.get(element.node)
          const known = id === undefined ? undefined : this.live.get(id)
          if (known === undefined || known.role !== element.role) continue
          const old = nameOf(known)
          if (old !== nameOf(element) && old !== '') changed.push({ element, old: `${element.role}|${old}` })
        }
      }
    }
    if (changed.length === 0) return found
    const names = new Set<string>()
    for (const { regions } of documents) {
      for (const region of regions) {
        for (const element of region.elements) if (element.interactive) names.add(`${element.role}|${nameOf(element)}`)
      }
    }
    for (const { element, old } of changed) {
      // Fields and boxes are named by what stands around them; only text that moved speaks against the place.
      if (names.has(old)) found.add(element)
    }
    if (found.size > 0) {
      // The elements that took a name over are in question too.
      const taken = new Set(changed.map(({ old }) => old))
      for (const { element } of changed) if (taken.has(`${element.role}|${nameOf(element)}`)) found.add(element)
    }
    return found
  }

  private reanchor(
    documents: readonly ModelDocument<N>[],
    pending: readonly Pending<N>[],
    live: ReadonlyMap<string, ModelElement<N>>,
  ): string[] {
    if (pending.length === 0 || this.lost.size === 0) return []
    const fresh = pending.map(({ document, element }) => ({
      element,
      fingerprint: fingerprintOf(element),
      minted: this.mint(document, element),
    }))
    const counts = new Map<string, number>()
    for (const document of documents) {
      for (const region of document.regions) {
        for (const element of region.elements) {
          const key = `${element.role}|${nameOf(element).toLowerCase().slice(0, 100)}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
    }
    const here = pathOfUrl(this.url)
    const lost = [...this.lost.values()].filter(({ id }) => !live.has(id))
    const moved: string[] = []
    for (const { lost: old, fresh: next } of matchFingerprints(
      lost,
      fresh,
      (item) => counts.get(`${item.fingerprint.role}|${item.fingerprint.name}`) ?? 0,
      (item, candidate) =>
        item.generation === this.generation || candidate.minted === item.id || pathOfUrl(item.url) === here,
    )) {
      next.element.id = old.id
      next.element.order = old.order
      next.element.alias = old.alias
      this.lost.delete(old.id)
      moved.push(old.id)
    }
    return moved
  }

  private lostFrom(element: ModelElement<N>): LostElement {
    const { id, order, alias } = element
    return { id, fingerprint: fingerprintOf(element), generation: this.generation, url: this.url, order, alias }
  }

  private lose(lost: LostElement): void {
    this.lost.set(lost.id, lost)
  }

  private trim(): void {
    for (const id of this.lost.keys()) {
      if (this.lost.size <= this.options.maxLostIds) return
      this.lost.delete(id)
    }
  }

  /** Numbers what has not been numbered yet; a number is never given twice. */
  private number(element: ModelElement<N>): void {
    if (element.order === 0) element.order = ++this.lastOrder
    if (element.interactive && element.alias === 0) element.alias = ++this.lastAlias
  }

  private lastOrder = 0
  private lastAlias = 0
  /** Where the search for a free suffix starts, for ids that repeat often. */
  private readonly suffixes = new Map<string, number>()

  private free(id: string, taken: (id: string) => boolean): string {
    if (!taken(id)) return id
    for (let count = this.suffixes.get(id) ?? 2; ; count++) {
      if (taken(`${id}_${count}`)) continue
      if (count > 16) this.suffixes.set(id, count)
      return `${id}_${count}`
    }
  }

  private mint(document: ModelDocument<N>, element: ModelElement<N>): string {
    const name = idName(nameOf(element))
    const frame = document.frameId === '' ? '' : `${document.frameId}:`
    const key = `${originOf(document.url)}|${element.role}|${name}|${frame}${element.path}`
    return `e_${this.options.sha256(key).slice(0, 12)}`
  }
}

/** Name as it enters an id: lower case, trimmed, at most 100 code points. */
function idName(name: string): string {
  const text = (name.length > 400 ? name.slice(0, 400) : name).toLowerCase().trim()
  if (text.length <= 100) return text
  return [...text].slice(0, 100).join('').toWellFormed()
}

const origins = new Map<string, string>()

/** `scheme://host[:port]` of a URL, '' when it has none. */
export function originOf(url: string): string {
  const known = origins.get(url)
  if (known !== undefined) return known
  const match = /^([a-z][a-z\d+.-]*):\/\/(?:[^/?#]*@)?([^/?#:]*)(?::(\d*))?/i.exec(url)
  const scheme = match?.[1]?.toLowerCase()
  let origin = ''
  if (match && scheme) {
    const port = match[3]
    const plain = !port || (scheme === 'http' && port === '80') || (scheme === 'https' && port === '443')
    origin = `${scheme}://${(match[2] ?? '').toLowerCase()}${plain ? '' : `:${port}`}`
  }
  if (origins.size > 1_000) origins.clear()
  origins.set(url, origin)
  return origin
}

function pathOfUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] as string
}
