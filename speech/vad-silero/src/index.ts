export { createSileroVad } from './silero.ts'
