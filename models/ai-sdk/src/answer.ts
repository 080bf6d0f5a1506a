import { randomUUID } from 'node:crypto'
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { FinishReason, JsonValue, ModelPart } from '@domos/spec'

/** The answer ended without its closing event. */
export class InterruptedAnswer extends Error {
  constructor() {
    super('The answer broke off before its end.')
    this.name = 'InterruptedAnswer'
  }
}

/** The provider reported an error within the stream. */
export class AnswerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'AnswerError'
  }
}

/**
 * Turns a provider's parts into ours. Text passes at once; calls are held until the answer is complete, so that a call
 * whose arguments broke off is never made.
 */
export class ModelAnswer {
  isFinished = false
  readonly #calls: LanguageModelV4ToolCall[] = []
  readonly #ids = new Set<string>()

  /** The stream is over. @throws InterruptedAnswer when the answer has no end */
  end(): void {
    if (!this.isFinished) throw new InterruptedAnswer()
  }

  /** Takes a part, gives what can be passed on. */
  *take(part: LanguageModelV4StreamPart): Generator<ModelPart> {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text-delta', text: part.delta }
        return
      case 'tool-call':
        // Tools the provider runs by itself are none of ours.
        if (!part.providerExecuted) this.#calls.push(part)
        return
      case 'error':
        throw part.error instanceof Error ? part.error : new AnswerError(errorText(part.error), part.error)
      case 'finish':
        yield* this.#finish(part.finishReason, part.usage.inputTokens.total, part.usage.outputTokens.total)
        return
      default:
    }
  }

  *#finish(
    reason: LanguageModelV4FinishReason,
    inputTokens: number | undefined,
    outputTokens: number | undefined,
  ): Generator<ModelPart> {
    if (reason.unified === 'interrupted' || (reason.unified === 'other' && reason.raw === undefined))
      throw new InterruptedAnswer()
    if (reason.unified === 'error') throw new AnswerError('The provider ended the answer with an error.')
    this.isFinished = true
    for (const call of this.#calls) yield this.#call(call, reason.unified === 'length')
    yield {
      type: 'finish',
      reason: finishReason(reason.unified, this.#calls.length > 0),
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    }
  }

  #call(call: LanguageModelV4ToolCall, wasCut: boolean): ModelPart {
    const arguments_ = readArguments(call.input, wasCut)
    // Some servers send no id, or the same one for every call.
    const callId = call.toolCallId === '' || this.#ids.has(call.toolCallId) ? `call_${randomUUID()}` : call.toolCallId
    this.#ids.add(callId)
    return { type: 'tool-call', callId, name: call.toolName, ...arguments_ }
  }
}

function finishReason(unified: LanguageModelV4FinishReason['unified'], hasCalls: boolean): FinishReason {
  // Compatible servers say "stop" after tool calls.
  if (hasCalls && (unified === 'stop' || unified === 'other')) return 'tool-calls'
  return unified === 'error' || unified === 'interrupted' ? 'other' : unified
}

/** No arguments at all are an empty object; what is no JSON object is reported, not guessed. */
function readArguments(input: string, wasCut: boolean): { args: JsonValue; invalid?: string } {
  if (input.trim() === '') return { args: {} }
  let args: JsonValue
  try {
    args = JSON.parse(input) as JsonValue
  } catch {
    return {
      args: {},
      invalid: wasCut ? 'The arguments are cut off at the length limit.' : 'The arguments are not valid JSON.',
    }
  }
  if (args === null) return { args: {} }
  if (typeof args !== 'object' || Array.isArray(args))
    return { args, invalid: 'The arguments have to be a JSON object.' }
  return { args }
}

/** The message of an error event, whatever its shape. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return 'The provider reported an error.'
  const record = error as Record<string, unknown>
  const inner = record.error ?? record.response ?? record
  if (typeof inner === 'object' && inner !== null) {
    const { message } = inner as Record<string, unknown>
    if (typeof message === 'string') return message
    if (inner !== record) return 'The provider reported an error.'
    if (typeof record.error === 'object') return errorText(record.error)
  }
  return 'The provider reported an error.'
}
