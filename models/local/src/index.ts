export { createLocalModel, type LocalModelOptions } from './local-model.ts'
