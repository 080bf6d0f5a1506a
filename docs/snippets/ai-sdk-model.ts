import { createAiSdkModel } from '@domos/model-ai-sdk'

/** Any model of the AI SDK; without `apiKey` the provider's own environment name counts. */
export const namedModel = (apiKey: string) => createAiSdkModel({ model: 'openai/gpt-5', apiKey })
