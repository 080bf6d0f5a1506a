export { createAiSdkModel, DEFAULT_TIMEOUT_MS } from './ai-sdk-model.ts'
export type { AiSdkModelOptions } from './options.ts'
export { PROVIDERS } from './provider.ts'
