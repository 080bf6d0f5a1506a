import { type Pattern, resolveTarget, TargetError } from '@domos/som'
import { DomosError, type JsonObject, type ObserveOptions, type Target } from '@domos/spec'
import {
  customOptions,
  pointFor,
  prepareTyping,
  readBack,
  refuseDisabled,
  scroll,
  selectOptions,
  setValue,
  submit,
} from './actions.ts'
import { checkedOf, elementState } from './element-state.ts'
import { freeze } from './freeze.ts'
import type { FrozenDocument } from './frozen.ts'
import { clickablePoint, type Point, pointInFrame, reveal, toTop } from './points.ts'
import { readElement, readMatches, readRecords } from './reading.ts'
import { Elsewhere, type NodeRef, World } from './world.ts'

// Runs in an isolated world of every frame that its parent cannot read. Only what `call` gives leaves it.

interface Settings {
  readonly binding: string
  readonly token: string
}

interface RemoteUpdate {
  readonly htmlBytes: number
  readonly frames: Readonly<Record<string, FrozenDocument | null>>
}

declare const __domosSettings: Settings

const settings = __domosSettings
const scope = globalThis as unknown as Record<string, unknown>
let world: World | undefined
const frames = new Map<string, Element>()

function here(): World {
  // A window may pass from its first, empty document to another one; then everything begins anew.
  if (world?.document === document) return world
  frames.clear()
  world = new World(
    document,
    (payload) => (scope[settings.binding] as ((text: string) => void) | undefined)?.(payload),
    settings.token,
  )
  return world
}

/** Patterns are matched outside, by an engine that takes linear time: the first pass collects, the second one looks up. */
function patternOf(found: Spans | undefined, asked: Set<string>) {
  const spans = new Map<string, (readonly [number, number])[]>()
  for (const [source, text, start, end] of found ?? []) {
    const key = `${source}\n${text}`
    spans.set(key, [...(spans.get(key) ?? []), [start, end]])
  }
  return (source: string): Pattern => ({
    find(text, from = 0) {
      if (found === undefined) {
        asked.add(JSON.stringify([source, text]))
        return undefined
      }
      const span = spans.get(`${source}\n${text}`)?.find(([start]) => start >= from)
      return span === undefined ? undefined : { start: span[0], end: span[1] }
    },
  })
}

type Query = NonNullable<Target['query']>
type Spans = readonly (readonly [source: string, text: string, start: number, end: number])[]

