import type { LeanNode } from '@domos/som/parse'
import {
  closest,
  collapse,
  elementById,
  findElement,
  findElements,
  getAttribute,
  hasAttribute,
  rootOf,
  stateOf,
  textOf,
} from '../document/nodes.ts'

/** Kinds of input the standard names; anything else is `text`. */
const INPUT_TYPES = new Set([
  'button',
  'checkbox',
  'color',
  'date',
  'datetime-local',
  'email',
  'file',
  'hidden',
  'image',
  'month',
  'number',
  'password',
  'radio',
  'range',
  'reset',
  'search',
  'submit',
  'tel',
  'text',
  'time',
  'url',
  'week',
])
const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea'])
const SUBMITTABLE = new Set(['button', 'input', 'select', 'textarea'])
const CAN_BE_DISABLED = new Set(['button', 'fieldset', 'input', 'optgroup', 'option', 'select', 'textarea'])
const NOT_TYPED = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'hidden',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
])

/** The type of an input element. */
export function inputType(node: LeanNode): string {
  const type = (getAttribute(node, 'type') ?? 'text').trim().toLowerCase()
  return INPUT_TYPES.has(type) ? type : 'text'
}

/** `submit`, `reset` or `button` for a button element or a button-like input, undefined for anything else. */
export function buttonType(node: LeanNode): 'submit' | 'reset' | 'button' | undefined {
  if (node.tag === 'button') {
    const type = getAttribute(node, 'type')?.trim().toLowerCase()
    if (type === 'reset' || type === 'button') return type
    if (type !== 'submit' && (hasAttribute(node, 'commandfor') || hasAttribute(node, 'command'))) return 'button'
    return 'submit'
  }
  if (node.tag !== 'input') return undefined
  const type = inputType(node)
  if (type === 'image') return 'submit'
  return type === 'submit' || type === 'reset' || type === 'button' ? type : undefined
}

/** Whether a person could type into the control. */
export function isTextControl(node: LeanNode): boolean {
  return node.tag === 'textarea' || (node.tag === 'input' && !NOT_TYPED.has(inputType(node)))
}

/** Whether an element is a control that a form can submit. */
export function isSubmittable(node: LeanNode): boolean {
  return SUBMITTABLE.has(node.tag)
}

/** The form an element belongs to. */
export function formOwner(node: LeanNode): LeanNode | undefined {
  if (node.tag === 'form') return node
  const id = getAttribute(node, 'form')
  if (id !== undefined && SUBMITTABLE.has(node.tag)) {
    const named = elementById(node, id)
    return named?.tag === 'form' ? named : undefined
  }
  return node.state?.formOwner ?? closest(node, (at) => at.tag === 'form')
}

/** Controls of a form in document order. */
export function controlsOf(form: LeanNode): LeanNode[] {
  return findElements(rootOf(form), (node) => SUBMITTABLE.has(node.tag) && formOwner(node) === form)
}

/** Disabled by itself or by a fieldset around it; the first legend of a fieldset is spared. */
export function isDisabled(node: LeanNode): boolean {
  if (!CAN_BE_DISABLED.has(node.tag)) return false
  if (hasAttribute(node, 'disabled')) return true
  if (node.tag === 'option') return node.parent?.tag === 'optgroup' && hasAttribute(node.parent, 'disabled')
  let below = node
  for (let at = node.parent; at !== undefined; below = at, at = at.parent) {
    if (at.tag !== 'fieldset' || !hasAttribute(at, 'disabled')) continue
    if (below.tag === 'legend' && firstChildElement(at, 'legend') === below) continue
    return true
  }
  return false
}

/** Why an element cannot be used: disabled by markup, said to be by ARIA, or inert. */
export function unusable(node: LeanNode): 'disabled' | 'aria-disabled' | 'inert' | undefined {
  if (isDisabled(node)) return 'disabled'
  for (let at: LeanNode | undefined = node; at !== undefined; at = at.parent) {
    if (hasAttribute(at, 'inert')) return 'inert'
    if (getAttribute(at, 'aria-disabled')?.trim().toLowerCase() === 'true') return 'aria-disabled'
  }
  return undefined
}

/** What a text control, a checkbox or a button holds. For a select use {@link selectedOptions}. */
export function controlValue(node: LeanNode): string {
  if (node.tag === 'textarea') return (node.state?.value ?? textOf(node)).replaceAll(/\r\n?/g, '\n')
  const given = node.state?.value ?? getAttribute(node, 'value')
  if (node.tag !== 'input') return given ?? ''
  switch (inputType(node)) {
    case 'checkbox':
    case 'radio':
      return getAttribute(node, 'value') ?? 'on'
    case 'file':
      return ''
    default:
      return sanitize(node, given ?? '')
  }
}

