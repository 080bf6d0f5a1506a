import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { DomosError } from '@domos/spec'
import type { AiSdkModelOptions } from './options.ts'

/** The kinds of provider a model's name can begin with. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'compatible'] as const

type ProviderName = (typeof PROVIDERS)[number]

/** A provider's model, and what must never be shown. */
export interface OpenProvider {
  readonly model: LanguageModelV4
  /** Keys that may stand in a provider's message; read when needed, since keys may come from the environment. */
  secrets(): readonly string[]
}

const KEY_VARIABLES: Readonly<Record<ProviderName, string | undefined>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  compatible: undefined,
}

/** Opens the provider a model's name begins with. @throws DomosError `invalid_request` */
export function openProvider(options: AiSdkModelOptions): OpenProvider {
  const slash = options.model.indexOf('/')
  const provider = PROVIDERS.find((name) => name === options.model.slice(0, slash))
  const name = options.model.slice(slash + 1)
  if (!provider || name === '') {
    throw new DomosError(
      'invalid_request',
      `The model "${options.model}" is not known: write ${PROVIDERS.map((entry) => `${entry}/NAME`).join(', ')}, or local/planner.`,
      { details: { path: 'model' } },
    )
  }
  if (options.baseUrl !== undefined && !URL.canParse(options.baseUrl)) {
    throw new DomosError('invalid_request', "The model's baseUrl is not an absolute URL.", {
      details: { path: 'baseUrl' },
    })
  }
  const secrets = (): string[] => {
    const variable = KEY_VARIABLES[provider]
    const key = options.apiKey ?? (variable === undefined ? undefined : process.env[variable])
    return [key, ...Object.values(options.headers ?? {})].filter(
      (secret): secret is string => secret !== undefined && secret.length >= 6,
    )
  }
  return { model: openModel(provider, name, options), secrets }
}

function openModel(provider: ProviderName, name: string, options: AiSdkModelOptions): LanguageModelV4 {
  const settings = {
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    ...(options.headers === undefined ? {} : { headers: { ...options.headers } }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  }
  switch (provider) {
    case 'openai':
      return createOpenAI(settings)(name)
    case 'anthropic':
      return createAnthropic(settings)(name)
    case 'google':
      return createGoogleGenerativeAI(settings)(name)
    case 'compatible':
      if (options.baseUrl === undefined) {
        throw new DomosError(
          'invalid_request',
          `The model "${options.model}" needs a baseUrl, such as http://127.0.0.1:11434/v1.`,
          { details: { path: 'baseUrl' } },
        )
      }
      return createOpenAICompatible({ ...settings, name: 'compatible', baseURL: options.baseUrl, includeUsage: true })(
        name,
      )
  }
}
