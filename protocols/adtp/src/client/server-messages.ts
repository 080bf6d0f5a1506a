import { type JsonValue, RISKS } from '@domos/spec'
import type { PayloadCheck } from '../frame.ts'
import type { ToClientPayload, ToClientType } from '../messages.ts'
import { SYSTEM_EVENT_KINDS } from '../system-event-kinds.ts'
import { VOICE_STATE_EVENTS } from '../voice.ts'

/** What a field of a message to the client may hold. */
const kinds = {
  text: (value: JsonValue) => typeof value === 'string',
  name: (value: JsonValue) => typeof value === 'string' && value !== '',
  flag: (value: JsonValue) => typeof value === 'boolean',
  whole: (value: JsonValue) => Number.isInteger(value) && (value as number) >= 0,
  count: (value: JsonValue) => Number.isInteger(value) && (value as number) > 0,
  words: (value: JsonValue) => Array.isArray(value) && value.every((word) => typeof word === 'string'),
  object: isObject,
  risk: (value: JsonValue) => (RISKS as readonly JsonValue[]).includes(value),
  event: (value: JsonValue) => (SYSTEM_EVENT_KINDS as readonly JsonValue[]).includes(value),
  voice: (value: JsonValue) => (VOICE_STATE_EVENTS as readonly JsonValue[]).includes(value),
} as const

type Kind = keyof typeof kinds
type FieldsOf<T extends ToClientType> = { readonly [K in keyof Required<ToClientPayload<T>>]: Kind | `${Kind}?` }

/**
 * The messages to the client once more, small enough for every page: the schemas of `messages-to-client.ts` cost a page
 * more than the rest of the protocol. The types hold the field names together, a test the two verdicts.
 */
const fields: { readonly [T in ToClientType]: FieldsOf<T> } = {
  HANDSHAKE_ACK: {
    sessionId: 'name',
    protocolVersion: 'text?',
    capabilities: 'words?',
    serverVersion: 'text?',
    maxActiveTools: 'count?',
    resumeToken: 'name?',
    resumeTtlMs: 'count?',
    resumed: 'flag?',
  },
  TOOL_CALL: { callId: 'name', name: 'name', args: 'object', ticket: 'name?', risk: 'risk?' },
  AGENT_RESPONSE: { chunk: 'text', done: 'flag', ref: 'text?', modality: 'text?', audioData: 'text?' },
  SYSTEM_EVENT: { kind: 'event', message: 'text?', data: 'object?' },
  APPROVAL_REQUEST: {
    callId: 'name',
    toolName: 'name',
    args: 'object',
    risk: 'risk',
    digest: 'name?',
    expiresAt: 'whole?',
    message: 'text?',
  },
  TOOL_CANCEL: { callId: 'name', reason: 'text?' },
  AUDIO_STREAM: { data: 'name', mimeType: 'name' },
  VOICE_STATE_EVENT: { event: 'voice', reason: 'text?' },
}

/** Checks the payload of a message to the client. */
export const checkServerPayload: PayloadCheck = (type, payload) => {
  if (!Object.hasOwn(fields, type)) return undefined
  if (!isObject(payload)) return { ok: false, path: '', message: 'Expected an object' }
  for (const [name, spec] of Object.entries(fields[type as ToClientType]) as [string, string][]) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined
    const kind = spec.replace('?', '') as Kind
    if (value === undefined ? kind === spec : !kinds[kind](value)) {
      return { ok: false, path: name, message: `Expected ${kind}` }
    }
  }
  return { ok: true, payload }
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