const methods = {
  /** Whether the parent frame reads this document itself. */
  isReadable: (): boolean => window.frameElement !== null,

  ready: (): JsonObject => {
    here()
    const refreshUrl = immediateRefresh()
    return { title: document.title, ...(refreshUrl === undefined ? {} : { refreshUrl }) }
  },

  update({ htmlBytes, frames: updates }: RemoteUpdate): null {
    const it = here()
    it.setBytes(htmlBytes)
    for (const [frame, frozen] of Object.entries(updates)) {
      it.remotes.update(frame, frozen)
      if (frozen !== null) it.touch()
    }
    it.remotes.keepOnly(Object.keys(updates))
    return null
  },

  compile(options: ObserveOptions): unknown {
    const it = here()
    const snapshot = it.snapshot()
    const view = snapshot.view({
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
      ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    })
    it.view = view
    const { outline } = options
    const asked = outline === true ? {} : outline
    const text =
      asked === undefined || asked === false
        ? undefined
        : snapshot.outline({
            ...(asked.interactive === true ? { mode: 'interactive' as const } : {}),
            targets: asked.links ?? false,
            ...(asked.maxTokens === undefined ? {} : { maxTokens: asked.maxTokens }),
          })
    return {
      som: view.som,
      ext: view.som_ext,
      ...(text === undefined
        ? {}
        : { outline: text.text, ...(text.cursor === undefined ? {} : { outlineCursor: text.cursor }) }),
    }
  },

  expand(request: NonNullable<ObserveOptions['expand']>): unknown {
    const it = here()
    const view = it.view ?? it.snapshot().view()
    const { cursor, ...slice } = view.expand(request)
    return { ...slice, elements: slice.elements ?? [], ...(cursor === undefined ? {} : { nextCursor: cursor }) }
  },

  resolve({ target, spans }: { target: Target; spans?: Spans }): unknown {
    const asked = new Set<string>()
    let found: ReturnType<typeof resolveTarget>
    try {
      found = resolveTarget(here().snapshot(), target as never, { pattern: patternOf(spans, asked) })
    } catch (thrown) {
      if (asked.size > 0) return { ask: [...asked] }
      throw thrown
    }
    if (asked.size > 0) return { ask: [...asked] }
    const { element, region } = found
    return {
      elementId: found.elementId,
      role: element?.role ?? region.role,
      text: (element === undefined ? region.label : element.label || element.text).slice(0, 200),
      confidence: found.confidence,
      ...(found.reanchored === true ? { reanchoredFrom: target.elementRef ?? '' } : {}),
      ...(found.fallback === undefined ? {} : { fallback: found.fallback }),
    }
  },

  query({ query, limit, region, spans }: { query: Query; limit: number; region?: string; spans?: Spans }): unknown {
    const asked = new Set<string>()
    const found = readMatches(here().snapshot(), query, limit, region, patternOf(spans, asked))
    return asked.size > 0 ? { ask: [...asked] } : { found }
  },

  read: ({ id }: { id: string }): unknown => readElement(here().snapshot(), id) ?? null,

  records({
    query,
    fields,
    limit,
    spans,
  }: {
    query: Query
    fields: Record<string, Query>
    limit: number
    spans?: Spans
  }): unknown {
    const asked = new Set<string>()
    const found = readRecords(here().snapshot(), query, fields, limit, patternOf(spans, asked))
    return asked.size > 0 ? { ask: [...asked] } : { found }
  },

  element({ ref, role }: { ref: NodeRef; role?: string }): unknown {
    const it = here()
    const snapshot = it.snapshot()
    const id = ref.elementId
    if (id !== undefined && snapshot.element(id) === undefined && snapshot.region(id) === undefined) return null
    const known = role ?? (id === undefined ? '' : (snapshot.element(id)?.role ?? snapshot.region(id)?.role ?? ''))
    try {
      return elementState(it, it.node(ref), known)
    } catch (thrown) {
      // The frame that holds it does not know the role; it is passed on.
      if (thrown instanceof Elsewhere) return { elsewhere: { frame: thrown.frame, node: thrown.node }, role: known }
      throw thrown
    }
  },

  point: ({ ref }: { ref: NodeRef }): Point => pointFor(here(), here().node(ref)),

  pointInFrame({ frame, spot }: { frame: string; spot: Point }): Point {
    const host = frames.get(frame)
    if (host === undefined)
      throw new DomosError('not_found', 'The frame is gone.', { details: { reason: 'STALE_REF' } })
    return pointInFrame(here(), host, spot)
  },

  hoverPoint: ({ ref }: { ref: NodeRef }): Point => clickablePoint(here(), here().node(ref)),

  prepareTyping: ({ ref, replace }: { ref: NodeRef; replace: boolean }): unknown =>
    prepareTyping(here(), here().node(ref), replace),

  setValue({ ref, text }: { ref: NodeRef; text: string }): null {
    setValue(here(), here().node(ref), text)
    return null
  },

  readBack: ({ ref }: { ref: NodeRef }): unknown => readBack(here().node(ref)),

  checked({ ref }: { ref: NodeRef }): unknown {
    const node = here().node(ref)
    refuseDisabled(here(), node)
    const details =
      node.localName === 'summary' && node.parentElement?.localName === 'details' ? node.parentElement : node
    return {
      checked: checkedOf(details) ?? null,
      kind:
        node.localName === 'input' ? (node as HTMLInputElement).type : (node.getAttribute('role') ?? node.localName),
    }
  },

  select: ({ ref, values }: { ref: NodeRef; values: readonly string[] }): unknown =>
    selectOptions(here(), here().node(ref), values),

  customOptions: ({ ref, name }: { ref: NodeRef; name: string }): unknown =>
    customOptions(here(), here().node(ref), name),

  submit({ ref }: { ref: NodeRef }): null {
    submit(here(), here().node(ref))
    return null
  },

  focus({ ref }: { ref: NodeRef }): null {
    const node = here().node(ref)
    refuseDisabled(here(), node)
    reveal(node)
    ;(node as HTMLElement).focus()
    return null
  },

  scroll: ({ ref, by, to }: { ref?: NodeRef; by?: { x: number; y: number }; to?: 'top' | 'bottom' }): unknown =>
    scroll(ref === undefined ? undefined : here().node(ref), document, by, to),

  /** The box of an element in the document, for pictures. */
  box({ ref }: { ref: NodeRef }): unknown {
    const node = here().node(ref)
    reveal(node)
    const box = node.getBoundingClientRect()
    const corner = toTop(node.ownerDocument, { x: box.left, y: box.top })
    return { x: corner.x + window.scrollX, y: corner.y + window.scrollY, width: box.width, height: box.height }
  },

  /** Copies this document for the world that compiles the page; null when nothing changed. */
  freeze({ since }: { since: number }): unknown {
    const it = here()
    it.noticeChanges()
    if (since === it.version) return { version: it.version, document: null }
    it.collectListening()
    return { version: it.version, document: freeze(document, it.key, it, it.numbers, (element) => frameOf(element)) }
  },

  storage: (): unknown => ({
    local: Object.fromEntries(Object.entries({ ...localStorage })),
    session: Object.fromEntries(Object.entries({ ...sessionStorage })),
  }),

  setStorage({ local, session }: { local: Record<string, string>; session: Record<string, string> }): null {
    for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value)
    for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value)
    return null
  },
}

