import { DomosError } from '@domos/spec'
import { checkedOf, heldValue, isDisabled, isTextControl } from './element-state.ts'
import { asInput, asSelect, asTextArea, viewOf } from './kinds.ts'
import { clickablePoint, type Point, reveal } from './points.ts'
import type { World } from './world.ts'

/** Input types whose value is set as a whole: what their pickers and fields take as keys depends on the locale. */
const SET_TYPES: ReadonlySet<string> = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'])

const FOREIGN: ReadonlySet<string> = new Set(['file:', 'ftp:', 'chrome:', 'view-source:', 'filesystem:'])

/** Refuses what cannot be used, and says why. */
export function refuseDisabled(world: World, node: Element): void {
  if (!isDisabled(node)) return
  throw new DomosError('conflict', `${world.describe(node)} is disabled, so nothing happened.`, {
    details: { reason: 'DISABLED' },
  })
}

/** The point to click for an element; a box or radio that is styled away is clicked through its label. */
export function pointFor(world: World, node: Element): Point {
  refuseDisabled(world, node)
  refuseForeignLink(world, node)
  const target = node.localName === 'option' ? (node.closest('select') ?? node) : node
  const input = asInput(target)
  const labels = input !== undefined && /^(?:checkbox|radio|file)$/.test(input.type) ? [...(input.labels ?? [])] : []
  if (labels.length === 0) return clickablePoint(world, target)
  try {
    return clickablePoint(world, target)
  } catch (thrown) {
    for (const label of labels) {
      try {
        return clickablePoint(world, label)
      } catch {
        // The next label may be in reach.
      }
    }
    throw thrown
  }
}

/** Links that no page may follow: the browser would do nothing and say nothing. */
function refuseForeignLink(world: World, node: Element): void {
  const { protocol = '' } = (node.closest('a[href], area[href]') ?? {}) as Partial<HTMLAnchorElement>
  if (!FOREIGN.has(protocol)) return
  throw new DomosError('forbidden', `${world.describe(node)} leads to a ${protocol} address, which is not loaded.`, {
    details: { reason: 'POLICY_DENIED', scheme: protocol },
  })
}

/** How text gets into a control: typed with keys, or set as a whole. */
export interface TypePlan {
  readonly how: 'keys' | 'set'
  readonly isMultiline: boolean
  readonly maxLength?: number
}

/** Focuses a control for typing; with `replace`, what it holds is selected and the first key replaces it. */
export function prepareTyping(world: World, node: Element, replace: boolean): TypePlan {
  refuseDisabled(world, node)
  if ((node as HTMLInputElement).readOnly === true || node.getAttribute('aria-readonly') === 'true') {
    throw new DomosError('conflict', `${world.describe(node)} is read-only, so nothing was typed.`, {
      details: { reason: 'READ_ONLY' },
    })
  }
  const input = asInput(node)
  if (input !== undefined && SET_TYPES.has(input.type)) return { how: 'set', isMultiline: false }
  if (!isTextControl(node)) {
    throw new DomosError(
      'invalid_request',
      `${world.describe(node)} takes no text; it is a ${input?.type ?? node.localName}.`,
      {
        details: { reason: 'NOT_EDITABLE' },
      },
    )
  }
  reveal(node)
  ;(node as HTMLElement).focus()
  const area = asTextArea(node)
  if (input !== undefined || area !== undefined) {
    const field = input ?? (area as HTMLTextAreaElement)
    if (replace) field.select()
    else placeAtEnd(field)
  } else {
    const selection = viewOf(node).getSelection()
    const range = node.ownerDocument.createRange()
    range.selectNodeContents(node)
    if (!replace) range.collapse(false)
    selection?.removeAllRanges()
    selection?.addRange(range)
  }
  return { how: 'keys', isMultiline: area !== undefined || input === undefined }
}

function placeAtEnd(field: HTMLInputElement | HTMLTextAreaElement): void {
  try {
    field.setSelectionRange(field.value.length, field.value.length)
  } catch {
    // Fields such as number have no selection; the caret is at their end.
  }
}

