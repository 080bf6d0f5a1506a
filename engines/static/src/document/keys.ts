import type { LeanNode } from '@domos/som/parse'
import { DomosError } from '@domos/spec'
import { controlValue, formOwner, inputType, isDisabled, isTextControl } from '../forms/controls.ts'
import { implicitSubmission } from '../forms/submission.ts'
import { click, outcomeOf, refuseUnusable } from './activation.ts'
import type { DocumentState } from './document-state.ts'
import { typeText } from './editing.ts'
import type { ActOutcome } from './follow.ts'
import { closest, findElements, getAttribute, hasAttribute, setAttribute } from './nodes.ts'

const FOCUSABLE = new Set(['a', 'area', 'button', 'input', 'select', 'summary', 'textarea'])

/**
 * Presses one key on the focused element: Enter, Space, Tab, Escape, Backspace, Delete or a character.
 * @throws DomosError `unsupported` for keys that only page script would hear
 */
export function pressKey(state: DocumentState, target: LeanNode | undefined, keys: string): ActOutcome {
  if (target !== undefined) state.focused = target
  const node = state.focused
  const key = keys === ' ' ? 'Space' : keys
  if (key === 'Tab' || key === 'Shift+Tab') return moveFocus(state, key === 'Tab' ? 1 : -1)
  if (key === 'Escape') return closeDialog(state, node)
  if (node === undefined) {
    throw new DomosError('conflict', 'Nothing has the focus; name a target.', { details: { reason: 'NO_FOCUS' } })
  }
  if (key === 'Enter' || key === 'NumpadEnter') return pressEnter(state, node)
  if (key === 'Space' && !isTextControl(node)) return node.tag === 'a' ? { changed: false } : click(state, node)
  if (key === 'Backspace' || key === 'Delete') {
    return typeText(
      state,
      node,
      key === 'Backspace' ? [...controlValue(node)].slice(0, -1).join('') : controlValue(node),
      true,
    )
  }
  const text = key === 'Space' ? ' ' : key
  if ([...text].length === 1 && isTextControl(node)) return typeText(state, node, text, false)
  throw new DomosError('unsupported', `The key ${key.slice(0, 40)} does nothing here without page script.`, {
    details: { reason: 'NEEDS_SCRIPT' },
  })
}

function pressEnter(state: DocumentState, node: LeanNode): ActOutcome {
  refuseUnusable(node)
  if (node.tag === 'textarea') return typeText(state, node, '\n', false)
  const isField = node.tag === 'input' && (isTextControl(node) || ['checkbox', 'radio'].includes(inputType(node)))
  if (!isField) return node.tag === 'select' ? { changed: false } : click(state, node)
  const form = formOwner(node)
  if (form === undefined) return { changed: false, notes: ['This field belongs to no form; Enter does nothing.'] }
  const submitted = implicitSubmission(form, state.submission())
  return submitted === undefined
    ? { changed: false, notes: ['Enter does not send this form: press one of its buttons.'] }
    : outcomeOf(submitted.follow)
}

function moveFocus(state: DocumentState, step: 1 | -1): ActOutcome {
  const stops = findElements(
    state.tree.document,
    (node) =>
      (FOCUSABLE.has(node.tag) || hasAttribute(node, 'tabindex')) &&
      getAttribute(node, 'tabindex') !== '-1' &&
      !isDisabled(node) &&
      !(node.tag === 'input' && inputType(node) === 'hidden') &&
      !((node.tag === 'a' || node.tag === 'area') && !hasAttribute(node, 'href')),
  )
  const at = state.focused === undefined ? (step === 1 ? -1 : stops.length) : stops.indexOf(state.focused)
  state.focused = stops[at + step]
  return { changed: false }
}

function closeDialog(state: DocumentState, node: LeanNode | undefined): ActOutcome {
  const open = (at: LeanNode): boolean => at.tag === 'dialog' && hasAttribute(at, 'open')
  const dialog =
    (node === undefined ? undefined : closest(node, open)) ?? findElements(state.tree.document, open).at(-1)
  if (dialog === undefined) return { changed: false }
  setAttribute(dialog, 'open', undefined)
  return { changed: true }
}
