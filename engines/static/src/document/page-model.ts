import { hash } from 'node:crypto'
import {
  createSomCompiler,
  type MediaEnvironment,
  re2Pattern,
  resolveTarget,
  type Snapshot,
  type SomCompiler,
  type View,
} from '@domos/som'
import { type LeanNode, leanElement, parseHtml } from '@domos/som/parse'
import {
  DomosError,
  type ElementMatch,
  type ElementRecord,
  type ElementState,
  type JsonObject,
  type ObserveOptions,
  type PageSlice,
  type Primitive,
  type ResolvedTarget,
  type ScriptEvidence,
  type Target,
} from '@domos/spec'
import { formOwner } from '../forms/controls.ts'
import { implicitSubmission } from '../forms/submission.ts'
import { STATIC_ENGINE_LIMITS } from '../limits.ts'
import { click, outcomeOf, refuseUnusable } from './activation.ts'
import { createDocumentState, type DocumentFacts, type DocumentState, titleOf } from './document-state.ts'
import { chooseFiles, needsScript, selectOptions, setCheckedState, typeText } from './editing.ts'
import { elementState } from './element-state.ts'
import type { ActOutcome } from './follow.ts'
import { Frames } from './frames.ts'
import { putToSleep, type SleepingDocument, wake } from './hibernation.ts'
import { pressKey } from './keys.ts'
import { type LocalBounds, refuseHere } from './local-bounds.ts'
import type { WantedParts } from './parts.ts'
import { readElement, readMatches, readRecords } from './reading.ts'
import { metaRefresh, type Refresh } from './refresh.ts'
import { scriptEvidence } from './script-evidence.ts'

const FRAME_BOUNDS = STATIC_ENGINE_LIMITS

/** Views whose cursors still work. */
const MAX_VIEWS = 4

/** A document as it came from the network. */
export interface DocumentSource extends DocumentFacts {
  readonly html: string
}

/** What is known once a document is parsed. */
export interface LoadedFacts {
  readonly title: string
  readonly refresh?: Refresh
  readonly wanted: WantedParts
  readonly script: ScriptEvidence
}

/** A compiled view as it is handed out. */
export interface CompiledPage {
  readonly som: JsonObject
  readonly ext: JsonObject
  readonly outline?: string
  readonly outlineCursor?: string
}

/**
 * The documents of one page, one at a time: parses, compiles, resolves targets and applies actions. Knows no network;
 * what an action wants loaded is in its outcome. Takes and gives plain data only.
 */
export class PageModel {
  readonly #compiler: SomCompiler<LeanNode>
  #state: DocumentState | undefined
  #html = ''
  #frames: Frames
  #sleeping: SleepingDocument | undefined
  #snapshot: Snapshot<LeanNode> | undefined
  /** The newest views, whose cursors `expand` continues. */
  readonly #views: View<LeanNode>[] = []
  #facts: JsonObject = {}

  readonly #local: LocalBounds | undefined
  /** It was compiled once on this thread: it stays, and what more it may come to cost is left out. */
  #isLight = false

