import {
  DomosError,
  type ElementState,
  type EngineContext,
  type EngineNavigation,
  type EnginePage,
  type EnginePageEvent,
  type ErrorCode,
  type PerformResult,
  type Primitive,
  type TargetQuery,
} from '@domos/spec'
import type { ContractSite } from './engine-contract-site.ts'
import { check, checkFailsWith } from './speech-contract-check.ts'

const LOOK_AGAIN_MS = 100

/** What a case works with: one page of a fresh context, the site, and short words for what a case does. */
export class EngineWorld {
  readonly context: EngineContext
  readonly page: EnginePage
  readonly site: ContractSite
  /** Pages that pages have opened. */
  readonly opened: readonly EnginePage[]
  readonly events: EnginePageEvent[] = []
  /** Time each wait of a case gets. */
  readonly waitMs: number

  constructor(
    context: EngineContext,
    page: EnginePage,
    site: ContractSite,
    opened: readonly EnginePage[],
    waitMs: number,
  ) {
    this.waitMs = waitMs
    this.context = context
    this.page = page
    this.site = site
    this.opened = opened
    page.onEvent((event) => this.events.push(event))
  }

  get signal(): AbortSignal {
    return AbortSignal.timeout(this.waitMs)
  }

  go(path: string, page = this.page): Promise<EngineNavigation> {
    return page.navigate({ url: `${this.site.url}${path}` }, this.signal)
  }

  /** The text view of the page as it is now. */
  async text(page = this.page): Promise<string> {
    return (await page.compile({ outline: true })).outline ?? ''
  }

  async find(query: TargetQuery, page = this.page): Promise<string> {
    return (await page.resolve({ query })).elementId
  }

  button(text: string, page = this.page): Promise<string> {
    return this.find({ role: 'button', text }, page)
  }

  async act(primitive: Primitive, page = this.page): Promise<PerformResult> {
    return page.perform(primitive, this.signal)
  }

  async click(query: TargetQuery, page = this.page): Promise<PerformResult> {
    return this.act({ type: 'click', elementId: await this.find(query, page) }, page)
  }

  async type(label: string, text: string, replace = true): Promise<PerformResult> {
    return this.act({ type: 'type', elementId: await this.find({ label, role: 'input' }), text, replace })
  }

  async state(query: TargetQuery): Promise<ElementState> {
    const state = await this.page.element(await this.find(query))
    check(state !== undefined, 'The element has no state.')
    return state
  }

  /** Waits until something holds, looking again after every event of the page. */
  async until(what: string, holds: () => boolean | Promise<boolean>, page = this.page): Promise<void> {
    const end = Date.now() + this.waitMs
    while (!(await holds())) {
      check(Date.now() < end, `${what} did not come about in ${this.waitMs} ms.`)
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          stop()
          resolve()
        }
        const timer = setTimeout(done, LOOK_AGAIN_MS)
        const stop = page.onEvent(done)
      })
    }
  }

  async shows(part: string, page = this.page): Promise<void> {
    // A page that was only just opened has no document to show for a moment.
    const text = (): Promise<string> =>
      this.text(page).catch((thrown: unknown) => {
        if (thrown instanceof DomosError && thrown.code === 'not_found') return ''
        throw thrown
      })
    await this.until(`“${part}” in the page`, async () => (await text()).includes(part), page)
  }

  async titled(title: string): Promise<void> {
    await this.until(`The title “${title}”`, async () => {
      const { som } = await this.page.compile({})
      return som['title'] === title
    })
  }

  fails(code: ErrorCode, work: () => unknown): Promise<void> {
    return checkFailsWith(code, work)
  }
}
