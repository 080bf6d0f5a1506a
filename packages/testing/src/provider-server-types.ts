import type { IncomingHttpHeaders } from 'node:http'

/** The streaming APIs the server speaks. */
export type ProviderApi = 'openai-responses' | 'openai-chat' | 'anthropic' | 'google'

/** A request as it came. */
export interface ProviderRequest {
  /** 0 for the first. */
  readonly index: number
  readonly api: ProviderApi
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body. */
  readonly body: Readonly<Record<string, unknown>>
  /** The body as it came. */
  readonly text: string
  readonly bytes: number
  /** The tools it offers, in their order, whatever the API. */
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  /** The status it was answered with; undefined while it waits. */
  readonly status: number | undefined
  /** Settles when the client gave up before the answer was complete; never, when it did not. */
  readonly aborted: Promise<void>
}

/** A name, or how to find it in the request that is answered. */
export type ProviderToolName = string | ((request: ProviderRequest) => string)

/** One scripted tool call whose arguments are complete. */
export interface ProviderToolCall {
  readonly id: string
  readonly name: ProviderToolName
  readonly args: unknown
}

/** One scripted tool call whose arguments come in pieces, broken ones too. */
export interface ProviderStreamedToolCall {
  readonly id: string
  readonly name: ProviderToolName
  /** `['']` is what models send for no arguments. */
  readonly argumentsPieces: readonly string[]
}

/** The next answer. */
export type ProviderReply = ProviderReplyBody & {
  /** The answer begins when this settles. */
  readonly after?: Promise<unknown>
}

type ProviderReplyBody =
  /** A text, word by word or in the given pieces. */
  | { readonly type: 'text'; readonly text: string; readonly pieces?: readonly string[] }
  | { readonly type: 'tool-calls'; readonly calls: readonly ProviderToolCall[]; readonly text?: string }
  | { readonly type: 'stream-tool-calls'; readonly calls: readonly ProviderStreamedToolCall[]; readonly text?: string }
  /** A complete answer without text and without calls. */
  | { readonly type: 'empty' }
  /** An answer that ran into the length limit. */
  | { readonly type: 'length'; readonly text: string }
  /** An HTTP error in the provider's own form. */
  | {
      readonly type: 'http-error'
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Some of an answer, then, when `tearAfter` settles, the socket is torn. `calls` are cut within their arguments. */
  | {
      readonly type: 'cut'
      readonly text?: string
      readonly calls?: readonly ProviderStreamedToolCall[]
      readonly tearAfter?: Promise<unknown>
    }
  /** Some of an answer, then a clean end of the body without a closing event. */
  | { readonly type: 'unfinished'; readonly text: string }
  /** Some of an answer, then an error event within the stream. */
  | { readonly type: 'stream-error'; readonly text?: string; readonly message: string; readonly code?: string }
  /** Headers and the given text, then silence until the client leaves. */
  | { readonly type: 'stall'; readonly text?: string }

/** Options of `createProviderServer`. */
export interface ProviderServerOptions {
  /** The key clients have to show; any other is answered 401. @default any key is taken */
  readonly apiKey?: string
  /** Largest request in bytes; larger ones are answered 400. @default 1_000_000 */
  readonly maxRequestBytes?: number
  /** How long a request waits for a reply to be queued before it is answered 503. @default 60_000 */
  readonly replyTimeoutMs?: number
}

/** A language-model provider on loopback. */
export interface ProviderServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string
  /** Base URLs as the providers' clients want them. */
  readonly baseUrls: { readonly openai: string; readonly anthropic: string; readonly google: string }
  /** All requests so far, refused ones too. */
  readonly requests: readonly ProviderRequest[]
  /** Queues replies; each answers one accepted request. A request that comes first waits for its reply. */
  queue(...replies: readonly ProviderReply[]): void
  /** Replies that were not used yet. */
  readonly queued: number
  /** The request with this index (0 is the first), as soon as it has come. */
  waitForRequest(index: number, signal?: AbortSignal): Promise<ProviderRequest>
  /**
   * The name under which a tool was offered, found by its own name: the same, else the alias that resembles it most.
   * @param request @default the newest request
   */
  nameOfferedFor(ownName: string, request?: ProviderRequest): string | undefined
  /** Ends every connection; may be called twice. */
  close(): Promise<void>
}
