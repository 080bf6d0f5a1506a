import {
  DomosError,
  type ElementMatch,
  type ElementRecord,
  type ElementState,
  type EngineNavigation,
  type EnginePage,
  type EnginePageEvent,
  type EnginePageState,
  type EngineRequest,
  type JsonValue,
  type ObserveOptions,
  type PageSlice,
  type PerformResult,
  type Primitive,
  type ResolvedTarget,
  type Target,
} from '@domos/spec'
import type { AutoContext } from './auto-context.ts'
import { choose } from './choose.ts'

type Query = NonNullable<Target['query']>

/** Steps of history taken along. */
const MAX_SEEDED = 10
const NO_EFFECT = /without page script/

/** A page that shows itself by one engine and, when it has to, by another. */
export class AutoPage implements EnginePage {
  readonly id: string
  readonly #context: AutoContext
  readonly #listeners = new Set<(event: EnginePageEvent) => void>()
  #inner: EnginePage
  #stop: () => void
  #isMoved: boolean
  #isMoving = false
  /** Whether the page shown has script that could do what the plain engine cannot. */
  #hasScript = false
  #reason = 'The session is on the engine with script already.'
  #visited: string[] = []

  constructor(context: AutoContext, id: string, inner: EnginePage, isMoved: boolean) {
    this.#context = context
    this.id = id
    this.#inner = inner
    this.#isMoved = isMoved
    this.#stop = inner.onEvent((event) => this.#take(event))
  }

  /** Whether this page is shown by an engine's page of that id. */
  shows(innerId: string | undefined): boolean {
    return this.#inner.id === innerId
  }

  state(): EnginePageState {
    return this.#inner.state()
  }