  /** @param local bounds of the thread that serves everybody; undefined in a worker */
  constructor(media: MediaEnvironment, local?: LocalBounds) {
    this.#local = local
    this.#frames = new Frames(FRAME_BOUNDS, local)
    this.#compiler = createSomCompiler<LeanNode>({
      sha256: (text) => hash('sha256', text),
      media,
      ...(local === undefined ? {} : { limits: { maxWork: local.localWork } }),
    })
  }

  load(source: DocumentSource): LoadedFacts {
    const local = this.#local
    const tree = parseHtml(source.html, local === undefined ? {} : { maxSteps: local.localParseSteps })
    if (local !== undefined && tree.isCut) refuseHere()
    this.#isLight = false
    const { html, ...facts } = source
    this.#html = html
    this.#forgetSleeping()
    this.#state = createDocumentState(tree, facts)
    this.#frames = new Frames(FRAME_BOUNDS, this.#local)
    this.#changed()
    const refresh = metaRefresh(tree, source.url, this.#state.baseUrl)
    return {
      title: titleOf(tree),
      wanted: this.#frames.wantedBy(this.#state),
      script: scriptEvidence(tree),
      ...(refresh === undefined ? {} : { refresh }),
    }
  }

  /** A linked stylesheet has come. */
  setStylesheet(href: string, css: string): void {
    this.#frames.setStylesheet(href, css)
    this.#changed()
  }

  /** The document of a frame has come; gives what that needs in turn. */
  setFrame(key: number, source: DocumentSource): WantedParts {
    const { html, ...facts } = source
    this.#changed()
    return this.#frames.set(key, facts, html)
  }

  /** URL of the document in a frame. */
  frameUrl(key: number): string | undefined {
    return this.#frames.urlOf(key)
  }

  /** What slept belongs to a document that is gone now: its references are stale, not unknown. */
  #forgetSleeping(): void {
    const ids = this.#sleeping?.ids ?? []
    this.#sleeping = undefined
    if (ids.length === 0) return
    const nowhere = parseHtml('')
    this.#compiler.rebind(
      nowhere,
      ids.map(({ lost }) => ({ node: leanElement('p'), lost })),
    )
  }

  /** Drops the tree of a page nobody uses; the next call builds it again, with the same ids and the same control state. */
  hibernate(): void {
    const state = this.#state
    // Frames came by the network; asking for them again could show something else.
    if (state === undefined || !this.#frames.isEmpty) return
    this.#sleeping = putToSleep(state, this.#html, this.#compiler.release())
    this.#state = undefined
    this.#html = ''
    this.#snapshot = undefined
    this.#views.length = 0
  }

  /** The fragment changed. */
  setUrl(url: string): void {
    this.#document().url = url
    this.#changed()
  }

  /** Facts of the page for `som_ext.page`. */
  setFacts(facts: JsonObject): void {
    if (JSON.stringify(facts) === JSON.stringify(this.#facts)) return
    this.#facts = facts
    this.#changed()
  }

  compile(options: ObserveOptions): CompiledPage {
    const snapshot = this.#current()
    const view = snapshot.view({
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
      ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    })
    this.#views.unshift(view)
    this.#views.length = Math.min(this.#views.length, MAX_VIEWS)
    const { outline } = options
    const text =
      outline === undefined || outline === false
        ? undefined
        : snapshot.outline(
            outline === true
              ? {}
              : {
                  mode: outline.interactive === true ? 'interactive' : 'full',
                  targets: outline.links ?? false,
                  ...(outline.maxTokens === undefined ? {} : { maxTokens: outline.maxTokens }),
                  ...(outline.cursor === undefined ? {} : { cursor: outline.cursor }),
                },
          )
    return {
      som: view.som as unknown as JsonObject,
      ext: view.som_ext as unknown as JsonObject,
      ...(text === undefined
        ? {}
        : { outline: text.text, ...(text.cursor === undefined ? {} : { outlineCursor: text.cursor }) }),
    }
  }

  expand(request: NonNullable<ObserveOptions['expand']>): PageSlice {
    const { cursor, ...slice } = this.#expandAny(request)
    return {
      ...slice,
      elements: (slice.elements ?? []) as never,
      ...(cursor === undefined ? {} : { nextCursor: cursor }),
    }
  }

  #expandAny(request: NonNullable<ObserveOptions['expand']>): ReturnType<View<LeanNode>['expand']> {
    if (request.cursor === undefined) return this.#current().view().expand(request)
    let expired: unknown
    // A cursor belongs to the view that gave it; which one that was, its list says.
    for (const view of this.#views) {
      try {
        return view.expand(request)
      } catch (thrown) {
        expired = thrown
      }
    }
    if (expired !== undefined) throw expired
    return this.#current().view().expand(request)
  }

  resolve(target: Target): ResolvedTarget {
    const found = resolveTarget(this.#current(), target, { pattern: re2Pattern })
    return {
      elementId: found.elementId,
      role: found.element?.role ?? found.region.role,
      text: (found.element === undefined ? found.region.label : found.element.label || found.element.text).slice(
        0,
        200,
      ),
      confidence: found.confidence,
      ...(found.reanchored === true ? { reanchoredFrom: target.elementRef ?? '' } : {}),
      ...(found.fallback === undefined ? {} : { fallback: found.fallback }),
    }
  }

  query(query: NonNullable<Target['query']>, limit: number, region?: string): readonly ElementMatch[] {
    return readMatches(this.#current(), query, limit, region)
  }

  read(elementId: string): ElementMatch | undefined {
    return readElement(this.#current(), elementId)
  }

  records(
    query: NonNullable<Target['query']>,
    fields: Readonly<Record<string, NonNullable<Target['query']>>>,
    limit: number,
  ): readonly ElementRecord[] {
    return readRecords(this.#current(), query, fields, limit)
  }

  element(elementId: string): ElementState | undefined {
    const snapshot = this.#current()
    const element = snapshot.element(elementId)
    const node = element?.node ?? snapshot.region(elementId)?.node
    if (node === undefined) return undefined
    return elementState(this.#stateOf(node), snapshot, node, element?.role ?? snapshot.region(elementId)?.role ?? '')
  }

  act(primitive: Primitive): ActOutcome {
    const outcome = this.#act(primitive)
    this.#changed()
    return outcome
  }

  #act(primitive: Primitive): ActOutcome {
    const top = this.#document()
    const node = primitive.elementId === undefined ? undefined : this.#node(primitive.elementId)
    const frame = node === undefined ? undefined : this.#frames.frameOf(node)
    const state = frame?.state ?? top
    const { focused } = state
    let outcome: ActOutcome
    try {
      outcome = this.#actIn(state, primitive)
    } catch (thrown) {
      // What is refused moves nothing, the focus neither.
      state.focused = focused
      throw thrown
    }
    if (frame === undefined) return outcome
    top.focused = state.focused
    return outcome.follow === undefined ? outcome : { ...outcome, frame: frame.key }
  }

  #stateOf(node: LeanNode): DocumentState {
    return this.#frames.frameOf(node)?.state ?? this.#document()
  }

  #actIn(state: DocumentState, primitive: Primitive): ActOutcome {
    switch (primitive.type) {
      case 'click':
        return click(state, this.#node(primitive.elementId))
      case 'type':
        return this.#type(state, primitive)
      case 'set-checked':
        return setCheckedState(state, this.#node(primitive.elementId), primitive.checked)
      case 'select':
        return selectOptions(state, this.#node(primitive.elementId), primitive.values)
      case 'upload':
        return chooseFiles(state, this.#node(primitive.elementId), primitive.files)
      case 'submit':
        return this.#submit(state, this.#node(primitive.elementId))
      case 'press':
        return pressKey(
          state,
          primitive.elementId === undefined ? undefined : this.#node(primitive.elementId),
          primitive.keys,
        )
      case 'focus':
        refuseUnusable(this.#node(primitive.elementId))
        state.focused = this.#node(primitive.elementId)
        return { changed: false }
      case 'hover':
        this.#node(primitive.elementId)
        return { changed: false, notes: ['Hovering has no effect without page script.'] }
      case 'scroll':
        return { changed: false, notes: ['The whole page is in the snapshot; scrolling changes nothing here.'] }
      case 'drag':
        throw needsScript('Drag and drop')
    }
  }

  #type(
    state: DocumentState,
    { elementId, text, replace, isSecret }: Primitive & { readonly type: 'type' },
  ): ActOutcome {
    const node = this.#node(elementId)
    const outcome = typeText(state, node, text, replace)
    if (isSecret === true) state.secrets.add(node)
    return outcome
  }

  #submit(state: DocumentState, node: LeanNode): ActOutcome {
    const form = formOwner(node)
    if (form === undefined) {
      throw new DomosError('conflict', 'This belongs to no form.', { details: { reason: 'NO_FORM' } })
    }
    const submitted = implicitSubmission(form, state.submission())
    if (submitted !== undefined) return outcomeOf(submitted.follow)
    throw new DomosError('conflict', 'The form cannot be sent this way: press one of its buttons.', {
      details: { reason: 'NO_DEFAULT_BUTTON' },
    })
  }

  #node(elementId: string): LeanNode {
    const snapshot = this.#current()
    const node = snapshot.element(elementId)?.node ?? snapshot.region(elementId)?.node
    if (node === undefined) throw snapshot.missing(elementId)
    return node
  }

  #document(): DocumentState {
    if (this.#sleeping !== undefined) {
      const { html, state, ids } = wake(this.#sleeping)
      this.#sleeping = undefined
      this.#html = html
      this.#state = state
      this.#compiler.rebind(state.tree, ids)
    }
    if (this.#state !== undefined) return this.#state
    throw new DomosError('not_found', 'No page is loaded yet; navigate first.', { details: { reason: 'NO_DOCUMENT' } })
  }

  #changed(): void {
    this.#snapshot = undefined
  }

  #current(): Snapshot<LeanNode> {
    const state = this.#document()
    if (this.#snapshot !== undefined) return this.#snapshot
    const snapshot = this.#compiler.compile(state.tree, {
      url: state.url,
      htmlBytes: state.htmlBytes,
      stylesheet: (href) => this.#frames.stylesheet(href),
      isSecret: (node) => this.#stateOf(node).secrets.has(node),
      focused: state.focused,
      page: this.#facts,
    })
    if (this.#local !== undefined && !this.#isLight && snapshot.isHeavy) refuseHere()
    this.#isLight = true
    this.#snapshot = snapshot
    return snapshot
  }
}
