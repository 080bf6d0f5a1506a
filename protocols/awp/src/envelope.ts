import type { JsonObject, JsonValue } from '@domos/spec'
import type { AwpError } from './errors.ts'

/** A request's id: a string by the document; a number is echoed as it came. */
export type RequestId = string | number

/** What travels beside a message ("Idempotency", "Tracing"). */
export interface Meta {
  readonly idempotency_key?: string
  readonly trace_id?: string
  readonly span_id?: string
}

/** A request as it arrives. */
export interface RequestEnvelope {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  readonly meta: Meta
}

/** A message to the client. */
export type OutgoingEnvelope =
  | { readonly id: RequestId; readonly type: 'response'; readonly result: JsonValue; readonly meta: Meta }
  | { readonly id: RequestId; readonly type: 'response'; readonly error: AwpError; readonly meta: Meta }
  | { readonly type: 'event'; readonly method: string; readonly params: JsonObject; readonly meta: Meta }

/** What {@link readRequest} found. */
export type ReadRequest =
  | { readonly ok: true; readonly request: RequestEnvelope }
  | {
      readonly ok: false
      readonly id: RequestId
      readonly message: string
      readonly path: string
      readonly trace?: string
    }

const MAX_ID_CHARS = 128
const MAX_METHOD_CHARS = 128

/**
 * Reads the envelope of a request ("Envelope"). A missing `type` counts as request and missing `params` as `{}`, as
 * shipped peers send them; a client's response or event is refused, never executed.
 */
export function readRequest(value: JsonValue): ReadRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, id: '', message: 'A message must be an object.', path: '' }
  }
  const { id, type, method, params, meta } = value as JsonObject
  const known = isId(id) ? id : ''
  const refuse = (path: string, message: string): ReadRequest => {
    return {
      ok: false,
      id: known,
      message,
      path,
      ...(traceOf(meta) === undefined ? {} : { trace: traceOf(meta) as string }),
    }
  }
  if (!isId(id)) return refuse('id', `id must be a string of 1 to ${MAX_ID_CHARS} characters.`)
  if (type !== undefined && type !== 'request') return refuse('type', 'A client sends messages of type "request" only.')
  if (typeof method !== 'string' || method === '' || method.length > MAX_METHOD_CHARS) {
    return refuse('method', 'method must be a text such as "page.observe".')
  }
  if (params !== undefined && params !== null && !isObject(params)) return refuse('params', 'params must be an object.')
  if (meta !== undefined && meta !== null && !isObject(meta)) return refuse('meta', 'meta must be an object.')
  const key = isObject(meta) ? meta['idempotency_key'] : undefined
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > 256)) {
    return refuse('meta.idempotency_key', 'idempotency_key must be a string of 1 to 256 characters.')
  }
  const trace = traceOf(meta)
  return {
    ok: true,
    request: {
      id,
      method,
      params: isObject(params) ? params : {},
      meta: {
        ...(typeof key === 'string' ? { idempotency_key: key } : {}),
        ...(trace === undefined ? {} : { trace_id: trace }),
      },
    },
  }
}

function isId(value: unknown): value is RequestId {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_CHARS
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function traceOf(meta: unknown): string | undefined {
  const trace = isObject(meta) ? meta['trace_id'] : undefined
  return typeof trace === 'string' && /^[\w-]{1,128}$/.test(trace) ? trace : undefined
}
