import { DomosError, type ElementState, type JsonValue, type ResolvedTarget } from '@domos/spec'
import { type ActContext, shown, textValue } from './act-context.ts'
import { readFiles, selectIn, setChecked, typeInto } from './primitives.ts'

/** A field of a form, found by what a person would call it. */
export interface FoundField {
  readonly key: string
  readonly target: ResolvedTarget
  readonly state: ElementState
}

const FIELD_ROLES: ReadonlySet<string> = new Set(['text_input', 'textarea', 'select', 'checkbox', 'radio', 'button'])

const TYPED_ROLES = ['text_input', 'textarea', 'select', 'checkbox'] as const

/**
 * Finds a field by label, placeholder, or its name or id in the markup. With a form, only in that.
 * @throws DomosError `conflict` when several fit equally well
 */
export async function findField(
  context: ActContext,
  key: string,
  value: JsonValue,
  formId: string | undefined,
): Promise<FoundField | undefined> {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  const labels = words === key ? [key] : [key, words]
  for (const label of labels) {
    const found = pick(key, await candidates(context, { label }, formId))
    if (found !== undefined)
      return found.state.inputType === 'radio' ? radioFor(context, key, value, found, formId) : found
  }
  const name = key.replaceAll(/["\\]/g, '')
  for (const css of [`[name="${name}"]`, `[id="${name}"]`, `[autocomplete="${name.replaceAll('_', '-')}"]`]) {
    const found = await candidates(context, { css }, formId)
    const radio = found.find(({ state }) => state.inputType === 'radio')
    if (radio !== undefined) return radioFor(context, key, value, { key, ...radio }, formId)
    const picked = pick(key, found)
    if (picked !== undefined) return picked
  }
  const alike = await byLetters(context, key, formId)
  const spelled = pick(key, alike)
  if (spelled !== undefined) return spelled
  // A group of radio buttons is named by its legend, its choices by their labels.
  if (typeof value === 'string') {
    const radios = (await candidates(context, { role: 'radio', label: value }, formId)).filter(
      ({ target }) => target.confidence >= 0.95,
    )
    if (radios.length === 1 && radios[0] !== undefined) return { key, ...radios[0] }
  }
  return undefined
}

type Candidate = Omit<FoundField, 'key'>

async function candidates(
  context: ActContext,
  query: { readonly label?: string; readonly css?: string; readonly role?: string },
  formId: string | undefined,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const target of await context.page.engine.query(query, 50)) {
    if (!FIELD_ROLES.has(target.role)) continue
    const state = await context.page.engine.element(target.elementId)
    if (state === undefined || (target.role === 'button' && state.inputType !== 'file')) continue
    if (formId === undefined || state.formId === formId) found.push({ target, state })
  }
  return found
}

function pick(key: string, found: readonly Candidate[]): FoundField | undefined {
  const first = found[0]
  if (first === undefined) return undefined
  const level = found.filter(({ target }) => target.confidence > first.target.confidence - 0.05)
  const isOneGroup = level.every(({ state }) => state.inputType === 'radio')
  if (level.length === 1 || isOneGroup) return { key, ...first }
  throw new DomosError(
    'conflict',
    `${level.length} fields are called ${key.slice(0, 60)}; name a form as target, or act on one of them.`,
    {
      details: { field: key.slice(0, 60), candidates: level.slice(0, 5).map(({ target }) => target.elementId) },
    },
  )
}

/** Fields whose label has the same letters: `Email` is `E-mail *`. */
async function byLetters(context: ActContext, key: string, formId: string | undefined): Promise<Candidate[]> {
  const wanted = letters(key)
  if (wanted === '') return []
  const found: Candidate[] = []
  for (const role of TYPED_ROLES) {
    for (const candidate of await candidates(context, { role }, formId)) {
      if (letters(candidate.target.text) === wanted) found.push(candidate)
    }
  }
  return found
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
}

/** Of a group of radio buttons, the one that a value names. */
async function radioFor(
  context: ActContext,
  key: string,
  value: JsonValue,
  first: FoundField,
  formId: string | undefined,
): Promise<FoundField> {
  if (value === true || typeof value !== 'string') return first
  const byLabel = await candidates(context, { role: 'radio', label: value }, formId)
  const fitting = byLabel.filter(({ target }) => target.confidence >= 0.95)
  if (fitting.length === 1 && fitting[0] !== undefined) return { key, ...fitting[0] }
  const quoted = value.replaceAll(/["\\]/g, '')
  const byValue = await candidates(context, { css: `input[type=radio][value="${quoted}"]` }, formId)
  if (byValue.length === 1 && byValue[0] !== undefined) return { key, ...byValue[0] }
  throw new DomosError('invalid_request', `${key.slice(0, 60)} has no choice ${value.slice(0, 60)}.`, {
    details: { reason: 'UNKNOWN_OPTION', field: key.slice(0, 60) },
  })
}

/** Gives a field a value in the way its kind takes one; gives what it holds then. */
export async function setField(
  context: ActContext,
  { target, state, key }: FoundField,
  value: JsonValue,
): Promise<JsonValue> {
  const { elementId } = target
  const { limits } = context.page.environment
  if (state.inputType === 'file') {
    await context.perform({ type: 'upload', elementId, files: readFiles(value, limits.maxDownloadBytes) })
    return shown(await context.state(elementId))
  }
  if (state.inputType === 'radio') return (await setChecked(context, elementId, true)).value
  if (state.checked !== undefined) return (await setChecked(context, elementId, isYes(key, value))).value
  if (state.options !== undefined) return (await selectIn(context, elementId, value)).value
  return (await typeInto(context, elementId, textValue(value, `The field ${key}`, limits.maxTypedChars), true)).value
}

function isYes(key: string, value: JsonValue): boolean {
  if (typeof value === 'boolean') return value
  const word = String(value).trim().toLowerCase()
  if (['true', 'yes', 'on', '1', 'checked'].includes(word)) return true
  if (['false', 'no', 'off', '0', '', 'unchecked'].includes(word)) return false
  throw new DomosError('invalid_request', `${key.slice(0, 60)} is a checkbox; give true or false.`, {
    details: { field: key.slice(0, 60) },
  })
}

/** Names of the fields on the page, to offer when one was not found. */
export async function fieldNames(context: ActContext, formId: string | undefined): Promise<readonly string[]> {
  const names: string[] = []
  for (const role of [...TYPED_ROLES, 'radio']) {
    for (const { target } of await candidates(context, { role }, formId)) {
      if (target.text !== '') names.push(target.text.slice(0, 60))
    }
  }
  return names.slice(0, 40)
}
