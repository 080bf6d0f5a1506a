import { DomosError } from '@domos/spec'
import { type ExpandRequest, expand, type Slice } from './expand.ts'
import { renderWithin } from './fit.ts'
import type { Sha256, SomIdentity } from './identity.ts'
import type { SomBudgets } from './limits.ts'
import type { ModelElement, ModelRegion } from './model.ts'
import { type OutlineOptions, type OutlinePage, outline } from './outline.ts'
import type { SomDocument } from './som.ts'
import { estimateTokenizer, type Tokenizer } from './tokens.ts'
import { type Model, type Rendered, render } from './view.ts'

/** What a view may be limited to. */
export interface ViewOptions {
  /** @default the compiler's budgets */
  readonly budgets?: Partial<SomBudgets>
  /** Ceiling for the JSON of `{som, som_ext}` in bytes of UTF-8. */
  readonly maxBytes?: number
  /** Ceiling for the JSON of `{som, som_ext}` in tokens. */
  readonly maxTokens?: number
  /** @default {@link estimateTokenizer}, which counts rather too many */
  readonly tokenizer?: Tokenizer
  /** Another measure of bytes, for another encoding than JSON. */
  readonly measureBytes?: (document: unknown) => number
}

/** A view of a snapshot: the document that travels (its only enumerable part), and what it left out. */
export class View<N extends object> implements SomDocument {
  readonly som: SomDocument['som']
  readonly som_ext: SomDocument['som_ext']
  readonly #snapshot: Snapshot<N>
  readonly #omitted: Rendered<N>['omitted']
  readonly #sha256: Sha256

  constructor(snapshot: Snapshot<N>, rendered: Rendered<N>, sha256: Sha256) {
    this.som = rendered.document.som
    this.som_ext = rendered.document.som_ext
    this.#snapshot = snapshot
    this.#omitted = rendered.omitted
    this.#sha256 = sha256
  }

  /** The snapshot it was made from. */
  get snapshot(): Snapshot<N> {
    return this.#snapshot
  }

  /**
   * The next slice of something left out.
   * @throws DomosError not_found for an unknown region or element, expired for a cursor of another view, invalid_request
   */
  expand(request: ExpandRequest): Slice {
    return expand(this.#snapshot, this.#omitted, this.#sha256, request)
  }
}

interface SnapshotContext<N extends object> {
  readonly budgets: SomBudgets
  readonly sha256: Sha256
  readonly identity: SomIdentity<N>
}

/** One compiled page: everything in it, and the views of it. Immutable; the page may have changed since. */
export class Snapshot<N extends object> {
  readonly model: Model<N>
  private readonly context: SnapshotContext<N>
  private byId: Map<string, ModelElement<N>> | undefined
  private byNode: Map<N, ModelElement<N>> | undefined

  constructor(model: Model<N>, context: SnapshotContext<N>) {
    this.model = model
    this.context = context
  }

  /** The document was too much work: what `maxWork` left out is missing. */
  get isHeavy(): boolean {
    return this.model.isHeavy
  }

  /** The document under budgets and size limits. @throws DomosError too_large when not even form controls fit */
  view(options: ViewOptions = {}): View<N> {
    const renderOptions = { budgets: { ...this.context.budgets, ...options.budgets }, sha256: this.context.sha256 }
    const limited = options.maxBytes !== undefined || options.maxTokens !== undefined
    const rendered: Rendered<N> = limited
      ? renderWithin(this.model, renderOptions, {
          maxBytes: options.maxBytes,
          maxTokens: options.maxTokens,
          tokenizer: options.tokenizer ?? estimateTokenizer,
          measureBytes: options.measureBytes,
        })
      : render(this.model, renderOptions)
    return new View(this, rendered, this.context.sha256)
  }

  /** The text view for models. */
  outline(options: OutlineOptions = {}): OutlinePage {
    return outline(this.model, options)
  }

  /** The element with an id or an outline alias (`12`, `[12]`), undefined when this snapshot has none. */
  element(idOrAlias: string): ModelElement<N> | undefined {
    const found = this.ids().get(idOrAlias)
    if (found !== undefined) return found
    const alias = /^\[?(\d{1,9})\]?$/.exec(idOrAlias)?.[1]
    if (alias === undefined) return undefined
    for (const element of this.ids().values()) if (element.alias === Number(alias)) return element
    return undefined
  }

  /** The element made of a node, undefined when the node is none by itself. */
  elementOf(node: N): ModelElement<N> | undefined {
    this.byNode ??= new Map(this.elements().map((element) => [element.node, element]))
    return this.byNode.get(node)
  }

  /** All elements, top document first. */
  elements(): ModelElement<N>[] {
    return this.model.documents.flatMap(({ regions }) => regions.flatMap((region) => region.elements))
  }

  /** A region of the top document, or of a frame as `<frame id>/<region id>`. */
  region(id: string): ModelRegion<N> | undefined {
    const slash = id.lastIndexOf('/')
    const frameId = slash < 0 ? '' : id.slice(0, slash)
    const document = this.model.documents.find((each) => each.frameId === frameId)
    return document?.regions.find((region) => region.id === id.slice(slash + 1))
  }

  /** Why an id means nothing here: the error to give, which names the document it came from. */
  missing(id: string): DomosError {
    const lost = this.context.identity.lostElement(id)
    if (lost === undefined) {
      return new DomosError(
        'not_found',
        `No element has the id ${id.slice(0, 60)}; observe the page for current ids.`,
        {
          details: { elementId: id.slice(0, 60) },
        },
      )
    }
    const url = this.model.documents[0]?.url ?? ''
    const where =
      lost.generation === this.model.generation
        ? 'It is no longer on the page'
        : 'It belongs to a document that is gone'
    return new DomosError('not_found', `The reference ${id} is stale. ${where}; observe the page for current ids.`, {
      details: { elementId: id, reason: 'STALE_REF', oldUrl: lost.url, url },
    })
  }

  private ids(): Map<string, ModelElement<N>> {
    this.byId ??= new Map(this.elements().map((element) => [element.id, element]))
    return this.byId
  }
}
