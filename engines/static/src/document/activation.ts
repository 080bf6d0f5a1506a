import type { LeanNode } from '@domos/som/parse'
import { DomosError } from '@domos/spec'
import {
  buttonType,
  controlName,
  formOwner,
  inputType,
  isChecked,
  labelledControl,
  setChecked,
  unusable,
} from '../forms/controls.ts'
import { resetForm, submitForm } from '../forms/submission.ts'
import type { DocumentState } from './document-state.ts'
import type { ActOutcome, Follow } from './follow.ts'
import {
  closest,
  elementById,
  findElement,
  findElements,
  getAttribute,
  hasAttribute,
  isElement,
  setAttribute,
} from './nodes.ts'

const CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'summary'])

/**
 * What a click does without page script: links, buttons, boxes, labels, details, dialogs and popovers.
 * @throws DomosError `conflict` with details.reason DISABLED, `unsupported` for links that are no web address
 */
export function click(state: DocumentState, clicked: LeanNode): ActOutcome {
  const node = closest(clicked, isActivatable) ?? clicked
  refuseUnusable(node)
  if (node.tag === 'a' || node.tag === 'area') return followLink(state, node)
  if (node.tag === 'label') return clickLabel(state, node)
  if (node.tag === 'summary') return toggleDetails(node)
  if (node.tag === 'input' && (inputType(node) === 'checkbox' || inputType(node) === 'radio')) {
    const before = isChecked(node)
    const after = inputType(node) === 'radio' ? true : !before
    state.focused = node
    if (before !== after) setChecked(node, after)
    return { changed: before !== after }
  }
  const kind = buttonType(node)
  if (kind !== undefined) return pressButton(state, node, kind)
  if (node.tag === 'input' || node.tag === 'textarea' || node.tag === 'select') {
    state.focused = node
    return { changed: false }
  }
  return { changed: false, notes: ['A click on this has no effect without page script.'] }
}

function isActivatable(node: LeanNode): boolean {
  if (node.tag === 'a' || node.tag === 'area') return hasAttribute(node, 'href')
  if (node.tag === 'summary') return node.parent?.tag === 'details'
  return node.tag === 'label' || CONTROLS.has(node.tag)
}

/** @throws DomosError `conflict` naming why the element cannot be used now */
export function refuseUnusable(node: LeanNode): void {
  const why = unusable(node)
  if (why === undefined) return
  throw new DomosError(
    'conflict',
    `${controlName(node)} is ${why === 'inert' ? 'inert: something else has to be answered first' : 'disabled'}.`,
    { details: { reason: why === 'inert' ? 'INERT' : 'DISABLED', how: why } },
  )
}

function clickLabel(state: DocumentState, label: LeanNode): ActOutcome {
  const control = labelledControl(label)
  if (control === undefined) return { changed: false, notes: ['This label belongs to no control.'] }
  return click(state, control)
}

function toggleDetails(summary: LeanNode): ActOutcome {
  const details = summary.parent as LeanNode
  setDetails(details, !hasAttribute(details, 'open'))
  return { changed: true }
}

/** Opens or closes a details element; opening closes the others of its group. */
export function setDetails(details: LeanNode, open: boolean): void {
  setAttribute(details, 'open', open ? '' : undefined)
  const name = getAttribute(details, 'name')
  if (!open || name === undefined || name === '') return
  let root = details
  while (root.parent !== undefined) root = root.parent
  const group = findElements(root, (node) => node.tag === 'details' && getAttribute(node, 'name') === name)
  for (const other of group) if (other !== details) setAttribute(other, 'open', undefined)
}

function pressButton(state: DocumentState, button: LeanNode, kind: 'submit' | 'reset' | 'button'): ActOutcome {
  state.focused = button
  const form = formOwner(button)
  if (form !== undefined && kind === 'submit') return outcomeOf(submitForm(form, button, state.submission()))
  if (form !== undefined && kind === 'reset') {
    resetForm(form, (input) => state.files.delete(input))
    return { changed: true }
  }
  return declarativeCommand(button) ?? { changed: false, notes: ['This button has no effect without page script.'] }
}

/** An outcome that follows what a form submission came to. */
export function outcomeOf(follow: Follow | undefined): ActOutcome {
  return follow === undefined ? { changed: true } : { changed: false, follow }
}

/** `command` and `commandfor` for dialogs, and closing by `popovertarget`: what markup alone can do. */
function declarativeCommand(button: LeanNode): ActOutcome | undefined {
  const targetId = getAttribute(button, 'commandfor')
  const command = getAttribute(button, 'command')?.trim().toLowerCase()
  if (targetId === undefined || command === undefined) return undefined
  const target = elementById(button, targetId)
  if (target?.tag !== 'dialog') return undefined
  if (command === 'show-modal') setAttribute(target, 'open', '')
  else if (command === 'close' || command === 'request-close') setAttribute(target, 'open', undefined)
  else return undefined
  return { changed: true }
}

function followLink(state: DocumentState, link: LeanNode): ActOutcome {
  const href = (getAttribute(link, 'href') ?? '').trim()
  state.focused = link
  if (/^\s*javascript:/i.test(href)) {
    throw new DomosError('unsupported', 'This link runs page script, which this engine does not have.', {
      details: { reason: 'SCRIPT_LINK' },
    })
  }
  if (!URL.canParse(href, state.baseUrl)) {
    throw new DomosError('navigation_failed', 'The address of this link is no URL.', { details: { reason: 'BAD_URL' } })
  }
  const url = new URL(href, state.baseUrl)
  if (/^(mailto|tel|sms|data|blob|about|ws|wss):$/.test(url.protocol)) {
    throw new DomosError('unsupported', `This link is no web page but ${url.protocol}.`, {
      details: { reason: 'NOT_A_WEB_ADDRESS', scheme: url.protocol },
    })
  }
  const target = getAttribute(link, 'target') ?? baseTarget(state)
  const download = getAttribute(link, 'download')
  if (download !== undefined) {
    // As in browsers, another origin decides for itself.
    const isSameOrigin = url.origin === new URL(state.url).origin
    if (isSameOrigin) {
      return {
        changed: false,
        follow: { type: 'download', url: url.href, name: download === '' ? undefined : download },
      }
    }
  }
  if (isSelf(target) && isFragmentOf(url, state.url)) {
    return { changed: false, follow: { type: 'fragment', url: url.href } }
  }
  return {
    changed: false,
    follow: {
      type: 'navigate',
      url: url.href,
      method: 'GET',
      ...(target === undefined ? {} : { target: target.trim() }),
    },
  }
}

function isSelf(target: string | undefined): boolean {
  const name = target?.trim().toLowerCase() ?? ''
  return name === '' || name === '_self' || name === '_parent' || name === '_top'
}

function isFragmentOf(url: URL, documentUrl: string): boolean {
  if (!url.href.includes('#')) return false
  return url.href.replace(/#.*$/, '') === documentUrl.replace(/#.*$/, '')
}

function baseTarget(state: DocumentState): string | undefined {
  const base = findElement(
    state.tree.document,
    (node) => isElement(node) && node.tag === 'base' && hasAttribute(node, 'target'),
  )
  return base === undefined ? undefined : getAttribute(base, 'target')
}
