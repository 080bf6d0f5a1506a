import { tidy } from './accessible-name.ts'
import type { ElementModelInput } from './element-input.ts'
import { inputType } from './roles.ts'
import type { AttributeValue, ElementRole, SomOption } from './som.ts'
import { type DocumentTree, nextInTree, rawText } from './tree.ts'

type Kind = 'string' | 'true' | 'boolean-or-string' | 'integer'

// Which attributes an element of which roles shows, and as what. Everything else stays in the page.
const everywhere: Readonly<Record<string, readonly [key: string, kind: Kind]>> = {
  accesskey: ['accesskey', 'string'],
  tabindex: ['tabindex', 'integer'],
  spellcheck: ['spellcheck', 'boolean-or-string'],
  draggable: ['draggable', 'boolean-or-string'],
  popover: ['popover', 'string'],
}
const link: typeof everywhere = {
  href: ['href', 'string'],
  target: ['target', 'string'],
  rel: ['rel', 'string'],
  hreflang: ['hreflang', 'string'],
  referrerpolicy: ['referrerpolicy', 'string'],
  download: ['download', 'boolean-or-string'],
}
const control: typeof everywhere = {
  name: ['name', 'string'],
  form: ['form', 'string'],
  autocomplete: ['autocomplete', 'string'],
  required: ['required', 'true'],
  readonly: ['readonly', 'true'],
  multiple: ['multiple', 'true'],
  size: ['size', 'integer'],
  placeholder: ['placeholder', 'string'],
  inputmode: ['inputmode', 'string'],
  enterkeyhint: ['enterkeyhint', 'string'],
  autocapitalize: ['autocapitalize', 'string'],
  dirname: ['dirname', 'string'],
  list: ['list', 'string'],
  accept: ['accept', 'string'],
  capture: ['capture', 'boolean-or-string'],
  minlength: ['minlength', 'integer'],
  maxlength: ['maxlength', 'integer'],
  min: ['min', 'integer'],
  max: ['max', 'integer'],
  step: ['step', 'string'],
  pattern: ['pattern', 'string'],
}
const button: typeof everywhere = {
  name: ['name', 'string'],
  form: ['form', 'string'],
  popovertarget: ['popovertarget', 'string'],
  popovertargetaction: ['popovertargetaction', 'string'],
  commandfor: ['commandfor', 'string'],
  command: ['command', 'string'],
  formaction: ['formaction', 'string'],
  formmethod: ['formmethod', 'string'],
  formenctype: ['formenctype', 'string'],
  formtarget: ['formtarget', 'string'],
  formnovalidate: ['formnovalidate', 'true'],
  accept: ['accept', 'string'],
  multiple: ['multiple', 'true'],
  capture: ['capture', 'boolean-or-string'],
  required: ['required', 'true'],
}
const iframe: typeof everywhere = {
  src: ['src', 'string'],
  name: ['name', 'string'],
  sandbox: ['sandbox', 'string'],
  allow: ['allow', 'string'],
  width: ['width', 'string'],
  height: ['height', 'string'],
  referrerpolicy: ['referrerpolicy', 'string'],
}
const byRole: Readonly<Partial<Record<ElementRole, typeof everywhere>>> = {
  link: { ...everywhere, ...link, type: ['type', 'string'] },
  button: { ...everywhere, ...button, ...link },
  text_input: { ...everywhere, ...control },
  textarea: { ...everywhere, ...control },
  select: { ...everywhere, ...control },
  checkbox: { ...everywhere, ...control },
  radio: { ...everywhere, ...control },
  image: { ...everywhere, src: ['src', 'string'] },
  iframe: { ...everywhere, ...iframe },
}

const tables = new Map(Object.entries(byRole).map(([role, table]) => [role, new Map(Object.entries(table))]))
const everywhereTable = new Map(Object.entries(everywhere))

