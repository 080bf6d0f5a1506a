export { createFlite, type FliteOptions } from './flite.ts'
export { FLITE_LIMITS, type FliteLimits } from './limits.ts'
