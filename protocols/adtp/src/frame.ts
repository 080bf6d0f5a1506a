import type { JsonObject, JsonValue } from '@domos/spec'
import { type Decoded, parseJson, randomHex } from '@domos/wire'
import * as v from 'valibot'
import type { ProtocolErrorCode } from './errors.ts'
import { PROTOCOL_VERSION } from './limits.ts'
import type { TableRow } from './messages-to-server.ts'

/** How a peer spells its frames: as the document prints them, or with `id` and `timestamp` at the root. */
export type Dialect = 'document' | 'spoken'

/** A decoded message with the dialect it came in, or why it cannot be accepted. */
export type DecodedFrame<Message> =
  | { readonly ok: true; readonly message: Message; readonly dialect: Dialect }
  | (Extract<Decoded<never>, { ok: false }> & {
      readonly code: ProtocolErrorCode | 'too_large' | 'unsupported'
      /** Set where the frame was an object at all. */
      readonly dialect?: Dialect
      /** The type of a frame whose envelope could be read. */
      readonly type?: string
    })

type Refusal = Extract<DecodedFrame<never>, { ok: false }>

/** Message tables of the direction that is read, and of the other, to tell a stray type from an unknown one. */
export interface FrameTables {
  readonly table: Readonly<Record<string, TableRow>>
  readonly isOtherDirection?: (type: string) => boolean
}

/** What a refusal says to the developer at the far end, by code and place. */
const sentences: Readonly<Record<string, string>> = {
  'unsupported ': 'Frames of this protocol are text, not binary.',
  'invalid_json ': 'The frame is not JSON.',
  'too_deep ': 'The frame nests deeper than 64 levels.',
  'too_large ': 'The frame is too large.',
  'invalid_envelope ': 'The frame is not an object.',
  'invalid_envelope meta': 'meta is not an object.',
  'invalid_envelope id': 'The id is not a text of 1 to 256 characters.',
  'invalid_envelope timestamp': 'The timestamp is not a number of milliseconds.',
  'invalid_envelope seq': 'seq is not a whole number from 1 up.',
  'invalid_envelope type': 'The frame has no type.',
}

function sentenceFor(code: string, path: string, type: string): string | undefined {
  if (code === 'unknown_type') return `There is no message type ${quoteShort(type)}.`
  if (code === 'wrong_direction') return `Messages of type ${type} go the other way.`
  if (code === 'forbidden_key') return 'The frame holds a key that is not allowed (__proto__, constructor, prototype).'
  return sentences[`${code} ${path.replace(/^meta\./, '')}`]
}

/** Checks a payload; undefined where the type is unknown. `path` is within the payload. */
export type PayloadCheck = (
  type: string,
  payload: JsonValue | undefined,
) =>
  | { readonly ok: true; readonly payload: JsonObject }
  | { readonly ok: false; readonly path: string; readonly message: string }
  | undefined

/** Reads one frame of either dialect against a message table. Never throws. */
export function decodeFrame(frame: string | Uint8Array, tables: FrameTables): DecodedFrame<JsonMessage> {
  const check: PayloadCheck = (type, payload) => {
    const row = Object.hasOwn(tables.table, type) ? tables.table[type] : undefined
    if (row === undefined) return undefined
    const result = v.safeParse(row.schema, payload, { abortEarly: true })
    if (result.success) return { ok: true, payload: normalizePayload(type, result.output as JsonObject) }
    const [issue] = result.issues
    return { ok: false, path: v.getDotPath(issue) ?? '', message: issue.message.slice(0, 200) }
  }
  const decoded = readFrame(frame, check, tables.isOtherDirection)
  if (decoded.ok) return decoded
  return { ...decoded, message: sentenceFor(decoded.code, decoded.path, decoded.message) ?? decoded.message }
}

