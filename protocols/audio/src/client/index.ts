export {
  type Microphone,
  MicrophoneError,
  type MicrophoneErrorKind,
  type MicrophoneOptions,
  openMicrophone,
} from './browser/microphone.ts'
export { openSpeaker, type Speaker, type SpeakerOptions } from './browser/speaker.ts'
export { startTalk, type Talk, type TalkOptions } from './browser/talk.ts'
export type { VoiceClientEvents } from './events.ts'
export { type LinkState, mayReconnect } from './link-state.ts'
export { INITIAL_WAIT_MS, MAX_WAIT_MS, reconnectDelayMs } from './reconnect-delay.ts'
export {
  createVoiceClient,
  type SocketLike,
  type VoiceClient,
  type VoiceClientOptions,
} from './voice-client.ts'