/** Sets the value of a date, time, colour or range as its picker would. @throws DomosError `invalid_request` */
export function setValue(world: World, node: Element, text: string): void {
  const input = asInput(node) as HTMLInputElement
  const before = input.value
  input.focus()
  input.value = text
  const isKept =
    text === ''
      ? true
      : input.type === 'range'
        ? Number(input.value) === Number(text)
        : input.value.startsWith(text) || text.startsWith(input.value)
  if (!isKept || (text !== '' && input.value === '')) {
    input.value = before
    throw new DomosError('invalid_request', `${world.describe(node)} takes no such value; it wants ${wanted(input)}.`, {
      details: {
        reason: 'BAD_VALUE',
        inputType: input.type,
        ...(input.min === '' ? {} : { min: input.min }),
        ...(input.max === '' ? {} : { max: input.max }),
      },
    })
  }
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

function wanted({ type, min, max }: HTMLInputElement): string {
  const forms: Readonly<Record<string, string>> = {
    date: 'YYYY-MM-DD',
    time: 'HH:MM',
    'datetime-local': 'YYYY-MM-DDTHH:MM',
    month: 'YYYY-MM',
    week: 'YYYY-Www',
    color: '#rrggbb',
    range: `a number from ${min || '0'} to ${max || '100'}`,
  }
  return forms[type] ?? type
}

/** Chooses options of a native select by value or text. @throws DomosError naming the options there are */
export function selectOptions(world: World, node: Element, wantedNames: readonly string[]): 'done' | 'custom' {
  refuseDisabled(world, node)
  const select = asSelect(node)
  if (select === undefined) return 'custom'
  const options = [...select.options]
  if (!select.multiple && wantedNames.length !== 1) {
    throw new DomosError('invalid_request', `${world.describe(node)} takes exactly one option.`, {
      details: { reason: 'ONE_OPTION' },
    })
  }
  const chosen = wantedNames.map((name) => {
    const option = findOption(options, name)
    if (option === undefined) {
      const known = options.slice(0, 20).map(({ text }) => text.trim().slice(0, 80))
      throw new DomosError(
        'invalid_request',
        `There is no option “${name.slice(0, 80)}”; there are ${known.join(', ')}.`,
        {
          details: { reason: 'NO_OPTION', options: known },
        },
      )
    }
    if (option.matches(':disabled')) {
      throw new DomosError('conflict', `The option “${option.text.trim().slice(0, 80)}” is disabled.`, {
        details: { reason: 'DISABLED' },
      })
    }
    return option
  })
  const isSame = options.every((option) => option.selected === chosen.includes(option))
  select.focus()
  if (isSame) return 'done'
  for (const option of options) option.selected = chosen.includes(option)
  select.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
  return 'done'
}

function findOption(options: readonly HTMLOptionElement[], name: string): HTMLOptionElement | undefined {
  const tidy = name.trim().replace(/\s+/g, ' ')
  const lower = tidy.toLowerCase()
  return (
    options.find((option) => option.value === name) ??
    options.find((option) => option.text === tidy || option.label === tidy) ??
    options.find((option) => option.text.toLowerCase() === lower)
  )
}

/** What a list that the page made itself shows now. */
export interface CustomOptions {
  readonly isOpen: boolean
  readonly names: readonly string[]
  /** Where to click for the wanted one. */
  readonly point?: Point
  readonly isDisabled?: boolean
}

/** Looks for the options of a custom list or combobox, and for the wanted one among them. */
export function customOptions(world: World, node: Element, name: string): CustomOptions {
  const ids = `${node.getAttribute('aria-controls') ?? ''} ${node.getAttribute('aria-owns') ?? ''}`.trim().split(/\s+/)
  const root = node.getRootNode() as Document | ShadowRoot
  const lists = ids.flatMap((id) => (id === '' ? [] : [root.getElementById(id) ?? []].flat()))
  const roots: readonly ParentNode[] = lists.length > 0 ? lists : [node, root, node.ownerDocument]
  const found = [
    ...new Set(
      roots.flatMap((each) => [...each.querySelectorAll('[role="option"], [role="menuitem"], [role="menuitemradio"]')]),
    ),
  ]
  const shown = found.filter((option) => option.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  const names = shown.map((option) =>
    (option.getAttribute('aria-label') ?? option.textContent ?? '').trim().replace(/\s+/g, ' '),
  )
  const lower = name.trim().toLowerCase()
  let index = names.indexOf(name.trim())
  if (index < 0) index = names.findIndex((each) => each.toLowerCase() === lower)
  if (index < 0)
    index = shown.findIndex(
      (option) => option.getAttribute('data-value') === name || option.getAttribute('value') === name,
    )
  const option = shown[index]
  const cut = names.slice(0, 20).map((each) => each.slice(0, 80))
  if (option === undefined) return { isOpen: shown.length > 0, names: cut }
  if (isDisabled(option)) return { isOpen: true, names: cut, isDisabled: true }
  return { isOpen: true, names: cut, point: clickablePoint(world, option) }
}

/** Sends the form an element belongs to, as its default button would. */
export function submit(world: World, node: Element): void {
  const form =
    node.localName === 'form' ? (node as HTMLFormElement) : ((node as HTMLInputElement).form ?? node.closest('form'))
  if (form === null) {
    throw new DomosError('conflict', `${world.describe(node)} belongs to no form.`, { details: { reason: 'NO_FORM' } })
  }
  const isButton =
    node.matches('button, input[type=submit], input[type=image]') && (node as HTMLButtonElement).type !== 'button'
  const button = isButton
    ? node
    : [...form.elements].find((each) =>
        each.matches('button:not([type]), button[type=submit], input[type=submit], input[type=image]'),
      )
  if (button?.matches(':disabled')) {
    throw new DomosError('conflict', 'The button that sends this form is disabled.', {
      details: { reason: 'DISABLED' },
    })
  }
  if (!form.noValidate && !form.checkValidity()) {
    const bad = [...form.elements].find((each) => each.matches(':invalid:not(fieldset)')) as
      | HTMLInputElement
      | undefined
    throw new DomosError(
      'conflict',
      `The form was not sent: ${bad === undefined ? 'a field is not valid' : `${world.describe(bad)}: ${bad.validationMessage}`}`,
      {
        details: { reason: 'INVALID_FIELD' },
      },
    )
  }
  form.requestSubmit((button as HTMLElement | undefined) ?? null)
}

/** Scrolls the page, or what scrolls around an element. Says where it is then. */
export function scroll(
  node: Element | undefined,
  document: Document,
  by: { readonly x: number; readonly y: number } | undefined,
  to: 'top' | 'bottom' | undefined,
): { readonly moved: boolean } {
  if (node !== undefined && by === undefined && to === undefined) {
    const before = node.getBoundingClientRect().top
    node.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    return { moved: node.getBoundingClientRect().top !== before }
  }
  const box = scroller(node) ?? document.scrollingElement ?? document.documentElement
  const before = [box.scrollLeft, box.scrollTop]
  if (to !== undefined) box.scrollTo({ top: to === 'top' ? 0 : box.scrollHeight, behavior: 'instant' })
  else
    box.scrollBy({
      left: by?.x ?? 0,
      top: by?.y ?? (by === undefined ? viewOf(box).innerHeight : 0),
      behavior: 'instant',
    })
  return { moved: before[0] !== box.scrollLeft || before[1] !== box.scrollTop }
}

function scroller(node: Element | undefined): Element | undefined {
  for (let at = node ?? null; at !== null; at = at.parentElement) {
    const { overflowY } = viewOf(at).getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return undefined
}

/** What an action can read back from a control. */
export function readBack(node: Element): { readonly value?: string; readonly checked?: boolean } {
  const value = heldValue(node)
  const checked = checkedOf(node)
  return { ...(value === undefined ? {} : { value }), ...(checked === undefined ? {} : { checked }) }
}