const ariaBooleans = new Set([
  'expanded',
  'selected',
  'readonly',
  'disabled',
  'pressed',
  'busy',
  'atomic',
  'multiline',
  'multiselectable',
  'grabbed',
])
const ariaEither = new Set(['checked', 'current', 'haspopup', 'invalid'])
const ariaStrings = new Set([
  'controls',
  'placeholder',
  'autocomplete',
  'errormessage',
  'keyshortcuts',
  'roledescription',
  'live',
  'relevant',
  'owns',
  'flowto',
  'details',
  'orientation',
  'sort',
  'level',
  'posinset',
  'setsize',
  'dropeffect',
  'valuemin',
  'valuemax',
  'valuenow',
  'valuetext',
])

/** Fills `attrs` and `ext` of an element from its markup and live state. Keys follow the order of the source. */
export function readAttributes<N extends object>(input: ElementModelInput<N>): Record<string, AttributeValue> {
  const { tree, node, role, ext } = input
  const attrs: Record<string, AttributeValue> = {}
  const table = tables.get(role) ?? everywhereTable
  let aria: Record<string, string | boolean> | undefined
  for (const name of tree.attributeNames(node)) {
    const entry = table.get(name)
    if (entry !== undefined) {
      const value = coerce(tree.attribute(node, name) ?? '', entry[1], input.maxChars)
      if (value !== undefined) attrs[entry[0]] = value
    } else if (name.startsWith('aria-')) {
      const value = tree.attribute(node, name) ?? ''
      const key = name.slice(5)
      const state = ariaState(key, value)
      if (state !== undefined) {
        aria ??= {}
        aria[key === 'activedescendant' ? 'active_descendant' : key] = state
      } else if (ariaBooleans.has(key) && value !== '' && value !== 'undefined') {
        ext.raw ??= {}
        ext.raw[name] = value.slice(0, 200)
      }
    }
  }
  readState(input, attrs)
  const testId =
    tree.attribute(node, 'data-testid') ?? tree.attribute(node, 'data-test') ?? tree.attribute(node, 'data-qa')
  if (testId !== undefined) attrs['test_id'] = testId
  const sourceRole = tree.attribute(node, 'role')
  if (sourceRole !== undefined && sourceRole.trim() !== '') attrs['source_role'] = sourceRole.trim()
  if (aria !== undefined) attrs['aria'] = aria
  return attrs
}

function readState<N extends object>(input: ElementModelInput<N>, attrs: Record<string, AttributeValue>): void {
  const { tree, node, tag, role, ext } = input
  if (tag === 'input') attrs['input_type'] = inputType(tree, node)
  if (tag === 'button') attrs['button_type'] = tree.attribute(node, 'type')?.trim().toLowerCase() || 'submit'
  else if (tag === 'input' && role === 'button') attrs['button_type'] = inputType(tree, node)
  if (role === 'text_input' || role === 'textarea') {
    const secret = input.isSecret(node)
    let value = tree.value?.(node)
    if (value === undefined) value = tag === 'input' ? tree.attribute(node, 'value') : rawText(tree, node)
    value ??= ''
    if (secret) ext.value_state = value === '' ? 'empty' : 'filled'
    else if (value !== '') attrs['value'] = role === 'textarea' ? tidy(value) : value
    if (tag !== 'input' && tag !== 'textarea') {
      const editable = tree.attribute(node, 'contenteditable')
      if (editable !== undefined) {
        attrs['contenteditable'] = true
        if (tree.attribute(node, 'role') === undefined) ext.inferred = 'contenteditable'
      }
    }
  } else if (role === 'checkbox' || role === 'radio') {
    const native = tag === 'input'
    attrs['checked'] = native
      ? (tree.checked?.(node) ?? tree.attribute(node, 'checked') !== undefined)
      : tree.attribute(node, 'aria-checked') === 'true'
    const value = tree.attribute(node, 'value')
    if (value !== undefined && value !== '') attrs['value'] = value
    const name = tree.attribute(node, 'name')
    if (role === 'radio' && native && name !== undefined) attrs['group'] = name
  } else if (role === 'button' && tag === 'button') {
    const value = tree.attribute(node, 'value')
    if (value !== undefined && value !== '') attrs['value'] = value
  } else if (role === 'button' && tag === 'input' && inputType(tree, node) !== 'file') {
    const value = tree.value?.(node) ?? tree.attribute(node, 'value')
    if (value !== undefined && value !== '') attrs['value'] = value
  }
  const ariaTrue = (name: string): boolean => tree.attribute(node, name)?.toLowerCase() === 'true'
  if (ariaTrue('aria-required')) attrs['required'] = true
  if (ariaTrue('aria-readonly')) attrs['readonly'] = true
  if (input.disabled || ariaTrue('aria-disabled')) attrs['disabled'] = true
  if (input.inert) attrs['inert'] = true
}

