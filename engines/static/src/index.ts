export { createStaticEngine, type StaticEngineOptions } from './engine.ts'
export { STATIC_ENGINE_LIMITS, type StaticEngineLimits } from './limits.ts'
