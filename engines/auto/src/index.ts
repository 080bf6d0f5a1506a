export { type AutoEngineOptions, createAutoEngine } from './auto-engine.ts'
export { type Choice, choose } from './choose.ts'