function coerce(value: string, kind: Kind, maxChars: number): AttributeValue | undefined {
  switch (kind) {
    case 'true':
      return true
    case 'integer':
      return /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value === '' ? undefined : value.slice(0, maxChars)
    case 'boolean-or-string':
      if (value === '' || value === 'true') return true
      return value === 'false' ? false : value.slice(0, maxChars)
    default:
      if (value.length <= 200) return value
      // The payload of a data URL is bulk, not information.
      if (/^data:/i.test(value)) return `${value.slice(0, Math.min(100, Math.max(5, value.indexOf(',') + 1)))}`
      return value.length > maxChars ? value.slice(0, maxChars).toWellFormed() : value
  }
}

function ariaState(key: string, value: string): string | boolean | undefined {
  const text = value.trim()
  if (ariaBooleans.has(key)) return text === 'true' ? true : text === 'false' ? false : undefined
  if (text === '') return undefined
  if (ariaEither.has(key)) return text === 'true' ? true : text === 'false' ? false : text.slice(0, 200)
  if (key === 'activedescendant' || ariaStrings.has(key)) return text.slice(0, 400)
  return undefined
}

/** All options of a select in order; the first one is selected when none is and the select takes one. */
export function readOptions<N extends object>(
  tree: DocumentTree<N>,
  select: N,
): { readonly options: SomOption[]; readonly selected: string[] } {
  const found: { value: string; text: string; selected: boolean; disabled: boolean; group: string | undefined }[] = []
  let group: string | undefined
  let groupNode: N | undefined
  let groupDisabled = false
  for (let node = nextInTree(tree, select, select); node !== undefined; ) {
    const tag = tree.tag(node)
    let skip = false
    if (groupNode !== undefined && tree.parent(node) === select) {
      groupNode = undefined
      group = undefined
      groupDisabled = false
    }
    if (tag === 'optgroup') {
      groupNode = node
      group = tidy(tree.attribute(node, 'label') ?? '')
      groupDisabled = tree.attribute(node, 'disabled') !== undefined
    } else if (tag === 'option') {
      const text = tidy(tree.attribute(node, 'label') ?? rawText(tree, node))
      found.push({
        value: tree.attribute(node, 'value') ?? text,
        text,
        selected: tree.selected?.(node) ?? tree.attribute(node, 'selected') !== undefined,
        disabled: groupDisabled || tree.attribute(node, 'disabled') !== undefined,
        group,
      })
      skip = true
    }
    node = nextInTree(tree, node, select, skip) as N
  }
  const multiple = tree.attribute(select, 'multiple') !== undefined
  if (!multiple) {
    // Markup may mark several; a select that takes one shows the last of them, or the first that can be chosen.
    const last = found.findLastIndex((option) => option.selected)
    const shown = last >= 0 ? last : found.findIndex((option) => !option.disabled)
    const size = Number(tree.attribute(select, 'size') ?? '1')
    found.forEach((option, index) => {
      option.selected = index === shown && (last >= 0 || !(size > 1))
    })
  }
  return {
    options: found.map(({ value, text, selected, disabled, group: label }) => ({
      value,
      text,
      ...(selected ? { selected: true as const } : {}),
      ...(disabled ? { disabled: true as const } : {}),
      ...(label === undefined || label === '' ? {} : { group: label }),
    })),
    selected: found.filter((option) => option.selected).map((option) => option.value),
  }
}
