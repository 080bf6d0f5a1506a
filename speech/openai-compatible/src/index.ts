export type { EndpointOptions } from './endpoint.ts'
export { ENDPOINT_LIMITS, type EndpointLimits } from './limits.ts'
export { createSpeech, type SpeechOptions } from './speech.ts'
export { createTranscription, type TranscriptionOptions } from './transcription.ts'
