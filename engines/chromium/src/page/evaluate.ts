import { DomosError, type JsonValue } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

/**
 * Runs an expression in the page's own world and gives its JSON value. When the signal ends it, the script is stopped.
 * @throws DomosError `script_failed` with what it threw, `too_large`, or the signal's reason
 */
export async function evaluate(
  session: CdpSession,
  expression: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<JsonValue> {
  signal.throwIfAborted()
  const stop = (): void => session.post('Runtime.terminateExecution')
  signal.addEventListener('abort', stop, { once: true })
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => {})
  try {
    return await Promise.race([run(session, expression, maxBytes), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function run(session: CdpSession, expression: string, maxBytes: number): Promise<JsonValue> {
  const first = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    replMode: false,
    userGesture: false,
  })
  if (first.exceptionDetails !== undefined) throw failed(first.exceptionDetails)
  const { result } = first
  if (result.objectId === undefined) {
    const value = (result.value ?? null) as JsonValue
    if (JSON.stringify(value).length > maxBytes) throw tooLarge(maxBytes)
    return value
  }
  try {
    const second = await session.send('Runtime.callFunctionOn', {
      objectId: result.objectId,
      functionDeclaration:
        'function (max) { const text = JSON.stringify(this); return text === undefined ? "null" : text.length > max ? text.length : text }',
      arguments: [{ value: maxBytes }],
      returnByValue: true,
    })
    if (second.exceptionDetails !== undefined) throw failed(second.exceptionDetails)
    if (typeof second.result.value !== 'string') throw tooLarge(maxBytes)
    return JSON.parse(second.result.value) as JsonValue
  } finally {
    session.post('Runtime.releaseObject', { objectId: result.objectId })
  }
}

function failed({ exception, text }: Protocol.Runtime.ExceptionDetails): DomosError {
  const why = (exception?.description ?? String(exception?.value ?? text)).split('\n')[0]?.slice(0, 500)
  return new DomosError('script_failed', `The script failed: ${why}`, { details: { reason: 'SCRIPT_THREW' } })
}

function tooLarge(maxBytes: number): DomosError {
  return new DomosError('too_large', `The result is larger than ${maxBytes} bytes; give less back.`, {
    details: { maxBytes },
  })
}
