import { type Control, controlSchema, fill, isFillable, labelOf } from './controls.ts'

/** An object of JSON. */
type JsonObject = Readonly<Record<string, unknown>>

/** The controls of a form that an agent may fill in, by name. */
function groups(form: HTMLFormElement): ReadonlyMap<string, readonly Control[]> {
  const found = new Map<string, Control[]>()
  for (const element of form.elements) {
    if (!isFillable(element) || !element.name || element.matches(':disabled')) continue
    found.set(element.name, [...(found.get(element.name) ?? []), element])
  }
  return found
}

/** What a form asks for, read from its own controls. */
export function formSchema(form: HTMLFormElement): JsonObject {
  const all = [...groups(form)]
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, group]) => [name, controlSchema(group)])),
    required: all.filter(([, group]) => group.some(({ required }) => required)).map(([name]) => name),
    additionalProperties: false,
  }
}

/**
 * Fills a form in and submits it, as the press of its first button does.
 * @throws Error with a sentence when a value does not fit, or the form would not be submitted
 */
export function submitForm(form: HTMLFormElement, values: JsonObject): JsonObject {
  const all = groups(form)
  for (const [name, value] of Object.entries(values)) {
    const group = all.get(name)
    if (!group) throw new Error(`The form has no field "${name}".`)
    fill(group, value)
  }
  const button = [...form.elements].find(isSubmitButton)
  if (button?.matches(':disabled')) throw new Error(`"${labelOf(button) || button.value}" cannot be pressed now.`)
  if (!form.noValidate) requireValid([...form.elements])
  form.requestSubmit(button)
  return { submitted: true }
}

/** @throws Error that names each control whose value the page refuses, and why */
export function requireValid(elements: readonly Element[]): void {
  const faults = elements
    .filter((element) => 'validity' in element && !(element as Control).validity.valid)
    .map(
      (element) =>
        `${labelOf(element) || (element as Control).name}: ${(element as Control).validationMessage || 'not valid'}`,
    )
  if (faults.length > 0) throw new Error(`The page does not accept ${faults.join('; ')}`)
}

function isSubmitButton(element: Element): element is HTMLButtonElement | HTMLInputElement {
  if (element instanceof HTMLButtonElement) return element.type === 'submit'
  return element instanceof HTMLInputElement && (element.type === 'submit' || element.type === 'image')
}
