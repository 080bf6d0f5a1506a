/** An object of JSON. */
type JsonObject = Readonly<Record<string, unknown>>

/** A control a person fills in. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Types of inputs that hold no answer, or one that no agent shall give. */
const UNTOUCHED = ['password', 'file', 'hidden', 'submit', 'button', 'reset', 'image']

/** Whether an agent may fill this in at all: never a password and never a file. */
export function isFillable(element: Element): element is Control {
  if (element instanceof HTMLInputElement) return !UNTOUCHED.includes(element.type)
  return element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement
}

/** What a person reads beside an element. */
export function labelOf(element: Element): string {
  const labels = (element as Partial<HTMLInputElement>).labels?.[0]
  const texts = [
    element.getAttribute('aria-label'),
    // The text of a label without that of the control in it.
    labels &&
      [...labels.childNodes]
        .map((node) => (node.contains(element) || isFillable(node as Element) ? '' : node.textContent))
        .join(''),
    element.getAttribute('placeholder'),
    element.getAttribute('title'),
    isFillable(element) || element instanceof HTMLFormElement ? '' : element.textContent,
  ]
  return (texts.find((text) => text?.trim()) ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** The JSON Schema of what a group of controls with one name accepts. */
export function controlSchema(group: readonly Control[]): JsonObject {
  const [control] = group
  if (!control) return {}
  const description =
    group.length > 1 ? (control.closest('fieldset')?.querySelector('legend')?.textContent ?? '') : labelOf(control)
  return { ...valueSchema(control, group), ...(description.trim() && { description: description.trim() }) }
}

function valueSchema(control: Control, group: readonly Control[]): JsonObject {
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options].filter((option) => !option.disabled && (option.value || !control.required))
    return choice(
      options.map(({ value }) => value),
      control.multiple,
    )
  }
  if (control instanceof HTMLTextAreaElement) return text(control)
  if (control.type === 'radio')
    return choice(
      group.map(({ value }) => value),
      false,
    )
  if (control.type !== 'checkbox')
    return control.type === 'number' || control.type === 'range' ? number(control) : text(control)
  return group.length > 1
    ? choice(
        group.map(({ value }) => value),
        true,
      )
    : { type: 'boolean' }
}

function choice(values: readonly string[], several: boolean): JsonObject {
  const one = { type: 'string', enum: values }
  return several ? { type: 'array', items: one, uniqueItems: true } : one
}

function number({ min, max, step }: HTMLInputElement): JsonObject {
  const whole = step !== 'any' && Number.isInteger(Number(step || 1)) && Number.isInteger(Number(min))
  return {
    type: whole ? 'integer' : 'number',
    ...(min && { minimum: Number(min) }),
    ...(max && { maximum: Number(max) }),
  }
}

const FORMATS: Readonly<Record<string, string>> = { email: 'email', url: 'uri', date: 'date' }
const PATTERNS: Readonly<Record<string, string>> = {
  time: '^\\d\\d:\\d\\d',
  'datetime-local': '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d',
  month: '^\\d{4}-\\d\\d$',
  week: '^\\d{4}-W\\d\\d$',
  color: '^#[0-9a-fA-F]{6}$',
}

function text(control: HTMLInputElement | HTMLTextAreaElement): JsonObject {
  const { type, minLength, maxLength, required } = control
  const own = control.getAttribute('pattern')
  const pattern = own ? `^(?:${own})$` : PATTERNS[type]
  const shortest = minLength > 0 ? minLength : required ? 1 : 0
  return {
    type: 'string',
    ...(FORMATS[type] && { format: FORMATS[type] }),
    ...(pattern && { pattern }),
    ...(shortest && { minLength: shortest }),
    ...(maxLength > 0 && { maxLength }),
  }
}

/**
 * Fills a group of controls in as a person would, with the events the page listens to.
 * @throws Error with a sentence when it cannot take this value
 */
export function fill(group: readonly Control[], value: unknown): void {
  const [control] = group
  if (!control) throw new Error('There is nothing to fill in.')
  const name = labelOf(control) || control.name
  for (const each of group) {
    if (!isFillable(each)) throw new Error(`"${name}" is for the person alone.`)
    if (each.matches(':disabled') || ('readOnly' in each && each.readOnly))
      throw new Error(`"${name}" cannot be changed now.`)
  }
  const wanted = (Array.isArray(value) ? value : [value]).map(String)
  if (control instanceof HTMLSelectElement) fillSelect(control, wanted, name)
  else if (control.type === 'radio' || control.type === 'checkbox')
    check(group as readonly HTMLInputElement[], value, wanted, name)
  else {
    // The prototype's own setter: frameworks put theirs on the element and would not notice a change otherwise.
    const prototype =
      control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, String(value))
    tell(control)
  }
}

function fillSelect(select: HTMLSelectElement, wanted: readonly string[], name: string): void {
  const options = [...select.options].filter(({ disabled }) => !disabled)
  const chosen = wanted.map((each) => {
    const found = options.find(({ value }) => value === each) ?? options.find(({ text }) => text.trim() === each.trim())
    if (!found) throw new Error(`"${name}" has no choice "${each}".`)
    return found
  })
  for (const option of select.options) option.selected = chosen.includes(option)
  tell(select)
}

function check(group: readonly HTMLInputElement[], value: unknown, wanted: readonly string[], name: string): void {
  const single = group.length === 1 && group[0]?.type === 'checkbox'
  const missing = single ? undefined : wanted.find((each) => !group.some((box) => box.value === each))
  if (missing !== undefined) throw new Error(`"${name}" has no choice "${missing}".`)
  for (const box of group) {
    const checked = single ? value === true || value === 'true' : wanted.includes(box.value)
    if (box.checked !== checked && (checked || box.type === 'checkbox')) box.click()
  }
}

function tell(control: Control): void {
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

/** What a control holds, as a tool's result and the page's context tell it. */
export function heldValue(control: Control): string | boolean {
  return control instanceof HTMLInputElement && control.type === 'checkbox' ? control.checked : control.value
}
