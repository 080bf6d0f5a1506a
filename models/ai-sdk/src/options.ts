/** Options of `createAiSdkModel`. */
export interface AiSdkModelOptions {
  /**
   * `provider/name`: `openai/…`, `anthropic/…`, `google/…`, or `compatible/…` for any server with OpenAI's chat
   * completions (Ollama, llama.cpp, vLLM, …; needs `baseUrl`).
   */
  readonly model: string
  /** @default the provider's environment variable (OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY) */
  readonly apiKey?: string
  /** @default the provider's own address */
  readonly baseUrl?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest silence before and within an answer, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number
  /** Longest answer, in tokens. @default the provider's */
  readonly maxOutputTokens?: number
  /** @default the provider's */
  readonly temperature?: number
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch
}
