import { re2Pattern } from '@domos/som'
import type { LeanNode } from '@domos/som/parse'
import { closest, getAttribute, hasAttribute } from '../document/nodes.ts'
import {
  buttonType,
  controlName,
  controlsOf,
  controlValue,
  inputType,
  isChecked,
  isDisabled,
  isNumber,
  optionsOf,
  optionValue,
  radioGroup,
  sanitize,
  selectedOptions,
} from './controls.ts'

/** Invalid fields that are named; looking for names costs a walk through the page each. */
const MAX_NAMED = 20

/** A control that does not allow its form to be sent, and why. */
export interface InvalidField {
  readonly node: LeanNode
  /** Empty for those beyond the first 20. */
  readonly name: string
  readonly reason: string
}

const READ_ONLY_NOT_APPLIED = new Set([
  'checkbox',
  'radio',
  'file',
  'color',
  'range',
  'hidden',
  'submit',
  'image',
  'reset',
  'button',
])
const LENGTHS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'textarea'])
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** The fields of a form that break their own rules (HTML, "Constraints"), in document order. */
export function invalidFields(form: LeanNode, hasFiles: (input: LeanNode) => boolean): InvalidField[] {
  const found: InvalidField[] = []
  const seenGroups = new Set<string>()
  for (const node of controlsOf(form)) {
    if (isBarred(node)) continue
    if (node.tag === 'input' && inputType(node) === 'radio') {
      // Within one form the name alone makes the group; radios without one stand alone.
      const group = getAttribute(node, 'name') ?? ''
      if (group !== '' && seenGroups.has(group)) continue
      seenGroups.add(group)
    }
    const reason = whyInvalid(node, hasFiles)
    if (reason !== undefined) found.push({ node, name: found.length < MAX_NAMED ? controlName(node) : '', reason })
  }
  return found
}

function isBarred(node: LeanNode): boolean {
  if (isDisabled(node) || buttonType(node) !== undefined) return true
  if (closest(node, (at) => at.tag === 'datalist') !== undefined) return true
  if (node.tag === 'textarea') return hasAttribute(node, 'readonly')
  if (node.tag !== 'input') return false
  const type = inputType(node)
  return type === 'hidden' || (hasAttribute(node, 'readonly') && !READ_ONLY_NOT_APPLIED.has(type))
}

function whyInvalid(node: LeanNode, hasFiles: (input: LeanNode) => boolean): string | undefined {
  if (node.tag === 'select') return selectMissing(node) ? 'a choice is required' : undefined
  const type = node.tag === 'textarea' ? 'textarea' : inputType(node)
  const required = hasAttribute(node, 'required')
  if (type === 'checkbox') return required && !isChecked(node) ? 'must be checked' : undefined
  if (type === 'radio') {
    const group = radioGroup(node)
    const needed = group.some((radio) => hasAttribute(radio, 'required'))
    return needed && !group.some(isChecked) ? 'one of its choices is required' : undefined
  }
  if (type === 'file') return required && !hasFiles(node) ? 'a file is required' : undefined
  const typed = node.state?.value
  const value = controlValue(node)
  if (typed !== undefined && typed.trim() !== '' && value === '' && sanitize(node, typed) === '')
    return `is no valid ${type}`
  if (value === '') return required && type !== 'color' && type !== 'range' ? 'is required' : undefined
  return whyMistyped(node, type, value) ?? whyOutOfRange(node, type, value)
}

/** The placeholder option of a required select is no choice. */
function selectMissing(select: LeanNode): boolean {
  if (!hasAttribute(select, 'required')) return false
  const chosen = selectedOptions(select)
  if (chosen.length === 0) return true
  if (hasAttribute(select, 'multiple')) return false
  const first = optionsOf(select)[0]
  return chosen[0] === first && first !== undefined && optionValue(first) === '' && first.parent === select
}

function whyMistyped(node: LeanNode, type: string, value: string): string | undefined {
  if (type === 'email') {
    const parts = hasAttribute(node, 'multiple') ? value.split(',') : [value]
    if (!parts.every((part) => EMAIL.test(part.trim()))) return 'is no valid e-mail address'
  }
  if (type === 'url' && !URL.canParse(value)) return 'is no complete URL'
  if (LENGTHS.has(type)) {
    const length = value.length
    const max = Number(getAttribute(node, 'maxlength') ?? Number.NaN)
    const min = Number(getAttribute(node, 'minlength') ?? Number.NaN)
    // As in browsers, lengths count only for what somebody typed.
    if (node.state?.value !== undefined && max >= 0 && length > max) return `may have ${max} characters at most`
    if (node.state?.value !== undefined && min >= 0 && length < min) return `must have at least ${min} characters`
  }
  const pattern = getAttribute(node, 'pattern')
  if (pattern === undefined || type === 'textarea' || !LENGTHS.has(type)) return undefined
  const parts = type === 'email' && hasAttribute(node, 'multiple') ? value.split(',') : [value]
  return parts.every((part) => matchesPattern(pattern, part))
    ? undefined
    : `does not match the pattern ${pattern.slice(0, 60)}${titleOf(node)}`
}

function titleOf(node: LeanNode): string {
  const title = getAttribute(node, 'title')
  return title === undefined || title === '' ? '' : ` (${title.slice(0, 80)})`
}

function matchesPattern(pattern: string, value: string): boolean {
  try {
    // Patterns are the page's: they run in linear time or not at all.
    return re2Pattern(`^(?:${pattern})$`).find(value) !== undefined
  } catch {
    return true
  }
}

function whyOutOfRange(node: LeanNode, type: string, value: string): string | undefined {
  const ranged = ['number', 'range', 'date', 'month', 'week', 'time', 'datetime-local']
  if (!ranged.includes(type)) return undefined
  const numeric = type === 'number' || type === 'range'
  const min = getAttribute(node, 'min')
  const max = getAttribute(node, 'max')
  const below =
    min !== undefined && (numeric ? isNumber(min) && Number(value) < Number(min) : min !== '' && value < min)
  if (below) return `must be at least ${min}`
  const above =
    max !== undefined && (numeric ? isNumber(max) && Number(value) > Number(max) : max !== '' && value > max)
  if (above) return `must be at most ${max}`
  if (!numeric) return undefined
  const stepText = getAttribute(node, 'step')?.trim().toLowerCase() ?? '1'
  if (stepText === 'any') return undefined
  const step = isNumber(stepText) && Number(stepText) > 0 ? Number(stepText) : 1
  const base = min !== undefined && isNumber(min) ? Number(min) : Number(getAttribute(node, 'value') ?? 0) || 0
  const steps = (Number(value) - base) / step
  return Math.abs(steps - Math.round(steps)) > 1e-9 * Math.max(1, Math.abs(steps))
    ? `must be in steps of ${step}${base === 0 ? '' : ` from ${base}`}`
    : undefined
}
