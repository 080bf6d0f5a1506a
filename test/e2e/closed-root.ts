import type { CDPSession, Page } from 'playwright-core'

interface CdpNode {
  readonly nodeId: number
  readonly backendNodeId: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly attributes?: readonly string[]
  readonly children?: readonly CdpNode[]
  readonly shadowRoots?: readonly CdpNode[]
}

/** Looks into closed shadow roots the way a debugger can and a page's script cannot. */
export async function openDebugger(page: Page): Promise<ClosedRoots> {
  return new ClosedRoots(page, await page.context().newCDPSession(page))
}

/** What a test sees of, and does to, what stands in closed shadow roots. */
export class ClosedRoots {
  readonly #page: Page
  readonly #session: CDPSession

  constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** The middle of the element with that class name; waits until there is one. */
  async middleOf(className: string): Promise<{ readonly x: number; readonly y: number }> {
    const node = await this.#waitFor(className)
    const { model } = (await this.#session.send('DOM.getBoxModel', { backendNodeId: node.backendNodeId })) as {
      model: { readonly border: readonly number[] }
    }
    const [left = 0, top = 0, right = 0, , , bottom = 0] = model.border
    return { x: (left + right) / 2, y: (top + bottom) / 2 }
  }

  /** Presses the element as a person does, with the mouse. */
  async press(className: string): Promise<void> {
    const { x, y } = await this.middleOf(className)
    await this.#page.mouse.click(x, y)
  }

  async attribute(className: string, name: string): Promise<string | undefined> {
    const { attributes = [] } = await this.#waitFor(className)
    const index = attributes.findIndex((entry, at) => at % 2 === 0 && entry === name)
    return index < 0 ? undefined : attributes[index + 1]
  }

  /** Waits until Approve counts. */
  async armed(): Promise<void> {
    await this.#until(async () => (await this.attribute('approve', 'aria-disabled')) === 'false')
  }

  /** Waits until Approve does not count. */
  async disarmed(): Promise<void> {
    await this.#until(async () => (await this.attribute('approve', 'aria-disabled')) === 'true')
  }

  /** All text below the element. */
  async text(className: string): Promise<string> {
    return textOf(await this.#waitFor(className))
  }

  /** Waits until the element's text contains that. */
  async says(className: string, text: string): Promise<void> {
    await this.#until(async () => (await this.text(className)).includes(text))
  }

  async has(className: string): Promise<boolean> {
    return (await this.#find(className)) !== undefined
  }

  async gone(className: string): Promise<void> {
    await this.#until(async () => !(await this.has(className)))
  }

  async #waitFor(className: string): Promise<CdpNode> {
    let found: CdpNode | undefined
    await this.#until(async () => {
      found = await this.#find(className)
      return found !== undefined
    })
    return found as CdpNode
  }

  async #find(className: string): Promise<CdpNode | undefined> {
    const { root } = (await this.#session.send('DOM.getDocument', { depth: -1, pierce: true })) as { root: CdpNode }
    return search(root, className)
  }

  async #until(done: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (await done()) return
      await this.#page.waitForTimeout(25)
    }
    throw new Error('What the test waits for does not come.')
  }
}

function search(node: CdpNode, className: string): CdpNode | undefined {
  const { attributes = [] } = node
  const at = attributes.findIndex((entry, index) => index % 2 === 0 && entry === 'class')
  if (at >= 0 && (attributes[at + 1] ?? '').split(' ').includes(className)) return node
  for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) {
    const found = search(child, className)
    if (found) return found
  }
  return undefined
}

function textOf(node: CdpNode): string {
  if (node.nodeName === '#text') return node.nodeValue
  return (node.children ?? []).map(textOf).join('')
}
