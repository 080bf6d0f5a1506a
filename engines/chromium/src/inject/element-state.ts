import { isSecretField } from '@domos/som'
import type { DomNode } from '@domos/som/dom'
import type { ElementState } from '@domos/spec'
import { asInput, asSelect, asTextArea } from './kinds.ts'
import { LiveTree } from './live-tree.ts'
import type { World } from './world.ts'

const TEXT_TYPES: ReadonlySet<string> = new Set([
  ...['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'time', 'datetime-local', 'month', 'week'],
  ...['color', 'range', 'file'],
])
const CHOSEN_TYPES: ReadonlySet<string> = new Set(['color', 'range', 'file'])

/** What a control is and holds now. The role is that of the snapshot. */
export function elementState(world: World, node: Element, role: string): ElementState {
  const tag = node.localName
  const input = asInput(node)
  const select = asSelect(node)
  const options = select === undefined ? undefined : [...select.options]
  const form = (node as HTMLInputElement).form ?? undefined
  const region =
    form === undefined
      ? undefined
      : world
          .snapshot()
          .model.documents.flatMap(({ regions }) => regions)
          .find((each) => each.node === (form as unknown))
  const value = heldValue(node)
  return {
    tag,
    role,
    ...(input === undefined ? {} : { inputType: input.type }),
    ...(value === undefined ? {} : { value }),
    isSecret: isSecretField(new LiveTree(node.ownerDocument, world), node as unknown as DomNode),
    ...(checkedOf(node) === undefined ? {} : { checked: checkedOf(node) as boolean }),
    ...(options === undefined
      ? {}
      : {
          selected: options.filter((option) => option.selected).map((option) => option.text),
          options: options.map((option) => ({
            value: option.value,
            text: option.text,
            disabled: option.matches(':disabled'),
            selected: option.selected,
          })),
        }),
    disabled: isDisabled(node),
    readOnly: (node as HTMLInputElement).readOnly === true || node.getAttribute('aria-readonly') === 'true',
    visible: node.checkVisibility({ visibilityProperty: true }),
    ...(tag === 'a' && (node as HTMLAnchorElement).href !== '' ? { href: (node as HTMLAnchorElement).href } : {}),
    isEditable: isTextControl(node),
    ...(region === undefined ? {} : { formId: region.id }),
  }
}

/** Whether text can be typed into it. */
export function isTextControl(node: Element): boolean {
  if (asTextArea(node) !== undefined) return true
  const input = asInput(node)
  if (input !== undefined) return TEXT_TYPES.has(input.type) && !CHOSEN_TYPES.has(input.type)
  return (node as HTMLElement).isContentEditable === true
}

/** What it holds; undefined for what holds nothing. */
export function heldValue(node: Element): string | undefined {
  const input = asInput(node)
  if (input?.type === 'file') return [...(input.files ?? [])].map(({ name }) => name).join(', ')
  if (input !== undefined) return TEXT_TYPES.has(input.type) ? input.value : undefined
  const area = asTextArea(node)
  if (area !== undefined) return area.value
  return (node as HTMLElement).isContentEditable === true
    ? (node as HTMLElement).innerText.replace(/\n$/, '')
    : undefined
}

/** Checked, pressed or open; undefined for what is none of these. */
export function checkedOf(node: Element): boolean | undefined {
  const input = asInput(node)
  if (input !== undefined) return input.type === 'checkbox' || input.type === 'radio' ? input.checked : undefined
  if (node.localName === 'details') return (node as HTMLDetailsElement).open
  const aria = node.getAttribute('aria-checked') ?? node.getAttribute('aria-pressed')
  return aria === null ? undefined : aria === 'true'
}

/** Whether using it does nothing: disabled, in a disabled fieldset, or said to be. */
export function isDisabled(node: Element): boolean {
  return node.matches(':disabled') || node.closest('[aria-disabled="true"], [inert]') !== null
}
