export { createEngineWorker, type EngineWorker, type EngineWorkerOptions } from './engine-worker.ts'
export { ENGINE_WORKER_LIMITS, type EngineWorkerLimits } from './limits.ts'
export { siblingModule } from './sibling-module.ts'