/** Where a refresh of the document leads that asks for no delay. */
function immediateRefresh(): string | undefined {
  const content = document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? ''
  const match = /^\s*0*(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)
  const url = match?.[1]?.trim()
  return url !== undefined && URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : undefined
}

function frameOf(element: Element): string | undefined {
  for (const [frame, host] of frames) if (host === element) return frame
  return undefined
}

/** Carries out one method; gives JSON of the result, or of the error. */
function call(name: keyof typeof methods, argument: unknown): string {
  try {
    const method = methods[name] as (argument: unknown) => unknown
    return JSON.stringify({ result: method(argument) ?? null })
  } catch (thrown) {
    if (thrown instanceof Elsewhere) return JSON.stringify({ elsewhere: { frame: thrown.frame, node: thrown.node } })
    if (thrown instanceof DomosError) {
      const candidates = thrown instanceof TargetError ? thrown.candidates : undefined
      return JSON.stringify({
        error: { code: thrown.code, message: thrown.message, details: thrown.details, candidates },
      })
    }
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}\n${thrown.stack ?? ''}` : String(thrown)
    return JSON.stringify({
      error: { code: 'internal', message: 'The page could not be read.', cause: text.slice(0, 2_000) },
    })
  }
}

/** Called with the element that shows a frame of another process. */
function bindFrame(this: Element, frame: string): void {
  for (const [known, host] of frames) if (known === frame || !host.isConnected) frames.delete(known)
  frames.set(frame, this)
  here().remotes.bind(this, frame)
  here().touch()
}

if (!Object.hasOwn(globalThis, '__domos')) {
  Object.defineProperty(globalThis, '__domos', { value: { call, bindFrame, node: (ref: NodeRef) => here().node(ref) } })
  // A document that its parent reads is watched from there.
  if (window.frameElement === null) here()
}
