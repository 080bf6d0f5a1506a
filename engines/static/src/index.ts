export { createStaticEngine, type StaticEngineOptions } from './engine.ts'
