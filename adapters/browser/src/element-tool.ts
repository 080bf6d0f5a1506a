import type { ToolContext } from '@domos/core'
import type { ToolOptions } from '@domos/core/adapter'
import {
  controlSchema,
  fill,
  formSchema,
  heldValue,
  isFillable,
  labelOf,
  requireValid,
  submitForm,
} from '@domos/core/forms'

type JsonObject = Readonly<Record<string, unknown>>

/** What an element's `domos:call` event carries; a listener that prevents its default does the work itself. */
export interface CallDetail {
  readonly name: string
  readonly args: JsonObject
  readonly callId: string
  readonly signal: AbortSignal
  /** Gives the call's result; a promise is waited for. */
  respondWith(result: unknown): void
}

type Action = (element: HTMLElement, args: JsonObject) => unknown

const ACTIONS: Readonly<Record<string, Action>> = {
  click: (element) => element.click(),
  focus: (element) => element.focus(),
  scrollIntoView: (element) => element.scrollIntoView({ block: 'center' }),
  setValue: (element, { value }) => setValue(element, value),
  submit: (element, args) => submitForm(formOf(element), args),
  show: (element) => display(element, true),
  hide: (element) => display(element, false),
}

/**
 * The tool that an element declares by its attributes. What it acts on is the page's choice: arguments never select one.
 * @throws Error with a sentence when an attribute cannot be used
 */
export function elementTool(element: HTMLElement): ToolOptions {
  const read = (name: string) => element.getAttribute(`data-domos-${name}`)
  const name = read('tool') ?? ''
  const action = read('action') ?? (element instanceof HTMLFormElement ? 'submit' : 'click')
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!act)
    throw new Error(`Tool "${name}": there is no action "${action}". Use one of ${Object.keys(ACTIONS).join(', ')}.`)
  const description = read('description') || labelOf(element)
  if (!description) throw new Error(`Tool "${name}" needs data-domos-description, so that the model can choose it.`)
  const parameters = schemaOf(name, action, element, read('schema'))
  return {
    name,
    description,
    ...(parameters && { parameters }),
    risk: (read('risk') ?? 'none') as NonNullable<ToolOptions['risk']>,
    navigates: element.hasAttribute('data-domos-navigates'),
    handler: async (args: never, call: ToolContext) => {
      const target = targetOf(name, element)
      const own = await askPage(name, element, args, call)
      if (own) return own.result
      if (!element.isConnected || target.matches(':disabled, [aria-disabled="true"]') || target.closest('[inert]'))
        throw new Error(`"${labelOf(target) || name}" cannot be used now.`)
      return act(target, args) ?? { done: action }
    },
  }
}

function targetOf(name: string, element: HTMLElement): HTMLElement {
  const selector = element.getAttribute('data-domos-target')
  const target = selector ? element.ownerDocument.querySelector<HTMLElement>(selector) : element
  if (!target) throw new Error(`Tool "${name}": the page has no ${selector} now.`)
  return target
}

function schemaOf(name: string, action: string, element: HTMLElement, own: string | null): JsonObject | undefined {
  if (own) {
    try {
      return JSON.parse(own) as JsonObject
    } catch {
      throw new Error(`Tool "${name}": data-domos-schema is no JSON.`)
    }
  }
  if (action === 'submit') return formSchema(formOf(targetOf(name, element)))
  if (action !== 'setValue') return undefined
  const target = targetOf(name, element)
  const value = isFillable(target) ? controlSchema(groupOf(target)) : { type: 'string' }
  return { type: 'object', properties: { value }, required: ['value'] }
}

async function askPage(name: string, element: HTMLElement, args: JsonObject, { callId, signal }: ToolContext) {
  let result: unknown
  const respondWith = (value: unknown) => {
    result = value
  }
  const detail: CallDetail = { name, args, callId, signal, respondWith }
  const left = element.dispatchEvent(new CustomEvent('domos:call', { bubbles: true, cancelable: true, detail }))
  return left ? undefined : { result: await result }
}

function formOf(element: HTMLElement): HTMLFormElement {
  const form = element instanceof HTMLFormElement ? element : element.closest('form')
  if (!form) throw new Error('The action "submit" needs a form: put it on one, or name it in data-domos-target.')
  return form
}

function groupOf(control: Parameters<typeof fill>[0][number]) {
  if (!control.form || !control.name) return [control]
  const same = [...control.form.elements].filter(isFillable)
  return same.filter(({ name, type }) => name === control.name && type === control.type)
}

function setValue(element: HTMLElement, value: unknown): JsonObject {
  if (element.isContentEditable) {
    element.textContent = String(value)
    element.dispatchEvent(new Event('input', { bubbles: true }))
    return { value: element.textContent }
  }
  if (!isFillable(element)) throw new Error(`"${labelOf(element)}" is nothing that an agent may fill in.`)
  const group = groupOf(element)
  const before = heldValue(element)
  fill(group, value)
  try {
    requireValid(group)
  } catch (error) {
    if (group.length === 1) fill(group, before)
    throw error
  }
  return { value: heldValue(element) }
}

function display(element: HTMLElement, shown: boolean): void {
  if (element instanceof HTMLDialogElement) {
    if (!shown) element.close()
    else if (!element.open) element.showModal()
  } else if (element instanceof HTMLDetailsElement) element.open = shown
  else if (element.hasAttribute('popover')) element.togglePopover(shown)
  else element.hidden = !shown
}
