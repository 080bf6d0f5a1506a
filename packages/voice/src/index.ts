export { createResampler, type Resampler } from './audio/resampler.ts'
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
