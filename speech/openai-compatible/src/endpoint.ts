import { DomosError, type SpeechEngineHealth } from '@domos/spec'
import type { EndpointLimits } from './limits.ts'

/** Where the endpoints are and how to be let in. */
export interface EndpointOptions {
  /** Up to and with the version, e.g. `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  /** Sent as a bearer token. @default none */
  readonly apiKey?: string
  readonly limits?: Partial<EndpointLimits>
}

/** The body of an answer, piece by piece; each piece must come within the time limit. */
export interface EndpointAnswer {
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** Requests to one server, with its failures in our codes. */
export interface Endpoint {
  post(path: string, body: () => FormData | string, signal: AbortSignal): Promise<EndpointAnswer>
  health(signal: AbortSignal): Promise<SpeechEngineHealth>
  close(): void
  readonly closed: AbortSignal
}

/** Throws with code `invalid_request` when the address is no HTTP address. */
export function createEndpoint(options: EndpointOptions, limits: EndpointLimits): Endpoint {
  const base = checkedBase(options.baseUrl)
  const closing = new AbortController()
  const authorization = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }

  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<Response & { watch: Watch }> => {
    const watch = watchTime(limits.timeoutMs)
    const either = AbortSignal.any([signal, closing.signal, watch.signal])
    try {
      const response = await fetch(`${base}${path}`, { ...init, signal: either, redirect: 'error' })
      watch.restart()
      return Object.assign(response, { watch })
    } catch (thrown) {
      watch.stop()
      throw failure(thrown, { base, signal, watch, closed: closing.signal })
    }
  }

  return {
    closed: closing.signal,
    async post(path, body, signal) {
      for (let attempt = 0; ; attempt++) {
        if (closing.signal.aborted) throw closedError()
        const { content, type } = await encode(body())
        const headers = { ...authorization, 'content-type': type }
        const response = await send(path, { method: 'POST', body: content, headers }, signal)
        if (response.ok && response.body) {
          const context = { base, signal, watch: response.watch, closed: closing.signal }
          return { contentType: response.headers.get('content-type') ?? '', body: readBody(response.body, context) }
        }
        response.watch.stop()
        await response.body?.cancel().catch(() => {})
        const waitMs = retryWait(response)
        if (attempt > 0 || waitMs === undefined || waitMs > limits.maxRetryWaitMs) throw refusal(response, base, waitMs)
        await sleep(waitMs, AbortSignal.any([signal, closing.signal]))
      }
    },
    async health(signal) {
      signal.throwIfAborted()
      try {
        if (closing.signal.aborted) throw closedError()
        const response = await send('/models', { headers: authorization }, signal)
        response.watch.stop()
        await response.body?.cancel().catch(() => {})
        // A server without a list of models may still have the audio endpoints.
        if (!response.ok && response.status !== 404 && response.status !== 405) throw refusal(response, base, undefined)
        return { state: 'ready', detail: `The endpoint ${base} answers.`, missing: [] }
      } catch (thrown) {
        signal.throwIfAborted()
        const detail = thrown instanceof Error ? thrown.message : String(thrown)
        return { state: 'unavailable', detail, missing: [base] }
      }
    },
    close: () => closing.abort(),
  }
}

/** A form as bytes: one that is streamed fails outside of any promise when the request is aborted meanwhile. */
async function encode(
  body: FormData | string,
): Promise<{ readonly content: string | ArrayBuffer; readonly type: string }> {
  if (typeof body === 'string') return { content: body, type: 'application/json' }
  const encoded = new Response(body)
  return { content: await encoded.arrayBuffer(), type: encoded.headers.get('content-type') ?? '' }
}

interface Watch {
  readonly signal: AbortSignal
  restart(): void
  stop(): void
}

interface FailureContext {
  readonly base: string
  readonly signal: AbortSignal
  readonly watch: Watch
  readonly closed: AbortSignal
}

function watchTime(timeoutMs: number): Watch {
  const abort = new AbortController()
  let timer = setTimeout(() => abort.abort(), timeoutMs)
  return {
    signal: abort.signal,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(() => abort.abort(), timeoutMs)
    },
    stop: () => clearTimeout(timer),
  }
}

async function* readBody(body: ReadableStream<Uint8Array>, context: FailureContext): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // The time the consumer takes does not count.
      context.watch.stop()
      yield value
      context.watch.restart()
    }
  } catch (thrown) {
    throw failure(thrown, context)
  } finally {
    context.watch.stop()
    await reader.cancel().catch(() => {})
  }
}

function failure(thrown: unknown, { base, signal, watch, closed }: FailureContext): unknown {
  if (thrown instanceof DomosError) return thrown
  if (signal.aborted) return new DomosError('cancelled', 'The request was cancelled.')
  if (closed.aborted) return closedError()
  if (watch.signal.aborted) return new DomosError('timeout', `${base} did not answer in time (timeoutMs).`)
  return new DomosError('unavailable', `${base} cannot be reached or broke off its answer.`, { cause: thrown })
}

function refusal({ status }: Response, base: string, retryAfterMs: number | undefined): DomosError {
  const details = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  if (status === 401 || status === 403)
    return new DomosError('unauthorized', `${base} wants another key (apiKey).`, { details })
  if (status === 413) return new DomosError('too_large', `${base} finds the request too large.`, { details })
  if (status === 429) return new DomosError('rate_limited', `${base} asks to be called less often.`, { details })
  if (status === 400 || status === 422) {
    return new DomosError('invalid_request', `${base} refuses the request; check model, voice and language.`, {
      details,
    })
  }
  const hint = status === 404 ? '; check baseUrl and model' : ''
  return new DomosError('unavailable', `${base} answers with status ${status}${hint}.`, { details })
}

/** Milliseconds that a busy server asks to wait, 0 when it does not say; undefined when waiting does not help. */
function retryWait(response: Response): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined
  const value = response.headers.get('retry-after')
  if (value === null) return response.status === 503 ? undefined : Number.POSITIVE_INFINITY
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : Math.max(0, at - Date.now())
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const cancel = (): void => {
    clearTimeout(timer)
    reject(new DomosError('cancelled', 'The request was cancelled.'))
  }
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', cancel))
}

function closedError(): DomosError {
  return new DomosError('unavailable', 'The speech endpoint is closed.')
}

function checkedBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '')
  throw new DomosError('invalid_request', 'baseUrl is an http or https address such as http://127.0.0.1:8000/v1.')
}