/** {@link decodeFrame} with any check of payloads; refusals are told by code and path, in few words. */
export function readFrame(
  frame: string | Uint8Array,
  check: PayloadCheck,
  isOtherDirection?: (type: string) => boolean,
): DecodedFrame<JsonMessage> {
  if (typeof frame !== 'string') return { ok: false, code: 'unsupported', path: '', message: '' }
  const parsed = parseJson(frame)
  if (!parsed.ok) return { ...parsed, message: '' }
  const root = parsed.value
  if (!isObject(root)) return { ok: false, code: 'invalid_envelope', path: '', message: '' }

  const envelope = readEnvelope(root)
  if (!envelope.ok) return envelope
  const { dialect, type, fields } = envelope
  const refuse = (code: ProtocolErrorCode, path: string, message: string): Refusal => ({
    ok: false,
    code,
    path,
    message,
    dialect,
    type,
    ...(fields.id === undefined ? {} : { ref: fields.id }),
  })
  const checked = check(type, root.payload)
  if (checked === undefined) {
    return refuse(isOtherDirection?.(type) ? 'wrong_direction' : 'unknown_type', 'type', type.slice(0, 61))
  }
  if (!checked.ok) {
    return refuse('invalid_payload', checked.path === '' ? 'payload' : `payload.${checked.path}`, checked.message)
  }
  return { ok: true, dialect, message: { type, ...fields, payload: checked.payload } }
}

/** A message whose payload has passed the schema of its type. */
export interface JsonMessage {
  readonly type: string
  readonly id?: string
  readonly timestamp?: number
  readonly seq?: number
  readonly payload: JsonObject
}

type Envelope =
  | {
      readonly ok: true
      readonly dialect: Dialect
      readonly type: string
      readonly fields: Omit<JsonMessage, 'type' | 'payload'>
    }
  | Refusal

function readEnvelope(root: JsonObject): Envelope {
  const dialect: Dialect = root.id === undefined ? 'document' : 'spoken'
  const invalid = (path: string, ref?: string): Envelope => ({
    ok: false,
    code: 'invalid_envelope',
    path,
    message: '',
    dialect,
    ...(ref === undefined ? {} : { ref }),
  })
  const meta = root.meta ?? {}
  if (!isObject(meta)) return invalid('meta')
  const [home, prefix] = dialect === 'spoken' ? [root, ''] : [meta, 'meta.']
  const { id, timestamp } = home
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > 256)) {
    return invalid(`${prefix}id`)
  }
  if (timestamp !== undefined && typeof timestamp !== 'number') {
    return invalid(`${prefix}timestamp`, id)
  }
  const { seq } = meta
  if (seq !== undefined && !(typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0)) {
    return invalid('meta.seq', id)
  }
  if (typeof root.type !== 'string' || root.type === '') return invalid('type', id)
  const fields = {
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(seq === undefined ? {} : { seq }),
  }
  return { ok: true, dialect, type: root.type, fields }
}

/** Gives what the dialects name differently under the document's name. */
function normalizePayload(type: string, payload: JsonObject): JsonObject {
  if (type !== 'CONTEXT_UPDATE' || payload.context === undefined) return payload
  const { context, ...rest } = payload
  return { data: context, ...rest }
}

/** What {@link encodeFrame} has to know of the far end. */
export interface EncodeOptions {
  readonly dialect: Dialect
  /** Rewrites the payload where the dialect names a thing differently. */
  readonly spell?: (type: string, payload: JsonObject) => JsonObject
}

/** Spells a message in a dialect. */
export function encodeFrame(message: JsonMessage, options: EncodeOptions): string {
  const { type, id, timestamp, seq } = message
  const payload = options.spell?.(type, message.payload) ?? message.payload
  if (options.dialect === 'spoken') {
    return JSON.stringify({ id, type, timestamp, payload, ...(seq === undefined ? {} : { meta: { seq } }) })
  }
  return JSON.stringify({
    type,
    payload,
    meta: { id, timestamp, version: PROTOCOL_VERSION, ...(seq === undefined ? {} : { seq }) },
  })
}

/** A new frame id as the dialect writes it. */
export function newFrameId(dialect: Dialect): string {
  // crypto.randomUUID exists in secure contexts alone; a page on plain http in a local network is none.
  const uuid = randomHex().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-')
  return dialect === 'spoken' ? uuid : `msg_${uuid}`
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quoteShort(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
