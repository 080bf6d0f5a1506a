import type { Clock, JsonValue, LanguageModel, Metrics, ModelRequest } from '@domos/spec'
import { DomosError, toDomosError } from '@domos/spec'
import type { AgentLimits } from './limits.ts'

/** One call as the model wants it. */
export interface WantedCall {
  readonly callId: string
  readonly name: string
  readonly args: JsonValue
  readonly invalid?: string
}

/** What one model request brought. `error` is set when the stream broke; text and calls before the break are kept. */
export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly WantedCall[]
  readonly error?: DomosError
}

/** What asking a model needs. */
export interface ModelCallContext {
  readonly model: LanguageModel
  readonly limits: AgentLimits
  readonly clock: Clock
  readonly metrics: Metrics
}

const RETRYABLE = new Set(['model_failed', 'timeout', 'rate_limited', 'unavailable'])

/**
 * Asks the model once and hands its text on as it comes. A request that brought nothing is tried again within bounds, after the
 * wait a rate-limited provider asked for; one that broke after its first part is not, since what was said cannot be
 * unsaid. Never throws; an aborted signal gives an answer with error `cancelled`.
 */
export async function askModel(
  context: ModelCallContext,
  request: ModelRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ModelAnswer> {
  const { limits, clock, metrics } = context
  for (let attempt = 0; ; attempt += 1) {
    const started = clock.now()
    const answer = await readOnce(context, request, signal, onText)
    const result = answer.error?.code ?? 'success'
    metrics.count('model_requests', { result })
    metrics.observe('model_seconds', (clock.now() - started) / 1000, { result })
    const { error } = answer
    const nothing = answer.text === '' && answer.calls.length === 0
    if (error === undefined || !nothing || attempt >= limits.modelRetriesMax || !isRetryable(error)) return answer
    const asked = error.details['retryAfterMs']
    const waitMs = typeof asked === 'number' && asked >= 0 ? asked : limits.modelRetryDelayMs * 2 ** attempt
    if (waitMs > limits.modelRetryAfterMaxMs) return answer
    await pause(clock, waitMs, signal)
    if (signal.aborted) return { text: '', calls: [], error: cancelled() }
  }
}

function isRetryable(error: DomosError): boolean {
  return RETRYABLE.has(error.code) && error.details['retryable'] !== false
}

async function readOnce(
  context: ModelCallContext,
  request: ModelRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ModelAnswer> {
  const { model, limits, clock } = context
  const stop = new AbortController()
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const breakOff = (error: DomosError): void => {
    broken.reject(error)
    stop.abort(error)
  }
  const onAbort = (): void => breakOff(cancelled())
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const timedOut = (what: string, ms: number) => (): void =>
    breakOff(new DomosError('timeout', `The language model ${what} within ${ms / 1000} s.`))
  let stopClock = clock.schedule(
    limits.modelFirstPartTimeoutMs,
    timedOut('did not begin to answer', limits.modelFirstPartTimeoutMs),
  )
  const stopTotal = clock.schedule(limits.modelTotalTimeoutMs, timedOut('did not finish', limits.modelTotalTimeoutMs))

  let text = ''
  const calls: WantedCall[] = []
  let iterator: AsyncIterator<unknown> | undefined
  try {
    if (signal.aborted) throw cancelled()
    const parts = model.stream(request, stop.signal)[Symbol.asyncIterator]()
    iterator = parts
    let finished = false
    for (;;) {
      const next = await Promise.race([parts.next(), broken.promise])
      stopClock()
      if (next.done === true) break
      stopClock = clock.schedule(
        limits.modelIdleTimeoutMs,
        timedOut('fell silent; nothing came', limits.modelIdleTimeoutMs),
      )
      const part = next.value
      if (part.type === 'text-delta') {
        if (text.length + part.text.length > limits.modelOutputMaxChars) {
          throw new DomosError('too_large', 'The answer of the language model is longer than modelOutputMaxChars.')
        }
        text += part.text
        if (part.text !== '') onText(part.text)
      } else if (part.type === 'tool-call') {
        calls.push({
          callId: part.callId,
          name: part.name,
          args: part.args,
          ...(part.invalid === undefined ? {} : { invalid: part.invalid }),
        })
      } else {
        finished = true
        if (part.inputTokens !== undefined)
          context.metrics.count('model_tokens', { direction: 'input' }, part.inputTokens)
        if (part.outputTokens !== undefined)
          context.metrics.count('model_tokens', { direction: 'output' }, part.outputTokens)
        break
      }
    }
    if (!finished && text === '' && calls.length === 0) {
      return { text, calls, error: new DomosError('model_failed', 'The language model ended without an answer.') }
    }
    return { text, calls }
  } catch (thrown) {
    return { text, calls, error: toDomosError(thrown, 'The language model failed.') }
  } finally {
    stopClock()
    stopTotal()
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    // A model that ignores its signal must not hold the turn: its goodbye is not waited for.
    void Promise.resolve(iterator?.return?.()).catch(() => {})
  }
}

function cancelled(): DomosError {
  return new DomosError('cancelled', 'The turn was cancelled.')
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      stop()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const stop = clock.schedule(delayMs, finish)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
