import { parseJson } from '@domos/wire'
import * as v from 'valibot'
import type { AudioErrorCode } from './errors.ts'
import { defaultAudioDoorLimits } from './limits.ts'
import { type Direction, messagesOf, type ToClientMessage, type ToServerMessage } from './messages.ts'

/** What a text frame turned out to be. */
export type DecodedText<Message> =
  | { readonly ok: true; readonly message: Message }
  | {
      readonly ok: false
      readonly code: AudioErrorCode
      /** A sentence for the developer of the peer. */
      readonly message: string
      /** Dot path of the offending value; empty for the frame as a whole. */
      readonly path: string
    }

/** Reads a text frame on its way to the server, or to the client. Never throws. */
export function decode(text: string, direction: 'to-server', maxTextChars?: number): DecodedText<ToServerMessage>
export function decode(text: string, direction: 'to-client', maxTextChars?: number): DecodedText<ToClientMessage>
export function decode(
  text: string,
  direction: Direction,
  maxTextChars: number = defaultAudioDoorLimits.maxTextChars,
): DecodedText<ToServerMessage | ToClientMessage> {
  const parsed = parseJson(text, { maxDepth: 8, maxLength: maxTextChars })
  if (!parsed.ok) return refuse(parsed.code, sentences[parsed.code](maxTextChars), parsed.path)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('missing_type', 'A control message is a JSON object with a "type".', '')
  }
  const { type, ...body } = value as Readonly<Record<string, unknown>>
  if (typeof type !== 'string') return refuse('missing_type', 'The message has no "type" (a string).', 'type')
  const table = messagesOf(direction)
  const row = Object.hasOwn(table, type) ? table[type] : undefined
  if (row === undefined) {
    const other = direction === 'to-server' ? 'to-client' : 'to-server'
    if (Object.hasOwn(messagesOf(other), type)) {
      return refuse('wrong_direction', `"${type}" goes the other way.`, 'type')
    }
    const known = Object.entries(table).filter(([, { origin }]) => origin !== 'device')
    return refuse(
      'unknown_type',
      `There is no message "${type.slice(0, 64)}"; known are ${known.map(([name]) => name).join(', ')}.`,
      'type',
    )
  }
  const result = v.safeParse(row.schema, body)
  if (!result.success) {
    const [issue] = result.issues
    const path = v.getDotPath(issue) ?? ''
    return refuse('invalid_request', `${type}${path === '' ? '' : `.${path}`}: ${issue.message}.`, path)
  }
  // The table's schema of this very type has just accepted the body.
  return { ok: true, message: { type, ...(result.output as object) } as ToServerMessage | ToClientMessage }
}

/** Spells a message. `type` comes first, as in the document's examples. */
export function encode(message: ToServerMessage | ToClientMessage): string {
  const { type, ...body } = message
  return JSON.stringify({ type, ...body })
}

function refuse(code: AudioErrorCode, message: string, path: string): DecodedText<never> {
  return { ok: false, code, message, path }
}

const sentences: Readonly<
  Record<'invalid_json' | 'too_deep' | 'too_large' | 'forbidden_key', (maxTextChars: number) => string>
> = {
  invalid_json: () => 'A text frame must hold one JSON object; audio goes in binary frames.',
  too_deep: () => 'The message is nested too deeply.',
  too_large: (maxTextChars) => `A text frame may hold ${maxTextChars} characters.`,
  forbidden_key: () => 'The message holds a key that is not allowed.',
}
