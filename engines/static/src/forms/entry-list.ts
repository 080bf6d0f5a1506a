import type { LeanNode } from '@domos/som/parse'
import { closest, getAttribute, hasAttribute } from '../document/nodes.ts'
import {
  buttonType,
  controlsOf,
  controlValue,
  inputType,
  isChecked,
  isDisabled,
  isTextControl,
  optionValue,
  selectedOptions,
} from './controls.ts'

/** A file chosen for a file input. */
export interface ChosenFile {
  readonly name: string
  readonly data: Uint8Array
  readonly contentType: string
}

/** One entry of a form's data. */
export interface FormEntry {
  readonly name: string
  readonly value: string | ChosenFile
}

const DIRECTION_TYPES = new Set([
  'hidden',
  'text',
  'search',
  'tel',
  'url',
  'email',
  'password',
  'submit',
  'reset',
  'button',
])

/**
 * The data a form sends when `submitter` is pressed, by the HTML standard's "constructing the entry list". `filesOf`
 * gives what was chosen for a file input.
 */
export function entryList(
  form: LeanNode,
  submitter: LeanNode | undefined,
  encoding: string,
  filesOf: (input: LeanNode) => readonly ChosenFile[],
): FormEntry[] {
  const entries: FormEntry[] = []
  for (const control of controlsOf(form)) {
    if (isDisabled(control) || closest(control, (at) => at.tag === 'datalist') !== undefined) continue
    if (buttonType(control) !== undefined && control !== submitter) continue
    const type = control.tag === 'input' ? inputType(control) : control.tag
    const name = getAttribute(control, 'name') ?? ''
    if (type === 'image') {
      // Pressed from the keyboard, as an agent presses it, the point is 0,0.
      const prefix = name === '' ? '' : `${name}.`
      entries.push({ name: `${prefix}x`, value: '0' }, { name: `${prefix}y`, value: '0' })
      continue
    }
    if (name === '') continue
    if (type === 'select') {
      for (const option of selectedOptions(control)) {
        if (!isDisabled(option)) entries.push({ name, value: optionValue(option) })
      }
    } else if (type === 'checkbox' || type === 'radio') {
      if (isChecked(control)) entries.push({ name, value: controlValue(control) })
    } else if (type === 'file') {
      const files = filesOf(control)
      for (const file of files) entries.push({ name, value: file })
      if (files.length === 0) {
        entries.push({ name, value: { name: '', data: new Uint8Array(), contentType: 'application/octet-stream' } })
      }
    } else if (type === 'hidden' && name.toLowerCase() === '_charset_') {
      entries.push({ name, value: encoding })
    } else entries.push({ name, value: controlValue(control) })
    const direction = getAttribute(control, 'dirname')
    if (direction !== undefined && direction !== '' && takesDirection(control, type)) {
      entries.push({ name: direction, value: directionOf(control) })
    }
  }
  return entries
}

function takesDirection(control: LeanNode, type: string): boolean {
  return control.tag === 'textarea' || DIRECTION_TYPES.has(type)
}

function directionOf(control: LeanNode): 'ltr' | 'rtl' {
  const holder = closest(control, (at) => hasAttribute(at, 'dir'))
  const direction = holder === undefined ? undefined : getAttribute(holder, 'dir')?.toLowerCase()
  if (direction === 'rtl') return 'rtl'
  if (direction === 'auto' && isTextControl(control)) {
    const first = /[\p{L}]/u.exec(controlValue(control))?.[0] ?? ''
    return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(first) ? 'rtl' : 'ltr'
  }
  return 'ltr'
}
