import type { LeanNode } from '@domos/som/parse'
import { DomosError } from '@domos/spec'
import type { Follow } from '../document/follow.ts'
import { closest, getAttribute, hasAttribute, setAttribute, stateOf } from '../document/nodes.ts'
import { buttonType, controlsOf, inputType, isDisabled, isTextControl, optionsOf } from './controls.ts'
import { multipart, plainText, urlEncode } from './encode-form.ts'
import { type ChosenFile, entryList } from './entry-list.ts'
import { invalidFields } from './validity.ts'

/** What a submission needs to know of its document. */
export interface SubmissionContext {
  readonly documentUrl: string
  readonly baseUrl: string
  readonly encoding: string
  readonly filesOf: (input: LeanNode) => readonly ChosenFile[]
}

/**
 * What submitting a form leads to, as if `submitter` had been pressed. `undefined`: nothing to load (a dialog closed).
 * @throws DomosError `conflict` with details.reason FORM_INVALID and the fields, `unsupported` for an action that is no
 * web address
 */
export function submitForm(
  form: LeanNode,
  submitter: LeanNode | undefined,
  context: SubmissionContext,
): Follow | undefined {
  const isImplicit = submitter === undefined
  if (!hasAttribute(form, 'novalidate') && (isImplicit || !hasAttribute(submitter, 'formnovalidate'))) {
    refuseInvalid(form, context)
  }
  const method = (pick(submitter, 'formmethod') ?? getAttribute(form, 'method') ?? 'get').trim().toLowerCase()
  if (method === 'dialog') {
    const dialog = closest(form, (at) => at.tag === 'dialog')
    if (dialog !== undefined) setAttribute(dialog, 'open', undefined)
    return undefined
  }
  const action = (pick(submitter, 'formaction') ?? getAttribute(form, 'action') ?? '').trim()
  const url = resolveAction(action, context)
  const encoding = encodingOf(form, context.encoding)
  const entries = entryList(form, submitter, encoding, context.filesOf)
  const target = pick(submitter, 'formtarget') ?? getAttribute(form, 'target')
  const common = { type: 'navigate', isForm: true, ...(target === undefined ? {} : { target: target.trim() }) } as const
  if (method !== 'post') {
    url.search = `?${urlEncode(entries, encoding)}`
    return { ...common, url: url.href, method: 'GET' }
  }
  const enctype = (pick(submitter, 'formenctype') ?? getAttribute(form, 'enctype') ?? '').trim().toLowerCase()
  const encoded =
    enctype === 'multipart/form-data'
      ? multipart(entries, encoding)
      : enctype === 'text/plain'
        ? plainText(entries, encoding)
        : {
            body: new TextEncoder().encode(urlEncode(entries, encoding)),
            contentType: 'application/x-www-form-urlencoded',
          }
  return { ...common, url: url.href, method: 'POST', ...encoded }
}

function refuseInvalid(form: LeanNode, context: SubmissionContext): void {
  const invalid = invalidFields(form, (input) => context.filesOf(input).length > 0)
  if (invalid.length === 0) return
  const said = invalid.slice(0, 20).map(({ name, reason }) => `${name} ${reason}`)
  throw new DomosError(
    'conflict',
    `The form was not sent: ${said.slice(0, 3).join('; ')}${invalid.length > 3 ? ' …' : ''}.`,
    {
      details: { reason: 'FORM_INVALID', fields: said, count: invalid.length },
    },
  )
}

function pick(submitter: LeanNode | undefined, name: string): string | undefined {
  return submitter === undefined ? undefined : getAttribute(submitter, name)
}

function resolveAction(action: string, context: SubmissionContext): URL {
  const url = action === '' ? context.documentUrl : action
  if (!URL.canParse(url, context.baseUrl)) {
    throw new DomosError('navigation_failed', 'The action of this form is no URL.', { details: { reason: 'BAD_URL' } })
  }
  const resolved = new URL(url, context.baseUrl)
  if (resolved.protocol === 'http:' || resolved.protocol === 'https:') return resolved
  throw new DomosError('unsupported', `Forms are sent to web addresses only, not to ${resolved.protocol}.`, {
    details: { reason: 'NOT_A_WEB_ADDRESS', scheme: resolved.protocol },
  })
}

function encodingOf(form: LeanNode, documentEncoding: string): string {
  for (const label of (getAttribute(form, 'accept-charset') ?? '').split(/[\s,]+/)) {
    try {
      if (label !== '') return new TextDecoder(label).encoding
    } catch {
      // An unknown label; the next one counts.
    }
  }
  return /^utf-16/i.test(documentEncoding) ? 'utf-8' : documentEncoding
}

/** The button that Enter presses: the first submit button in document order. */
export function defaultButton(form: LeanNode): LeanNode | undefined {
  return controlsOf(form).find((control) => buttonType(control) === 'submit')
}

/**
 * Enter in a field of a form. `undefined`: the standard lets nothing happen, because the default button is disabled or
 * several fields stand there without any button.
 */
export function implicitSubmission(
  form: LeanNode,
  context: SubmissionContext,
): { readonly follow: Follow | undefined } | undefined {
  const button = defaultButton(form)
  if (button !== undefined) return isDisabled(button) ? undefined : { follow: submitForm(form, button, context) }
  const blocking = controlsOf(form).filter((control) => control.tag === 'input' && isTextControl(control))
  return blocking.length > 1 ? undefined : { follow: submitForm(form, undefined, context) }
}

/** Gives every control of a form the value its markup states. */
export function resetForm(form: LeanNode, forgetFiles: (input: LeanNode) => void): void {
  for (const control of controlsOf(form)) {
    const state = stateOf(control)
    delete state.value
    delete state.checked
    if (control.tag === 'input' && inputType(control) === 'file') forgetFiles(control)
    if (control.tag === 'select') for (const option of optionsOf(control)) delete stateOf(option).selected
  }
}
