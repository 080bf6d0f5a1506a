export { createResampler, type Resampler } from './audio/resampler.ts'
export { changeVoiceConfig, DEFAULT_VOICE_CONFIG, VOICE_CONFIG_KEYS } from './config.ts'
export { createVoice, type VoiceOptions } from './create-voice.ts'
export type { FallbackOptions } from './engines/chain-link.ts'
export {
  CIRCUIT_BREAKER_LIMITS,
  type CircuitBreaker,
  type CircuitBreakerLimits,
  createCircuitBreaker,
} from './engines/circuit-breaker.ts'
export {
  createRecognitionChain,
  RECOGNITION_CHAIN_LIMITS,
  type RecognitionChainLimits,
  type RecognitionChainOptions,
} from './engines/recognition-chain.ts'
export { withSampleRate } from './engines/resampled-synthesis.ts'
export { createSynthesisChain } from './engines/synthesis-chain.ts'
export { resolveVoiceLimits, VOICE_LIMITS, type VoiceLimitEntry, type VoiceLimits } from './limits.ts'
export {
  createRecordings,
  type OpenRecording,
  RECORDING_LIMITS,
  type Recording,
  type RecordingEntry,
  type RecordingLimits,
  type Recordings,
  type RecordingWriter,
  replayRecording,
} from './recording.ts'
export { createSentenceChunker, type SentenceChunker, type TextChunk } from './sentence-chunker.ts'
export { isPronounceable, speakable } from './speakable.ts'
export { ENGLISH_VOICE_TEXTS, type VoiceTexts } from './texts.ts'
