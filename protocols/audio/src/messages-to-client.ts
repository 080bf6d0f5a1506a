import * as v from 'valibot'
import { count, word } from './message-parts.ts'
import type { TableRow } from './messages-to-server.ts'

const sessionId = v.string()
/** With the extension `turns`: counts the turns of a session from 1. */
const turn = v.exactOptional(count)

/** What a server may send. `handler` names the client's handler. */
export const messagesToClient = {
  session_ack: {
    schema: v.object({
      sessionId,
      details: v.object({
        sampleRate: v.number(),
        channels: v.number(),
        bitDepth: v.number(),
        /** Only after a `resumeToken`: whether the session was found. */
        resumed: v.exactOptional(v.boolean()),
        /** With the extension `resume`. */
        resumeToken: v.exactOptional(v.string()),
        resumeTtlMs: v.exactOptional(count),
      }),
    }),
    origin: 'document',
    handler: 'onSessionAck',
  },
  tts_start: { schema: v.object({ sessionId, turn }), origin: 'document', handler: 'onSpeechStart' },
  tts_end: {
    schema: v.object({
      sessionId,
      turn,
      /** With the extension `interruptions`. */
      details: v.exactOptional(v.object({ interrupted: v.boolean(), playedMs: v.number(), audioMs: v.number() })),
    }),
    origin: 'document',
    handler: 'onSpeechEnd',
  },
  error: {
    schema: v.object({
      sessionId: v.exactOptional(v.string()),
      error: v.string(),
      /** Stable; one of `AudioErrorCode`. */
      code: v.exactOptional(v.string()),
      /** Dot path of the offending value, where there is one. */
      path: v.exactOptional(v.string()),
      turn,
    }),
    origin: 'document',
    handler: 'onError',
  },
  transcript: {
    schema: v.object({
      sessionId,
      text: v.string(),
      role: v.picklist(['user', 'assistant']),
      words: v.exactOptional(v.array(word)),
      /** With the extension `partials`: false while the text may still change. */
      final: v.exactOptional(v.boolean()),
      turn,
    }),
    origin: 'document',
    handler: 'onTranscript',
  },
  status: {
    schema: v.object({
      sessionId: v.exactOptional(v.string()),
      details: v.object({ connectedAt: count, bytesReceived: count, bytesSent: count, uptime: count }),
    }),
    origin: 'document',
    handler: 'onStatus',
  },
  config: {
    schema: v.object({
      sessionId: v.exactOptional(v.string()),
      config: v.record(v.string(), v.unknown()),
      details: v.exactOptional(v.object({ resumeToken: v.string(), resumeTtlMs: count })),
    }),
    origin: 'document',
    handler: 'onConfig',
  },
  /** With the extension `states`. */
  state: {
    schema: v.object({
      sessionId,
      state: v.picklist(['idle', 'listening', 'thinking', 'speaking', 'paused']),
    }),
    origin: 'extension',
    handler: 'onState',
  },
  /** With the extension `states`: an utterance came to nothing, and why (`VoiceSink.onNothingHeard`). */
  nothing_heard: {
    schema: v.object({ sessionId, reason: v.string() }),
    origin: 'extension',
    handler: 'onNothingHeard',
  },
  /** With the extension `latency`: the times of one turn in milliseconds from the end of the person's speech. */
  latency: {
    schema: v.object({
      sessionId,
      turn: count,
      details: v.object({
        endpointMs: v.number(),
        transcriptMs: v.number(),
        firstTokenMs: v.exactOptional(v.number()),
        firstAudioMs: v.exactOptional(v.number()),
        voiceToVoiceMs: v.exactOptional(v.number()),
        interrupted: v.boolean(),
      }),
    }),
    origin: 'extension',
    handler: 'onLatency',
  },
  transcription: { schema: v.object({ text: v.string() }), origin: 'device', handler: 'onDeviceOnly' },
  response: { schema: v.object({ text: v.string() }), origin: 'device', handler: 'onDeviceOnly' },
  wake_verification: { schema: v.object({ verified: v.boolean() }), origin: 'device', handler: 'onDeviceOnly' },
  command: {
    schema: v.object({ command: v.picklist(['start_recording', 'stop_recording', 'status']) }),
    origin: 'device',
    handler: 'onDeviceOnly',
  },
  mute_control: { schema: v.object({ muted: v.boolean() }), origin: 'device', handler: 'onDeviceOnly' },
} as const satisfies Record<string, TableRow>
