import type { LeanNode } from '@domos/som/parse'
import { DomosError } from '@domos/spec'
import {
  controlName,
  controlValue,
  inputType,
  isChecked,
  isDisabled,
  isTextControl,
  optionsOf,
  optionText,
  optionValue,
  sanitize,
  selectedOptions,
  setChecked,
} from '../forms/controls.ts'
import type { ChosenFile } from '../forms/entry-list.ts'
import { click, refuseUnusable, setDetails } from './activation.ts'
import type { DocumentState } from './document-state.ts'
import type { ActOutcome } from './follow.ts'
import { closest, getAttribute, hasAttribute, stateOf } from './nodes.ts'

const EXAMPLES: Readonly<Record<string, string>> = {
  number: 'a number such as 12.5',
  date: 'a date such as 2026-11-29',
  month: 'a month such as 2026-11',
  week: 'a week such as 2026-W48',
  time: 'a time such as 14:30',
  'datetime-local': 'a date and time such as 2026-11-29T14:30',
  color: 'a colour such as #ff8800',
}

/**
 * Types into a control, as a person would: what the page does not let in is an error, and the value stays as it was.
 * @throws DomosError `conflict` (DISABLED, READ_ONLY), `invalid_request` (TOO_LONG, BAD_VALUE, NOT_TYPEABLE)
 */
export function typeText(state: DocumentState, node: LeanNode, text: string, replace: boolean): ActOutcome {
  refuseUnusable(node)
  if (isEditable(node)) throw needsScript('Editable page areas')
  const type = node.tag === 'input' ? inputType(node) : node.tag
  if (!isTextControl(node) && type !== 'color' && type !== 'range') {
    throw refused(
      'invalid_request',
      `${controlName(node)} takes no text: it is ${node.tag === 'input' ? `an input of type ${type}` : `the element <${type}>`}.`,
      'NOT_TYPEABLE',
    )
  }
  if (hasAttribute(node, 'readonly')) throw refused('conflict', `${controlName(node)} is read-only.`, 'READ_ONLY')
  const before = controlValue(node)
  const wanted = replace ? text : before + text
  const max = Number(getAttribute(node, 'maxlength') ?? Number.NaN)
  const hasLength = type === 'textarea' || ['text', 'search', 'url', 'tel', 'email', 'password'].includes(type)
  if (hasLength && max >= 0 && wanted.length > max) {
    throw new DomosError('invalid_request', `${controlName(node)} takes ${max} characters at most.`, {
      details: { reason: 'TOO_LONG', maxLength: max, length: wanted.length },
    })
  }
  const example = EXAMPLES[type]
  if (example !== undefined && wanted !== '' && sanitizedAway(node, wanted)) {
    throw refused('invalid_request', `${controlName(node)} takes ${example}.`, 'BAD_VALUE')
  }
  stateOf(node).value = type === 'textarea' ? wanted : sanitize(node, wanted)
  state.focused = node
  return { changed: controlValue(node) !== before }
}

function sanitizedAway(node: LeanNode, wanted: string): boolean {
  if (inputType(node) === 'color') return !/^#[\da-f]{6}$/i.test(wanted)
  return sanitize(node, wanted) === ''
}

function isEditable(node: LeanNode): boolean {
  const editable = closest(node, (at) => hasAttribute(at, 'contenteditable'))
  return (
    editable !== undefined &&
    getAttribute(editable, 'contenteditable')?.toLowerCase() !== 'false' &&
    !isTextControl(node)
  )
}

