export { type AudioFormat, documentFormat } from './audio-format.ts'
export { type DecodedText, decode, encode } from './codec.ts'
export { type ConnectionConfig, configKeys, defaultConnectionConfig } from './config.ts'
export type { DeviceRecord, DeviceState, DeviceStore, DeviceTrust, DeviceType } from './devices/device.ts'
export { AUDIO_PATHS, type Dialect, dialects } from './dialects.ts'
export type { AudioErrorCode, AudioProtocolErrorCode } from './errors.ts'
export {
  AUDIO_FORMAT,
  type AudioDoorLimits,
  closeCodes,
  closeReasons,
  DEFAULT_VOICE_URL,
  defaultAudioDoorLimits,
  MAX_CLIENTS,
  MAX_FRAME_BYTES,
  PING_INTERVAL_MS,
} from './limits.ts'
export {
  type Direction,
  type MessageInfo,
  messageInfos,
  messagesOf,
  type ToClient,
  type ToClientMessage,
  type ToClientType,
  type ToServer,
  type ToServerMessage,
  type ToServerType,
} from './messages.ts'
export { createResampler, type Resampler } from './resampler.ts'
export { readWavHeader, type WavHeader, wavHeader } from './wav-header.ts'
