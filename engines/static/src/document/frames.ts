import { type LeanNode, parseHtml } from '@domos/som/parse'
import { createDocumentState, type DocumentFacts, type DocumentState } from './document-state.ts'
import { type LocalBounds, refuseHere } from './local-bounds.ts'
import { rootOf, stateOf } from './nodes.ts'
import { findFrames, findStylesheets, type WantedParts } from './parts.ts'

/** Bounds of the frames of a page. */
export interface FrameBounds {
  readonly maxFrames: number
  readonly maxFrameDepth: number
  readonly maxStylesheets: number
}

interface Frame {
  readonly node: LeanNode
  readonly depth: number
  readonly parent: DocumentState
  state: DocumentState | undefined
}

/** The documents inside a page's frames, and its stylesheets. Belongs to one top document. */
export class Frames {
  readonly #bounds: FrameBounds
  readonly #frames = new Map<number, Frame>()
  readonly #byDocument = new Map<LeanNode, { readonly key: number; readonly state: DocumentState }>()
  readonly #stylesheets = new Map<string, string>()
  #nextKey = 1
  #wantedStylesheets = 0

  readonly #local: LocalBounds | undefined

  /** @param local bounds of the thread that serves everybody; undefined in a worker */
  constructor(bounds: FrameBounds, local: LocalBounds | undefined) {
    this.#bounds = bounds
    this.#local = local
  }

  get isEmpty(): boolean {
    return this.#frames.size === 0
  }

  /** Finds what a document needs; documents that stand in its markup are parsed at once. */
  wantedBy(state: DocumentState, depth = 0): WantedParts {
    const stylesheets = findStylesheets(state).slice(
      0,
      Math.max(0, this.#bounds.maxStylesheets - this.#wantedStylesheets),
    )
    this.#wantedStylesheets += stylesheets.length
    const wanted = { stylesheets: [...stylesheets], frames: [] as { key: number; url: string }[] }
    if (depth >= this.#bounds.maxFrameDepth) return wanted
    for (const { node, url, srcdoc } of findFrames(state)) {
      if (this.#frames.size >= this.#bounds.maxFrames) break
      const key = this.#nextKey++
      this.#frames.set(key, { node, depth: depth + 1, parent: state, state: undefined })
      if (url !== undefined) wanted.frames.push({ key, url })
      else {
        const inner = this.set(
          key,
          { url: 'about:srcdoc', encoding: state.encoding, status: 200, htmlBytes: srcdoc?.length ?? 0 },
          srcdoc ?? '',
        )
        wanted.stylesheets.push(...inner.stylesheets)
        wanted.frames.push(...inner.frames)
      }
    }
    return wanted
  }

  /** The document of a frame has come, or another one takes its place. */
  set(key: number, facts: DocumentFacts, html: string): WantedParts {
    const frame = this.#frames.get(key)
    if (frame === undefined) return { stylesheets: [], frames: [] }
    if (frame.state !== undefined) this.#forget(frame.state)
    const local = this.#local
    const tree = parseHtml(html, local === undefined ? {} : { maxSteps: local.localParseSteps })
    if (local !== undefined && tree.isCut) refuseHere()
    const base = facts.url === 'about:srcdoc' ? frame.parent.baseUrl : facts.url
    const state = createDocumentState(tree, facts, base)
    frame.state = state
    this.#byDocument.set(tree.document, { key, state })
    stateOf(frame.node).frame = { tree, url: facts.url, htmlBytes: facts.htmlBytes }
    return this.wantedBy(state, frame.depth)
  }

  setStylesheet(href: string, css: string): void {
    if (!this.#stylesheets.has(href)) this.#stylesheets.set(href, css)
  }

  stylesheet(href: string): string | undefined {
    return this.#stylesheets.get(href)
  }

  /** The frame a node stands in; undefined in the top document. */
  frameOf(node: LeanNode): { readonly key: number; readonly state: DocumentState } | undefined {
    let root = rootOf(node)
    while (root.state?.template !== undefined) root = rootOf(root.state.template)
    return this.#byDocument.get(root)
  }

  /** URL of a frame's document. */
  urlOf(key: number): string | undefined {
    return this.#frames.get(key)?.state?.url
  }

  #forget(state: DocumentState): void {
    this.#byDocument.delete(state.tree.document)
    for (const [key, frame] of this.#frames) {
      if (frame.parent !== state) continue
      if (frame.state !== undefined) this.#forget(frame.state)
      this.#frames.delete(key)
    }
  }
}