/** Checks or unchecks a checkbox, radio or details; does nothing when it is so already. */
export function setCheckedState(state: DocumentState, target: LeanNode, checked: boolean): ActOutcome {
  const details = target.tag === 'summary' ? target.parent : target
  if (details?.tag === 'details') {
    const before = hasAttribute(details, 'open')
    setDetails(details, checked)
    return { changed: before !== checked }
  }
  const node = target
  const type = node.tag === 'input' ? inputType(node) : node.tag
  if (type !== 'checkbox' && type !== 'radio') {
    throw refused(
      'invalid_request',
      `${controlName(node)} can be neither checked nor unchecked: it is a ${type}.`,
      'NOT_CHECKABLE',
    )
  }
  refuseUnusable(node)
  if (isChecked(node) === checked) return { changed: false }
  if (type === 'radio' && !checked) {
    throw refused(
      'invalid_request',
      'A radio button is unchecked by checking another one of its group.',
      'NOT_CHECKABLE',
    )
  }
  if (type === 'radio') return click(state, node)
  setChecked(node, checked)
  state.focused = node
  return { changed: true }
}

/**
 * Chooses options of a select by value or by text; what is not named is not chosen any more.
 * @throws DomosError `invalid_request` with the options when one does not exist, `conflict` when one is disabled
 */
export function selectOptions(state: DocumentState, node: LeanNode, wanted: readonly string[]): ActOutcome {
  if (node.tag !== 'select') {
    throw refused(
      'invalid_request',
      `${controlName(node)} is no list of options; it is a ${node.tag}.`,
      'NOT_SELECTABLE',
    )
  }
  refuseUnusable(node)
  const options = optionsOf(node)
  const isMultiple = hasAttribute(node, 'multiple')
  if (!isMultiple && wanted.length !== 1) {
    throw refused('invalid_request', `${controlName(node)} takes exactly one option.`, 'ONE_OPTION')
  }
  const chosen = wanted.map((name) => findOption(node, options, name))
  for (const option of chosen) {
    if (isDisabled(option)) {
      throw new DomosError('conflict', `The option ${optionText(option).slice(0, 80)} is disabled.`, {
        details: { reason: 'OPTION_DISABLED', options: listed(options.filter((each) => !isDisabled(each))) },
      })
    }
  }
  const before = selectedOptions(node)
  for (const option of options) stateOf(option).selected = chosen.includes(option)
  state.focused = node
  return { changed: before.length !== chosen.length || before.some((option) => !chosen.includes(option)) }
}

function findOption(select: LeanNode, options: readonly LeanNode[], name: string): LeanNode {
  const wanted = name.trim()
  const lower = wanted.toLowerCase()
  const found =
    options.find((option) => optionText(option) === wanted) ??
    options.find((option) => optionValue(option) === name) ??
    options.find((option) => optionText(option).toLowerCase() === lower)
  if (found !== undefined) return found
  throw new DomosError('invalid_request', `${controlName(select)} has no option ${wanted.slice(0, 80)}.`, {
    details: { reason: 'UNKNOWN_OPTION', options: listed(options) },
  })
}

function listed(options: readonly LeanNode[]): readonly string[] {
  return options.slice(0, 50).map((option) => optionText(option).slice(0, 80))
}

/** Chooses files for a file input. @throws DomosError `invalid_request` when it takes only one, or is none */
export function chooseFiles(state: DocumentState, node: LeanNode, files: readonly ChosenFile[]): ActOutcome {
  if (node.tag !== 'input' || inputType(node) !== 'file') {
    throw refused('invalid_request', `${controlName(node)} takes no files.`, 'NOT_A_FILE_INPUT')
  }
  refuseUnusable(node)
  if (files.length > 1 && !hasAttribute(node, 'multiple')) {
    throw refused('invalid_request', `${controlName(node)} takes one file.`, 'ONE_FILE')
  }
  state.files.set(node, files)
  stateOf(node).value = files.map(({ name }) => name).join(', ')
  state.focused = node
  return { changed: true }
}

/** What this engine cannot do because it runs no page script. */
export function needsScript(what: string): DomosError {
  return new DomosError('unsupported', `${what} need page script, which this engine does not have.`, {
    details: { reason: 'NEEDS_SCRIPT' },
  })
}

function refused(code: 'invalid_request' | 'conflict', message: string, reason: string): DomosError {
  return new DomosError(code, message, { details: { reason } })
}
