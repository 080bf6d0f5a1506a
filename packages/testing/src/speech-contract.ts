export {
  needDebianPackages,
  readPcm,
  readRawPcm,
  SYSTEM_VOICES,
  type SystemVoice,
  speakWithSystem,
} from './speech-contract-audio.ts'
export { type ContractCase, check, checkFailsWith, neverAborts } from './speech-contract-check.ts'
export { type RecognitionSubject, recognitionContract, type SpokenSentence } from './speech-contract-recognition.ts'
export { resample } from './speech-contract-resample.ts'
export { joinSamples, silence, soundsWithoutSpeech } from './speech-contract-signals.ts'
export { type SynthesisSubject, synthesisContract } from './speech-contract-synthesis.ts'
export { type VoiceActivitySubject, voiceActivityContract } from './speech-contract-vad.ts'
export { wordErrors } from './word-errors.ts'
