export { SHERPA_LIMITS, type SherpaLimits } from './limits.ts'
export { createSherpaRecognition, type SherpaOptions } from './recognition.ts'
export { createSherpaSynthesis } from './synthesis.ts'
