import type { DomOSClient } from '@domos/core'
import { bindContext, bindTools, type ToolOptions } from '@domos/core/adapter'
import { heldValue, isFillable } from '@domos/core/forms'
import { elementTool } from './element-tool.ts'

/** How {@link discover} looks at a page. */
export interface DiscoverOptions {
  /** The part of the page that is followed. @default the document */
  readonly root?: Document | HTMLElement
  /** Hears, once each, why an element's attributes cannot be used. @default a warning on the console */
  readonly onProblem?: (sentence: string) => void
}

/** Attributes that say what a tool is, or what its form asks for. */
const WATCHED = [
  ...['tool', 'description', 'action', 'risk', 'target', 'schema', 'context'].map((name) => `data-domos-${name}`),
  ...[
    'name',
    'type',
    'required',
    'min',
    'max',
    'step',
    'minlength',
    'maxlength',
    'pattern',
    'multiple',
    'value',
    'disabled',
  ],
  ...['aria-label', 'placeholder', 'title'],
]

/** How much text one element gives to the context. */
const CONTEXT_TEXT_MAX = 1000

/**
 * Offers the tools and the context that elements declare by `data-domos-*` attributes, and follows the page as it changes.
 * The returned function takes them all back.
 */
export function discover(client: DomOSClient, options: DiscoverOptions = {}): () => void {
  const { root = document, onProblem = console.warn } = options
  const tools = bindTools(client)
  const context = bindContext(client)
  const told = new Set<string>()
  const problem = (sentence: string) => {
    if (told.has(sentence)) return
    told.add(sentence)
    onProblem(sentence)
  }
  const look = () => {
    tools.update(readTools(root, problem))
    context.update(readContext(root, problem))
  }
  const observer = new MutationObserver((records) => {
    // What the agent says is shown, and is nothing that it has to be told.
    if (!records.every(({ target }) => target instanceof Element && target.matches('[data-domos-show]'))) look()
  })
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: WATCHED,
  })
  // What a person types changes no attribute.
  root.addEventListener('change', look)
  look()
  return () => {
    observer.disconnect()
    root.removeEventListener('change', look)
    tools.update([])
    context.remove()
  }
}

function readTools(root: ParentNode, problem: (sentence: string) => void): readonly ToolOptions[] {
  const found = new Map<string, ToolOptions>()
  for (const element of root.querySelectorAll<HTMLElement>('[data-domos-tool]')) {
    try {
      const tool = elementTool(element)
      if (!tool.name) problem('An element has an empty data-domos-tool: give it the name of its tool.')
      else if (found.has(tool.name)) problem(`Two elements declare the tool "${tool.name}"; the first one counts.`)
      else found.set(tool.name, tool)
    } catch (error) {
      problem((error as Error).message)
    }
  }
  return [...found.values()]
}

/** `data-domos-context="name"` gives the element's value or text; a JSON object there is taken as it is. */
function readContext(root: ParentNode, problem: (sentence: string) => void): object | undefined {
  const elements = [...root.querySelectorAll('[data-domos-context]')]
  if (elements.length === 0) return undefined
  const entries = elements.flatMap((element): [string, unknown][] => {
    const key = element.getAttribute('data-domos-context') ?? ''
    if (key.startsWith('{')) {
      try {
        return Object.entries(JSON.parse(key))
      } catch {
        problem(`data-domos-context is no JSON: ${key.slice(0, 60)}`)
        return []
      }
    }
    if (element instanceof HTMLInputElement && !isFillable(element)) return []
    const value = isFillable(element) ? heldValue(element) : (element.textContent ?? '').replace(/\s+/g, ' ').trim()
    return [[key, typeof value === 'string' ? value.slice(0, CONTEXT_TEXT_MAX) : value]]
  })
  return Object.fromEntries(entries)
}
