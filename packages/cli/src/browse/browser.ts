import type { AwpPage, AwpSession } from '@domos/awp/client'
import { type ActResult, DomosError, type NavigateResult } from '@domos/spec'
import type { BrowseCommand } from './read-command.ts'
import { HELP } from './read-command.ts'

/** Lines that `find` prints at most. */
const MAX_FOUND = 40
const LOAD_TIMEOUT_MS = 30_000

/** One person's browser: the page in front, and what each command makes of it, as text. */
export class TextBrowser {
  readonly #session: AwpSession
  readonly #maxTokens: number
  #page: AwpPage | undefined
  #more: string | undefined

  constructor(session: AwpSession, maxTokens: number) {
    this.#session = session
    this.#maxTokens = maxTokens
  }

  /** Does what a command says and gives what to show. @throws DomosError saying what went wrong */
  async run(command: Exclude<BrowseCommand, { type: 'quit' }>): Promise<string> {
    switch (command.type) {
      case 'open':
        this.#page ??= await this.#session.createPage()
        return this.#shown(
          await this.#page.navigate(withScheme(command.address), {
            wait: { until: 'load', timeoutMs: LOAD_TIMEOUT_MS },
          }),
        )
      case 'move':
        return this.#shown(await this.#current()[command.to]())
      case 'act':
        return this.#acted(await this.#act(command))
      case 'find':
        return this.#find(command.text)
      case 'wait':
        await this.#current().waitFor({ query: { text: command.text }, timeoutMs: LOAD_TIMEOUT_MS })
        return this.#outline({})
      case 'go':
        this.#page = this.#session.page(command.pageId)
        return this.#outline({})
      case 'dialog': {
        const page = this.#current()
        await (command.accept ? page.acceptDialog(command.text) : page.dismissDialog())
        return this.#outline({})
      }
      case 'show':
        return this.#show(command.what)
    }
  }

  #current(): AwpPage {
    if (this.#page === undefined) throw new DomosError('invalid_request', 'No page is open yet. Write: open ADDRESS')
    return this.#page
  }

  #act(command: Extract<BrowseCommand, { type: 'act' }>): Promise<ActResult> {
    const { action, target, value } = command
    return this.#current().act({
      action: `primitive.${action}`,
      ...(target === undefined ? {} : { target: { elementRef: target } }),
      ...(value === undefined ? {} : { value }),
    })
  }

  async #acted({ effects, warnings = [] }: ActResult): Promise<string> {
    const lines: string[] = []
    if (effects.value !== undefined) lines.push(`It holds now: ${JSON.stringify(effects.value)}`)
    for (const { pageId, url } of effects.newPages ?? []) lines.push(`A new page opened: ${url} (go ${pageId})`)
    for (const { filename, bytes } of effects.downloads ?? []) lines.push(`Downloaded ${filename} (${bytes} bytes)`)
    if (effects.dialog !== undefined) {
      lines.push(`The page asks (${effects.dialog.type}): ${effects.dialog.message} (accept or dismiss)`)
    }
    lines.push(...warnings)
    if (effects.dialog === undefined && (effects.navigation !== false || effects.somChanged)) {
      lines.push(await this.#outline({}))
    }
    return lines.length === 0 ? 'Done; the page looks the same.' : lines.join('\n')
  }

  async #shown(loaded: NavigateResult): Promise<string> {
    if (loaded.download !== undefined) return `Downloaded ${loaded.download.filename} (${loaded.download.bytes} bytes)`
    const shown = await this.#outline({})
    return loaded.status >= 400 ? `HTTP ${loaded.status}\n${shown}` : shown
  }

  async #outline(options: {
    interactive?: boolean
    links?: boolean
    cursor?: string
    isWhole?: boolean
  }): Promise<string> {
    const { isWhole, ...outline } = options
    const limit = isWhole === true ? {} : { maxTokens: this.#maxTokens }
    const page = await this.#current().outline({ ...outline, ...limit })
    this.#more = page.cursor
    return page.cursor === undefined ? page.text : `${page.text}\n(more follows)`
  }

  async #find(text: string): Promise<string> {
    const { text: whole } = await this.#current().outline()
    const wanted = text.toLowerCase()
    const found = whole.split('\n').filter((line) => line.toLowerCase().includes(wanted))
    if (found.length === 0) return `Nothing on this page says "${text}".`
    const left = found.length - MAX_FOUND
    return [...found.slice(0, MAX_FOUND), ...(left > 0 ? [`(${left} more lines say it)`] : [])].join('\n')
  }

  async #show(what: Extract<BrowseCommand, { type: 'show' }>['what']): Promise<string> {
    switch (what) {
      case 'help':
        return HELP
      case 'page':
        return this.#outline({})
      case 'all':
        return this.#outline({ isWhole: true })
      case 'controls':
        return this.#outline({ interactive: true })
      case 'links':
        return this.#outline({ interactive: true, links: true })
      case 'more':
        return this.#more === undefined ? 'That was all of it.' : this.#outline({ cursor: this.#more })
      case 'pages': {
        const pages = await this.#session.pages()
        const mark = (pageId: string): string => (pageId === this.#page?.id ? '*' : ' ')
        return (
          pages.map(({ pageId, title, url }) => `${mark(pageId)} ${pageId}  ${title}  ${url}`).join('\n') || 'None.'
        )
      }
      case 'downloads': {
        const downloads = await this.#current().downloads()
        return (
          downloads.map(({ filename, bytes, state }) => `${filename}  ${bytes} bytes  ${state}`).join('\n') || 'None.'
        )
      }
    }
  }
}

function withScheme(address: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
}
