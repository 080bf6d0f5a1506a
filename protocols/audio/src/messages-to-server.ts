import * as v from 'valibot'
import { capabilities, declaredAudio, deviceId, token } from './message-parts.ts'

/** What unlocks a message: the document itself, an extension (using it is opting in), or the small devices' dialects. */
export type MessageOrigin = 'document' | 'extension' | 'device'

/** A row of a message table. */
export interface TableRow {
  readonly schema: v.GenericSchema
  readonly origin: MessageOrigin
  readonly handler: string
}

const shortText = v.pipe(v.string(), v.maxLength(200))
const number = v.exactOptional(v.number())
const flag = v.exactOptional(v.boolean())

/** What a client may send: its schema, where it comes from, and the name of the door's handler. Unknown keys are ignored. */
export const messagesToServer = {
  session_start: {
    schema: v.object({
      deviceId: v.exactOptional(deviceId),
      /** A key, for clients that cannot set a header; `apiKey` and `token` mean the same. */
      apiKey: v.exactOptional(token),
      token: v.exactOptional(token),
      /** Enters the session it was issued for. */
      joinToken: v.exactOptional(token),
      /** Takes up a session that was left within the last minute. */
      resumeToken: v.exactOptional(token),
      /** What the client records and plays, when that is not the document's format. */
      audio: v.exactOptional(declaredAudio),
    }),
    origin: 'document',
    handler: 'onSessionStart',
  },
  session_end: { schema: v.object({}), origin: 'document', handler: 'onSessionEnd' },
  config: {
    schema: v.object({ config: v.exactOptional(v.record(v.string(), v.unknown())) }),
    origin: 'document',
    handler: 'onConfig',
  },
  status: {
    schema: v.object({
      recording: flag,
      wakeWordEnabled: flag,
      threshold: number,
      ambient: number,
      wifi_rssi: number,
      uptime: number,
    }),
    origin: 'document',
    handler: 'onStatus',
  },
  commit: { schema: v.object({}), origin: 'extension', handler: 'onCommit' },
  listen: { schema: v.object({}), origin: 'extension', handler: 'onListen' },
  interrupt: {
    schema: v.object({ reason: v.exactOptional(shortText) }),
    origin: 'extension',
    handler: 'onInterrupt',
  },
  text: { schema: v.object({ text: v.string() }), origin: 'extension', handler: 'onText' },
  device_register: {
    schema: v.object({
      deviceId,
      capabilities: v.exactOptional(capabilities),
      firmware_version: v.exactOptional(shortText),
    }),
    origin: 'device',
    handler: 'onDeviceRegister',
  },
  device_info: {
    schema: v.object({
      deviceId,
      deviceType: v.exactOptional(shortText),
      firmware: v.exactOptional(shortText),
      capabilities: v.exactOptional(capabilities),
      audio: v.exactOptional(declaredAudio),
    }),
    origin: 'device',
    handler: 'onDeviceInfo',
  },
  wake_audio: { schema: v.object({}), origin: 'device', handler: 'onWakeAudio' },
  wake_detected: { schema: v.object({}), origin: 'device', handler: 'onListen' },
  recording_started: { schema: v.object({}), origin: 'device', handler: 'onListen' },
  recording_stopped: { schema: v.object({}), origin: 'device', handler: 'onCommit' },
  audio_end: { schema: v.object({}), origin: 'device', handler: 'onCommit' },
  end_of_stream: { schema: v.object({}), origin: 'device', handler: 'onCommit' },
} as const satisfies Record<string, TableRow>