/** The value a control makes of a text by the standard's sanitization; '' for what is no value of its type. */
export function sanitize(node: LeanNode, text: string): string {
  const line = text.replaceAll(/[\r\n]/g, '')
  switch (inputType(node)) {
    case 'email':
      return hasAttribute(node, 'multiple')
        ? line
            .split(',')
            .map((part) => part.trim())
            .join(',')
        : line.trim()
    case 'url':
      return line.trim()
    case 'number':
      return isNumber(line.trim()) ? line.trim() : ''
    case 'range':
      return sanitizeRange(node, line)
    case 'date':
      return isDate(line) ? line : ''
    case 'month':
      return /^\d{4,}-(0[1-9]|1[0-2])$/.test(line) ? line : ''
    case 'week':
      return /^\d{4,}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(line) ? line : ''
    case 'time':
      return isTime(line) ? line : ''
    case 'datetime-local': {
      const [date = '', time = ''] = line.replace(' ', 'T').split('T')
      return isDate(date) && isTime(time) ? `${date}T${time}` : ''
    }
    case 'color':
      return /^#[\da-f]{6}$/i.test(line) ? line.toLowerCase() : '#000000'
    case 'hidden':
    case 'button':
    case 'submit':
    case 'reset':
      return text
    default:
      return line
  }
}

function sanitizeRange(node: LeanNode, text: string): string {
  const min = numberOr(getAttribute(node, 'min'), 0)
  const max = Math.max(min, numberOr(getAttribute(node, 'max'), 100))
  const value = isNumber(text) ? Number(text) : min + (max - min) / 2
  return String(Math.min(max, Math.max(min, value)))
}

/** A valid floating-point number of the standard. */
export function isNumber(text: string): boolean {
  return /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text !== undefined && isNumber(text.trim()) ? Number(text) : otherwise
}

function isDate(text: string): boolean {
  const parts = /^(\d{4,})-(\d{2})-(\d{2})$/.exec(text)
  if (parts === null) return false
  const day = Number(parts[3])
  const month = Number(parts[2])
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(Number(parts[1]), month, 0)).getUTCDate()
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(text)
}

/** Checkedness of a checkbox or radio. */
export function isChecked(node: LeanNode): boolean {
  return node.state?.checked ?? hasAttribute(node, 'checked')
}

/** Sets checkedness; a radio unchecks the others of its group. */
export function setChecked(node: LeanNode, checked: boolean): void {
  if (checked && inputType(node) === 'radio') for (const other of radioGroup(node)) stateOf(other).checked = false
  stateOf(node).checked = checked
}

/** The radios a radio stands for a choice with, itself included. */
export function radioGroup(node: LeanNode): LeanNode[] {
  const name = getAttribute(node, 'name') ?? ''
  if (name === '') return [node]
  const form = formOwner(node)
  return findElements(
    rootOf(node),
    (other) =>
      other.tag === 'input' &&
      inputType(other) === 'radio' &&
      getAttribute(other, 'name') === name &&
      formOwner(other) === form,
  )
}

/** Options of a select in order. */
export function optionsOf(select: LeanNode): LeanNode[] {
  return findElements(select, (node) => node.tag === 'option')
}

/** Value of an option: its attribute, else its text. */
export function optionValue(option: LeanNode): string {
  return getAttribute(option, 'value') ?? collapse(textOf(option))
}

/** What a person reads of an option. */
export function optionText(option: LeanNode): string {
  const label = getAttribute(option, 'label')
  return label === undefined || label === '' ? collapse(textOf(option)) : label
}

/** The options chosen now. */
export function selectedOptions(select: LeanNode): LeanNode[] {
  const options = optionsOf(select)
  const chosen = options.filter((option) => option.state?.selected ?? hasAttribute(option, 'selected'))
  if (hasAttribute(select, 'multiple')) return chosen
  const last = chosen.at(-1)
  if (last !== undefined) return [last]
  const size = Number(getAttribute(select, 'size') ?? '1')
  if (size > 1 || options.some((option) => option.state?.selected !== undefined)) return []
  const first = options.find((option) => !isDisabled(option))
  return first === undefined ? [] : [first]
}

/** The control a label is for. */
export function labelledControl(label: LeanNode): LeanNode | undefined {
  const id = getAttribute(label, 'for')
  if (id !== undefined) {
    const target = elementById(label, id)
    return target !== undefined && isLabelable(target) ? target : undefined
  }
  return findElement(label, isLabelable)
}

function isLabelable(node: LeanNode): boolean {
  return LABELABLE.has(node.tag) && !(node.tag === 'input' && inputType(node) === 'hidden')
}

/** A name for messages: label, aria-label, placeholder, name or id. */
export function controlName(node: LeanNode): string {
  const id = getAttribute(node, 'id')
  const label =
    (id === undefined
      ? undefined
      : findElement(rootOf(node), (at) => at.tag === 'label' && getAttribute(at, 'for') === id)) ??
    closest(node, (at) => at.tag === 'label')
  const text = label === undefined ? '' : collapse(labelText(label, node))
  for (const name of [
    text,
    ...['aria-label', 'placeholder', 'name', 'id'].map((key) => getAttribute(node, key) ?? ''),
  ]) {
    if (name.trim() !== '') return name.trim().slice(0, 80)
  }
  return node.tag === 'input' ? `${inputType(node)} input` : node.tag
}

function labelText(label: LeanNode, control: LeanNode): string {
  let text = ''
  const visit = (node: LeanNode): void => {
    for (let child = node.first; child !== undefined; child = child.next) {
      if (child === control || child.tag === 'select' || child.tag === 'textarea') continue
      if (child.type === 3) text += child.text
      else visit(child)
    }
  }
  visit(label)
  return text
}

function firstChildElement(node: LeanNode, tag: string): LeanNode | undefined {
  for (let child = node.first; child !== undefined; child = child.next) if (child.tag === tag) return child
  return undefined
}