  async navigate(request: EngineRequest, signal: AbortSignal): Promise<EngineNavigation> {
    if (!this.#isMoved) {
      const pinned = this.#pinned(request.url)
      if (this.#context.isMoved) await this.#move('The session is on the engine with script already.', 'all', signal)
      else if (pinned === this.#context.engines.script.id)
        await this.#move('The domain is pinned to this engine.', 'all', signal)
    }
    const navigation = await this.#inner.navigate(request, signal)
    return this.#decided(navigation, signal)
  }

  async traverse(delta: number, signal: AbortSignal): Promise<EngineNavigation> {
    return this.#decided(await this.#inner.traverse(delta, signal), signal)
  }

  async reload(signal: AbortSignal): Promise<EngineNavigation> {
    return this.#decided(await this.#inner.reload(signal), signal)
  }

  /** Acts; what turns out to need script is done again on the engine that has it, where it had no effect before. */
  async perform(primitive: Primitive, signal: AbortSignal): Promise<PerformResult> {
    if (this.#isMoved) return this.#inner.perform(primitive, signal)
    let isArrived = false
    let arrived: EngineNavigation | undefined
    const stop = this.#inner.onEvent((event) => {
      if (event.type !== 'navigated' || event.kind !== 'document') return
      isArrived = true
      arrived = event.navigation
    })
    try {
      const result = await this.#inner.perform(primitive, signal)
      if (isArrived && arrived !== undefined) await this.#decided(arrived, signal)
      const isWithoutEffect = !isArrived && result.notes?.some((note) => NO_EFFECT.test(note)) === true
      if (!isWithoutEffect || primitive.type === 'hover' || !this.#hasScript) return result
    } catch (thrown) {
      if (!(thrown instanceof DomosError) || thrown.details['reason'] !== 'NEEDS_SCRIPT') throw thrown
    } finally {
      stop()
    }
    return this.#again(primitive, signal)
  }

  compile(options: ObserveOptions): ReturnType<EnginePage['compile']> {
    return this.#inner.compile(options)
  }

  expand(options: NonNullable<ObserveOptions['expand']>): Promise<PageSlice> {
    return this.#inner.expand(options)
  }

  resolve(target: Target): Promise<ResolvedTarget> {
    return this.#inner.resolve(target)
  }

  query(query: Query, limit: number, region?: string): Promise<readonly ElementMatch[]> {
    return this.#inner.query(query, limit, region)
  }

  read(elementId: string): Promise<ElementMatch | undefined> {
    return this.#inner.read(elementId)
  }

  records(query: Query, fields: Readonly<Record<string, Query>>, limit: number): Promise<readonly ElementRecord[]> {
    return this.#inner.records(query, fields, limit)
  }

  element(elementId: string): Promise<ElementState | undefined> {
    return this.#inner.element(elementId)
  }

  answerDialog(accept: boolean, text: string | undefined): Promise<void> {
    return this.#inner.answerDialog(accept, text)
  }

  async evaluate(expression: string, signal: AbortSignal): Promise<JsonValue> {
    await this.#needScript('Script of the caller is to run.', signal)
    return this.#inner.evaluate(expression, signal)
  }

  async screenshot(elementId: string | undefined, signal: AbortSignal): ReturnType<EnginePage['screenshot']> {
    const match = elementId === undefined || this.#isMoved ? undefined : await this.#inner.read(elementId)
    await this.#needScript('A picture is to be taken.', signal)
    const id = match === undefined ? elementId : (await this.#inner.resolve({ query: queryOf(match) })).elementId
    return this.#inner.screenshot(id, signal)
  }

  onEvent(listener: (event: EnginePageEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    await this.#inner.close()
  }

  /** Looks at what was loaded and moves when it needs script. */
  async #decided(navigation: EngineNavigation, signal: AbortSignal): Promise<EngineNavigation> {
    if (this.#isMoved || navigation.download !== undefined) return this.#named(navigation)
    if (this.#pinned(navigation.url) === this.#context.engines.plain.id)
      return this.#named(navigation, 'The domain is pinned to this engine.')
    const { script } = navigation
    if (script === undefined) return this.#named(navigation, 'The address is within the page shown.')
    this.#hasScript = script.scripts + script.writingScripts > 0
    const choice = choose(script)
    if (!choice.needsScript) return this.#named(navigation, choice.reason)
    if (navigation.isPost === true)
      return this.#named(navigation, `${choice.reason} It answers a form, which is not sent twice.`)
    try {
      await this.#move(choice.reason, 'before', signal)
    } catch (thrown) {
      // Without a browser, what the source holds is better than nothing, and that it is not all is said.
      if (!(thrown instanceof DomosError) || thrown.code !== 'unavailable') throw thrown
      return this.#named(navigation, `${choice.reason} It is shown without script all the same: ${thrown.message}`)
    }
    return this.#named(await this.#inner.navigate({ url: navigation.url }, signal))
  }

  async #needScript(reason: string, signal: AbortSignal): Promise<void> {
    if (this.#isMoved) return
    const { url, ready } = this.#inner.state()
    await this.#move(reason, 'before', signal)
    if (ready !== 'empty') await this.#inner.navigate({ url }, signal)
  }

  /**
   * Takes the place of the plain page with one of the other engine; listeners notice no more than a navigation. The page
   * moved for is loaded again there, so that only what was before it is taken along as history.
   */
  async #move(reason: string, history: 'before' | 'all', signal: AbortSignal): Promise<void> {
    if (this.#isMoving || this.#isMoved) return
    this.#isMoving = true
    try {
      const page = await (await this.#context.move()).openPage()
      const old = this.#inner
      const { historyIndex } = old.state()
      const visited = this.#visited.slice(0, Math.max(0, historyIndex + (history === 'all' ? 1 : 0)))
      if (visited.length > 0) await page.seedHistory?.(visited.slice(-MAX_SEEDED), signal)
      this.#stop()
      this.#reason = reason
      this.#isMoved = true
      this.#inner = page
      this.#stop = page.onEvent((event) => this.#take(event))
      await old.close()
    } finally {
      this.#isMoving = false
    }
  }

  /** Does what had no effect without script where it has one, on the same thing of the page loaded anew. */
  async #again(primitive: Primitive, signal: AbortSignal): Promise<PerformResult> {
    const ids = ['elementId', 'toElementId'].flatMap((key) => {
      const id = (primitive as unknown as Record<string, unknown>)[key]
      return typeof id === 'string' ? [[key, id] as const] : []
    })
    const matches = await Promise.all(ids.map(async ([key, id]) => [key, await this.#inner.read(id)] as const))
    const typed = await this.#inner.state()
    await this.#needScript('The action needs script.', signal)
    const found: Record<string, string> = {}
    for (const [key, match] of matches) {
      if (match !== undefined) found[key] = (await this.#inner.resolve({ query: queryOf(match) })).elementId
    }
    const result = await this.#inner.perform({ ...primitive, ...found } as Primitive, signal)
    const note = `The page needs script for this and was loaded again by another engine (${typed.url}); what was typed before has to be typed again.`
    return { ...result, notes: [...(result.notes ?? []), note] }
  }

  #named(navigation: EngineNavigation, reason = this.#reason): EngineNavigation {
    const { plain, script } = this.#context.engines
    return { ...navigation, engine: this.#isMoved ? script.id : plain.id, engineReason: reason }
  }

  #pinned(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined
    const { hostname } = new URL(url)
    for (const [pattern, engine] of Object.entries(this.#context.engines.pinned ?? {})) {
      const base = pattern.replace(/^\*\./, '')
      if (hostname === base || (pattern.startsWith('*.') && hostname.endsWith(`.${base}`))) return engine
    }
    return undefined
  }

  #take(event: EnginePageEvent): void {
    if (event.type === 'navigated' && !this.#isMoved) {
      const { historyIndex, historyLength } = this.#inner.state()
      this.#visited.length = Math.min(this.#visited.length, historyLength)
      this.#visited[Math.max(0, historyIndex)] = event.url
    }
    if (event.type === 'download') this.#context.keepsDownload(event.download.id, this.#isMoved)
    if (event.type === 'closed') this.#context.forget(this)
    for (const listener of [...this.#listeners]) listener(event)
  }
}

function queryOf(match: ElementMatch): Query {
  return match.text === '' ? { role: match.role } : { role: match.role, text: match.text }
}
