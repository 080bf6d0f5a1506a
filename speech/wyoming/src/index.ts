export type { WyomingAddress } from './connection.ts'
export { WYOMING_LIMITS, type WyomingLimits } from './limits.ts'
export { createWyomingRecognition, type WyomingRecognitionOptions } from './recognition.ts'
export { createWyomingSynthesis, type WyomingSynthesisOptions } from './synthesis.ts'
