import type { JsonValue, ToolOutcome } from '@domos/spec'
import { cutJson } from './cut-json.ts'
import { jsonBytesUpTo } from './json-values.ts'
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
    return { outcome: { ...outcome, message }, text: JSON.stringify(failureFields(outcome, message)) }
  }
  const whole = jsonBytesUpTo(outcome.value, maxBytes) <= maxBytes ? JSON.stringify(outcome.value) : undefined
  if (whole !== undefined && jsonBytesUpTo(whole, maxBytes) <= maxBytes) return { outcome, text: stripInvisible(whole) }
  let room = maxBytes - MARK_BYTES
  for (;;) {
    const cut = cutJson(outcome.value, Math.max(2, room))
    const notes = cut.notes.length === 0 ? '' : `\n[Cut to fit: ${cut.notes.join('; ')}. The above is incomplete.]`
    const text = stripInvisible(JSON.stringify(cut.value)) + notes
    const size = jsonBytesUpTo(text, Number.POSITIVE_INFINITY)
    if (size <= maxBytes || room <= 64) return { outcome: { type: 'success', value: cut.value }, text }
    // Every quote inside costs a byte more once the text is sent as JSON itself.
    room = Math.floor(Math.min(room * 0.95, (room * (maxBytes - MARK_BYTES / 2)) / size))
  }
}

function failureFields({ code, deniedBy }: ToolOutcome & { readonly type: 'failure' }, message: string): JsonValue {
  if (code === 'denied') return { status: 'denied', code, by: deniedBy ?? 'person', executed: false, message }
  const notExecuted = code === 'invalid_arguments' || code === 'expired'
  return { status: 'error', code, ...(notExecuted ? { executed: false } : {}), message }
}
