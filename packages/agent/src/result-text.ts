import type { JsonValue, ToolOutcome } from '@domos/spec'
import { cutJson } from './cut-json.ts'
import { jsonBytes } from './json-values.ts'
import { stripInvisible } from './untrusted-text.ts'

/** A tool's outcome as the model gets it. */
export interface ShownOutcome {
  /** The value itself, cut where it was too large; of the same type. */
  readonly outcome: ToolOutcome
  /** What a language model reads. */
  readonly text: string
}

/** Room for the mark that says what was left out. */
const MARK_BYTES = 1_024

/**
 * Turns an outcome into text of at most `maxBytes` as sent (escapes counted). A success is its JSON; one too large is cut by
 * rows, fields or characters, with a line that states what is missing. A failure is an object with `status`, `code`, `executed`
 * and a sentence, so that a decline cannot be taken for a fault.
 */
export function showOutcome(outcome: ToolOutcome, maxBytes: number): ShownOutcome {
  if (outcome.type === 'failure') {
    const message = stripInvisible(outcome.message).slice(0, Math.max(200, Math.floor(maxBytes / 4)))
    return { outcome: { ...outcome, message }, text: JSON.stringify(failureFields(outcome.code, message)) }
  }
  const whole = JSON.stringify(outcome.value)
  if (jsonBytes(whole) <= maxBytes) return { outcome, text: stripInvisible(whole) }
  let room = Math.floor(((maxBytes - MARK_BYTES) * jsonBytes(outcome.value)) / jsonBytes(whole))
  for (;;) {
    const cut = cutJson(outcome.value, Math.max(2, room))
    const text = `${stripInvisible(JSON.stringify(cut.value))}\n[Cut to fit: ${cut.notes.join('; ')}. The above is incomplete.]`
    if (jsonBytes(text) <= maxBytes || room <= 64) return { outcome: { type: 'success', value: cut.value }, text }
    room = Math.floor(room * 0.8)
  }
}

function failureFields(code: string, message: string): JsonValue {
  if (code === 'denied') return { status: 'denied', code, by: 'person', executed: false, message }
  const notExecuted = code === 'invalid_arguments' || code === 'expired'
  return { status: 'error', code, ...(notExecuted ? { executed: false } : {}), message }
}
