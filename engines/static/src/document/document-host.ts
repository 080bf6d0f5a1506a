import type { MediaEnvironment } from '@domos/som'
import type {
  ElementMatch,
  ElementRecord,
  ElementState,
  JsonObject,
  ObserveOptions,
  PageSlice,
  Primitive,
  ResolvedTarget,
  Target,
} from '@domos/spec'
import type { ActOutcome } from './follow.ts'
import type { LocalBounds } from './local-bounds.ts'
import { type CompiledPage, type DocumentSource, type LoadedFacts, PageModel } from './page-model.ts'
import type { WantedParts } from './parts.ts'
import { takeTurn } from './turns.ts'

type Query = NonNullable<Target['query']>

/** The calls of a {@link PageModel} that a page makes. All take and give plain data. */
export interface DocumentCalls {
  load(source: DocumentSource): LoadedFacts
  setUrl(url: string): void
  setStylesheet(href: string, css: string): void
  setFrame(key: number, source: DocumentSource): WantedParts
  frameUrl(key: number): string | undefined
  setFacts(facts: JsonObject): void
  compile(options: ObserveOptions): CompiledPage
  expand(request: NonNullable<ObserveOptions['expand']>): PageSlice
  resolve(target: Target): ResolvedTarget
  query(query: Query, limit: number, region?: string): readonly ElementMatch[]
  read(elementId: string): ElementMatch | undefined
  records(query: Query, fields: Readonly<Record<string, Query>>, limit: number): readonly ElementRecord[]
  element(elementId: string): ElementState | undefined
  act(primitive: Primitive): ActOutcome
  hibernate(): void
}

/** Where the document of a page lives: here, or in a worker when it is large. */
export interface DocumentHost {
  call<K extends keyof DocumentCalls>(
    method: K,
    ...args: Parameters<DocumentCalls[K]>
  ): Promise<ReturnType<DocumentCalls[K]>>
  /** The worker behind it ended; every call fails. */
  readonly isOver: boolean
  close(): void
}

/** A host on this thread. Calls fail with the error that `isTooHeavyHere` knows for a document that belongs in a worker. */
export function createLocalHost(media: MediaEnvironment, bounds: LocalBounds): DocumentHost {
  const model: DocumentCalls = new PageModel(media, bounds)
  return {
    async call(method, ...args) {
      await takeTurn()
      return callModel(model, method, args)
    },
    isOver: false,
    close() {},
  }
}

/** Calls a method of a model by its name. */
export function callModel<K extends keyof DocumentCalls>(
  model: DocumentCalls,
  method: K,
  args: Parameters<DocumentCalls[K]>,
): ReturnType<DocumentCalls[K]> {
  const run = model[method] as (...given: Parameters<DocumentCalls[K]>) => ReturnType<DocumentCalls[K]>
  return run.apply(model, args)
}
