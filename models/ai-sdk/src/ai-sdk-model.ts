import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { DomosError, type LanguageModel, type ModelPart, type ModelRequest } from '@domos/spec'
import { ModelAnswer } from './answer.ts'
import { toModelError } from './errors.ts'
import { startIdleTimer } from './idle-timer.ts'
import { toPrompt, toTools } from './messages.ts'
import type { AiSdkModelOptions } from './options.ts'
import { openProvider } from './provider.ts'

/** Milliseconds of silence after which an answer is given up. */
export const DEFAULT_TIMEOUT_MS = 60_000

/**
 * A language model of the AI SDK. It streams text, gives tool calls once an answer is complete, and neither retries nor
 * calls tools by itself: both are the turn's business.
 * @throws DomosError `invalid_request` when the model's name or `baseUrl` cannot be used
 */
export function createAiSdkModel(options: AiSdkModelOptions): LanguageModel {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const provider = openProvider(options)
  return {
    id: options.model,
    embedded: false,
    async *stream(request, signal) {
      if (signal.aborted) throw new DomosError('cancelled', 'The turn was cancelled.')
      const timer = startIdleTimer(timeoutMs, signal)
      try {
        yield* answer(provider.model, options, request, timer)
      } catch (error) {
        if (signal.aborted) throw new DomosError('cancelled', 'The turn was cancelled.')
        if (timer.hasExpired) {
          throw new DomosError(
            'timeout',
            `The model "${options.model}" was silent for ${timeoutMs} ms; timeoutMs sets how long to wait.`,
          )
        }
        throw toModelError(error, { model: options.model, request, secrets: provider.secrets() })
      } finally {
        // Leaving the loop early ends the HTTP request too.
        timer.stop()
      }
    },
  }
}

async function* answer(
  model: LanguageModelV4,
  options: AiSdkModelOptions,
  request: ModelRequest,
  timer: ReturnType<typeof startIdleTimer>,
): AsyncGenerator<ModelPart> {
  const { stream } = await model.doStream({
    prompt: toPrompt(request),
    ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    // Conversations stay with us; nothing is kept at the provider.
    providerOptions: { openai: { store: false } },
    abortSignal: timer.signal,
  })
  const collected = new ModelAnswer()
  for await (const part of partsOf(stream)) {
    timer.restart()
    yield* collected.take(part)
    if (collected.isFinished) return
  }
  collected.end()
}

async function* partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
