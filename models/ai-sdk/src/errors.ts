import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider'
import { DomosError, type ErrorDetails, type ModelRequest } from '@domos/spec'
import { AnswerError, InterruptedAnswer } from './answer.ts'

/** What an error's message may name, and what it must not. */
export interface ErrorScene {
  readonly model: string
  readonly request: ModelRequest
  readonly secrets: readonly string[]
}

/** Longest part of a provider's own message that is passed on. */
const MAX_MESSAGE_CHARACTERS = 300
/** Longest pause a provider may ask for; longer ones are cut. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Gives any failure of a provider as a DomosError: 401 and 403 `unauthorized`, 429 `rate_limited` with
 * `details.retryAfterMs`, all else `model_failed`. Neither message nor cause holds keys, the conversation or the request.
 */
export function toModelError(error: unknown, scene: ErrorScene): DomosError {
  if (error instanceof DomosError) return error
  if (LoadAPIKeyError.isInstance(error)) {
    return new DomosError(
      'unauthorized',
      `The model "${scene.model}" needs an API key: set apiKey, or the provider's environment variable.`,
    )
  }
  if (APICallError.isInstance(error)) return fromCall(error, scene)
  const cause = safeCause(error, scene)
  if (error instanceof InterruptedAnswer) {
    return new DomosError('model_failed', `The answer of the model "${scene.model}" broke off before its end.`, {
      cause,
    })
  }
  if (error instanceof AnswerError) return fromEvent(error, scene, cause)
  if (isNetworkError(error)) {
    return new DomosError('model_failed', `The connection to the model "${scene.model}" broke off.`, { cause })
  }
  return new DomosError('model_failed', `The model "${scene.model}" failed: ${safeText(messageOf(error), scene)}`, {
    cause,
  })
}

function fromCall(error: APICallError, scene: ErrorScene): DomosError {
  const status = error.statusCode
  const cause = safeCause(error, scene)
  const said = safeText(error.message, scene)
  const details: ErrorDetails = status === undefined ? {} : { status }
  if (status === undefined) {
    return new DomosError(
      'model_failed',
      `The model "${scene.model}" could not be reached; check baseUrl and the network.`,
      { cause },
    )
  }
  if (status < 400) {
    return new DomosError('model_failed', `The answer of the model "${scene.model}" broke off before its end.`, {
      details,
      cause,
    })
  }
  if (status === 401 || status === 403) {
    return new DomosError('unauthorized', `The provider of "${scene.model}" refused the API key (${status}).`, {
      details,
      cause,
    })
  }
  if (status === 429) {
    const retryAfterMs = readRetryAfter(error.responseHeaders, Date.now())
    return new DomosError('rate_limited', `The provider of "${scene.model}" asks to slow down: ${said}`, {
      details: { ...details, retryAfterMs },
      cause,
    })
  }
  if (status >= 400 && status < 500) {
    const toolName = refusedTool(said, scene.request)
    if (toolName !== undefined) {
      return new DomosError(
        'model_failed',
        `The provider of "${scene.model}" refused the tool "${toolName}": ${said}`,
        { details: { ...details, toolName, retryable: false }, cause },
      )
    }
    return new DomosError('model_failed', `The provider of "${scene.model}" refused the request (${status}): ${said}`, {
      details: { ...details, retryable: status === 408 || status === 409 },
      cause,
    })
  }
  const retryAfterMs = readRetryAfter(error.responseHeaders, Date.now())
  return new DomosError('model_failed', `The provider of "${scene.model}" failed (${status}): ${said}`, {
    details: { ...details, retryAfterMs },
    cause,
  })
}

/** An error event within a stream that had begun with 200. */
function fromEvent(error: AnswerError, scene: ErrorScene, cause: Error): DomosError {
  const code = /rate.?limit/i.test(JSON.stringify(error.cause) ?? '') ? 'rate_limited' : 'model_failed'
  return new DomosError(
    code,
    `The model "${scene.model}" failed within its answer: ${safeText(error.message, scene)}`,
    { cause },
  )
}

/** Seconds, milliseconds or a date, as providers send them; undefined when there is none. */
export function readRetryAfter(headers: Readonly<Record<string, string>> | undefined, now: number): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (milliseconds >= 0) return Math.min(Math.ceil(milliseconds), MAX_RETRY_AFTER_MS)
  const header = headers?.['retry-after']
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, Math.ceil(wait)), MAX_RETRY_AFTER_MS)
}

/** Providers point at a tool by its place in the list; a person needs its name. */
function refusedTool(message: string, request: ModelRequest): string | undefined {
  const index = /(?:tools|function_declarations|functionDeclarations)(?:\[0\]\.function_declarations)?[.[](\d+)/.exec(
    message,
  )?.[1]
  return index === undefined ? undefined : request.tools[Number(index)]?.name
}

function safeText(text: string, scene: ErrorScene): string {
  let safe = text.replaceAll(/\s+/g, ' ').trim()
  for (const secret of scene.secrets) safe = safe.replaceAll(secret, '…')
  // Providers repeat a part of the key they refuse.
  safe = safe.replaceAll(/\b(?:sk|key|AIza)[-_A-Za-z0-9*.]{8,}/g, '…')
  if (safe.length > MAX_MESSAGE_CHARACTERS) safe = `${safe.slice(0, MAX_MESSAGE_CHARACTERS)}…`
  return safe === '' ? 'no reason given.' : safe
}

/** The SDK's errors carry the whole request; a cause of ours carries its name and its cleaned message. */
function safeCause(error: unknown, scene: ErrorScene): Error {
  const cause = new Error(safeText(messageOf(error), scene))
  cause.name = error instanceof Error ? error.name : 'Error'
  return cause
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : 'unknown error'
}

function isNetworkError(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (
      /terminated|fetch failed|socket|ECONN|other side closed|premature/i.test(
        `${at.message} ${String((at as { code?: unknown }).code ?? '')}`,
      )
    )
      return true
  }
  return false
}
