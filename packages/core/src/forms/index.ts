// Forms and controls of a page as tools: what they ask for, and filling them in as a person would.

export { type Control, controlSchema, fill, heldValue, isFillable, labelOf } from './controls.ts'
export { formSchema, requireValid, submitForm } from './form.ts'
