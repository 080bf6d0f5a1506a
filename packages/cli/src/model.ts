import { createLocalModel } from '@domos/model-local'
import { DomosError, type LanguageModel } from '@domos/spec'
import type { Settings } from './settings.ts'

/**
 * Opens the language model that the settings name. The AI SDK is loaded only when it is needed.
 * @throws DomosError `invalid_request` when the name or its key is missing
 */
export async function openModel(settings: Settings): Promise<LanguageModel> {
  if (settings.model === 'local') return createLocalModel()
  if (!/^(openai|anthropic|google|compatible)\/.+$/.test(settings.model)) {
    throw new DomosError(
      'invalid_request',
      `--model ${settings.model} is not known. Use local, openai/NAME, anthropic/NAME, google/NAME, or compatible/NAME with --model-base-url.`,
      { details: { setting: 'model' } },
    )
  }
  const { createAiSdkModel } = await import('@domos/model-ai-sdk')
  return createAiSdkModel({
    model: settings.model,
    ...(settings.modelApiKey === undefined ? {} : { apiKey: settings.modelApiKey }),
    ...(settings.modelBaseUrl === undefined ? {} : { baseUrl: settings.modelBaseUrl }),
  })
}
