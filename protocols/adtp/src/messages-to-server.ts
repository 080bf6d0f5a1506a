import * as v from 'valibot'
import type { Requirement } from './capabilities.ts'
import {
  audioChunk,
  filledString,
  jsonObject,
  jsonValue,
  statedRisk,
  systemEvent,
  wholeNumber,
} from './message-parts.ts'
import { toolDeclaration } from './tool-declaration.ts'
import { VOICE_END_REASONS } from './voice.ts'

/** What a client may send: its schema, the extension that unlocks it, and the name of the door's handler. */
export const messagesToServer = {
  HANDSHAKE_INIT: {
    schema: v.object({
      /** Absent counts as the server's own version. */
      protocolVersion: v.exactOptional(v.string()),
      capabilities: v.exactOptional(v.array(v.string())),
      apiKey: v.exactOptional(filledString),
      userAgent: v.exactOptional(v.string()),
      viewport: v.exactOptional(v.string()),
      sdkVersion: v.exactOptional(v.string()),
      /** BCP 47 tag of the person's language. */
      language: v.exactOptional(v.string()),
      /** Whether the browser says that it is driven by a program (`navigator.webdriver`). */
      webdriver: v.exactOptional(v.boolean()),
      joinToken: v.exactOptional(filledString),
      resume: v.exactOptional(v.object({ sessionId: filledString, token: filledString, lastSeq: wholeNumber })),
    }),
    requires: undefined,
    handler: 'onHandshakeInit',
  },
  CONTEXT_UPDATE: {
    schema: v.object({
      url: v.string(),
      title: v.exactOptional(v.string()),
      activeTools: v.exactOptional(v.array(toolDeclaration)),
      data: v.exactOptional(jsonObject),
      /** The spoken dialect's word for `data`; the codec gives both as `data`. */
      context: v.exactOptional(jsonObject),
    }),
    requires: undefined,
    handler: 'onContextUpdate',
  },
  USER_INPUT: {
    schema: v.object({
      modality: v.picklist(['text', 'audio']),
      content: v.string(),
      mimeType: v.exactOptional(v.string()),
    }),
    requires: undefined,
    handler: 'onUserInput',
  },
  TOOL_RESULT: {
    schema: v.object({
      callId: filledString,
      status: v.picklist(['success', 'error', 'pending_approval']),
      result: v.exactOptional(jsonValue),
      error: v.exactOptional(jsonValue),
      code: v.exactOptional(v.string()),
      ticket: v.exactOptional(v.string()),
    }),
    requires: undefined,
    handler: 'onToolResult',
  },
  SYSTEM_EVENT: { schema: systemEvent, requires: undefined, handler: 'onSystemEvent' },
  APPROVAL_REQUEST: {
    schema: v.object({
      callId: filledString,
      toolName: v.string(),
      risk: statedRisk,
      args: jsonObject,
      message: v.exactOptional(v.string()),
    }),
    requires: ['spoken'],
    handler: 'onApprovalRequest',
  },
  APPROVAL_RESPONSE: {
    schema: v.object({
      callId: filledString,
      approved: v.boolean(),
      /** With the extension `approval`: must equal the digest of the request. */
      digest: v.exactOptional(v.string()),
      /** How the person decided: `overlay`, `custom`, … */
      by: v.exactOptional(v.string()),
      /** Why there is no approval: `denied` by a person, `expired`, `cancelled`, or `unavailable` when nobody could be asked. */
      why: v.exactOptional(v.string()),
      reason: v.exactOptional(v.string()),
      /** Spoken dialect: the result of the page's own tool, which ran after the approval. */
      result: v.exactOptional(jsonValue),
      error: v.exactOptional(jsonValue),
    }),
    requires: ['approval', 'spoken'],
    handler: 'onApprovalResponse',
  },
  TOOL_PROGRESS: {
    schema: v.object({
      callId: filledString,
      /** From 0 to 1. */
      fraction: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      message: v.exactOptional(v.string()),
    }),
    requires: ['tool_progress'],
    handler: 'onToolProgress',
  },
  TURN_CANCEL: {
    schema: v.object({ reason: v.exactOptional(v.string()) }),
    requires: ['stream'],
    handler: 'onTurnCancel',
  },
  AUDIO_STREAM: { schema: audioChunk, requires: ['audio_stream', 'spoken'], handler: 'onAudioStream' },
  VOICE_INPUT_END: {
    schema: v.object({ reason: v.picklist(VOICE_END_REASONS) }),
    requires: ['audio_stream', 'spoken'],
    handler: 'onVoiceInputEnd',
  },
  VOICE_INTERRUPT: {
    schema: v.object({ reason: v.picklist(['barge_in']) }),
    requires: ['audio_stream', 'spoken'],
    handler: 'onVoiceInterrupt',
  },
} as const satisfies Record<string, TableRow>

/** A row of a message table. */
export interface TableRow {
  readonly schema: v.GenericSchema
  /** Any one of these unlocks the message; undefined = part of the document. */
  readonly requires: readonly Requirement[] | undefined
  readonly handler: string
}
