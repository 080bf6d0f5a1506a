import * as v from 'valibot'
import {
  audioChunk,
  filledString,
  jsonObject,
  positiveInteger,
  statedRisk,
  systemEvent,
  wholeNumber,
} from './message-parts.ts'
import type { TableRow } from './messages-to-server.ts'
import { VOICE_STATE_EVENTS } from './voice.ts'

/** What a server may send: its schema, the extension that unlocks it, and the name of the client's handler. */
export const messagesToClient = {
  HANDSHAKE_ACK: {
    schema: v.object({
      sessionId: filledString,
      protocolVersion: v.exactOptional(v.string()),
      capabilities: v.exactOptional(v.array(v.string())),
      /** Spoken dialect. */
      serverVersion: v.exactOptional(v.string()),
      /** Spoken dialect, and peers with any extension: tools of one page that count. */
      maxActiveTools: v.exactOptional(positiveInteger),
      /** With `resume`: shown in HANDSHAKE_INIT to come back; valid once. */
      resumeToken: v.exactOptional(filledString),
      /** With `resume`: how long the session waits for a dropped page, in milliseconds. */
      resumeTtlMs: v.exactOptional(positiveInteger),
      /** With `resume`: whether the session asked for goes on; false = this is a new one. */
      resumed: v.exactOptional(v.boolean()),
    }),
    requires: undefined,
    handler: 'onHandshakeAck',
  },
  TOOL_CALL: {
    schema: v.object({
      callId: filledString,
      name: filledString,
      args: jsonObject,
      /** With `approval`: goes back in TOOL_RESULT. */
      ticket: v.exactOptional(filledString),
      /** With `approval`: the risk after policy, never below the declared one. */
      risk: v.exactOptional(statedRisk),
    }),
    requires: undefined,
    handler: 'onToolCall',
  },
  AGENT_RESPONSE: {
    schema: v.object({
      chunk: v.string(),
      done: v.boolean(),
      /** With `stream`: id of the USER_INPUT it answers; absent in answers to somebody else in the session. */
      ref: v.exactOptional(v.string()),
      modality: v.exactOptional(v.string()),
      audioData: v.exactOptional(v.string()),
    }),
    requires: undefined,
    handler: 'onAgentResponse',
  },
  SYSTEM_EVENT: { schema: systemEvent, requires: undefined, handler: 'onSystemEvent' },
  APPROVAL_REQUEST: {
    schema: v.object({
      callId: filledString,
      toolName: filledString,
      args: jsonObject,
      risk: statedRisk,
      /** With `approval`. */
      digest: v.exactOptional(filledString),
      /** With `approval`: epoch milliseconds. */
      expiresAt: v.exactOptional(wholeNumber),
      /** Spoken dialect. */
      message: v.exactOptional(v.string()),
    }),
    requires: ['approval', 'spoken'],
    handler: 'onApprovalRequest',
  },
  TOOL_CANCEL: {
    schema: v.object({ callId: filledString, reason: v.exactOptional(v.string()) }),
    requires: ['tool_cancel'],
    handler: 'onToolCancel',
  },
  AUDIO_STREAM: { schema: audioChunk, requires: ['audio_stream', 'spoken'], handler: 'onAudioStream' },
  VOICE_STATE_EVENT: {
    schema: v.object({ event: v.picklist(VOICE_STATE_EVENTS), reason: v.exactOptional(v.string()) }),
    requires: ['audio_stream', 'spoken'],
    handler: 'onVoiceStateEvent',
  },
} as const satisfies Record<string, TableRow>
