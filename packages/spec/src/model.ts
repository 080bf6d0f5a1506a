import type { JsonObject, JsonValue } from './json.ts'
import type { ToolDeclaration, ToolOutcome } from './tool.ts'

/** What the page shows now. All of it is untrusted: it comes from a web page and whoever writes into that page. */
export interface PageContext {
  readonly url?: string
  readonly title?: string
  readonly data?: JsonObject
}

/** A piece of a user message. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** Page context as marked, capped text for language models, and as values for models that plan by themselves. */
  | { readonly type: 'page-context'; readonly text: string; readonly context: PageContext }

/** A piece of an assistant message. */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly callId: string; readonly name: string; readonly args: JsonObject }

/** The answer to one tool call; `text` is what a language model reads (capped), `outcome` the value itself. */
export interface ToolResultPart {
  readonly callId: string
  readonly name: string
  readonly outcome: ToolOutcome
  readonly text: string
}

/** The conversation as a model sees it. Every tool call is followed by exactly one result for it. */
export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] }

/** One request to a model. Tool names are provider-safe (`^[a-zA-Z0-9_-]{1,64}$`) and unique. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDeclaration[]
  /** BCP 47 tag of the person's language, where known. */
  readonly language?: string
}

/** Why a model stopped. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** A piece of a model's answer. */
export type ModelPart =
  | { readonly type: 'text-delta'; readonly text: string }
  /** A complete call. `args` is what could be parsed; a string in `invalid` says why the arguments could not be. */
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      readonly args: JsonValue
      readonly invalid?: string
    }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      readonly inputTokens?: number
      readonly outputTokens?: number
    }

/** A language model. Throws {@link DomosError} `model_failed`, `rate_limited` (details.retryAfterMs), `timeout` or `unauthorized`. */
export interface LanguageModel {
  /** `provider/name`, such as `local/planner` or `openai/gpt-5`. */
  readonly id: string
  /** Whether it runs in this process without a network, for /healthz and the console. */
  readonly embedded: boolean
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}
