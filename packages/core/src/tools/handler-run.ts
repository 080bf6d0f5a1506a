import { type Clock, describeThrown } from '@domos/spec'
import { cloneJson } from '../json.ts'
import type { CallOutcome, RegisteredTool, ToolContext } from './definition.ts'
import { fail, reasonOf } from './outcomes.ts'

/** What one run of a handler is bounded by. */
export interface HandlerRun {
  readonly callId: string
  readonly sessionId: string | undefined
  readonly abort: AbortController
  readonly clock: Clock
  readonly timeoutMs: number
  readonly resultMaxBytes: number
  progress(report: { readonly fraction?: number; readonly message?: string }): void
}

/** Runs a handler to its end, its time limit or its cancellation, whichever is first. Never rejects. */
export function runHandler(tool: RegisteredTool, value: unknown, run: HandlerRun): Promise<CallOutcome> {
  const { signal } = run.abort
  return new Promise((resolve) => {
    let cancelTimer = () => {}
    const end = (outcome: CallOutcome) => {
      cancelTimer()
      signal.removeEventListener('abort', aborted)
      resolve(outcome)
    }
    const aborted = () => end(reasonOf(signal))
    const restart = () => {
      cancelTimer()
      cancelTimer = run.clock.schedule(run.timeoutMs, () => {
        run.abort.abort(fail('timeout', `Tool "${tool.name}" did not finish within ${run.timeoutMs} ms.`))
      })
    }
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted, { once: true })
    restart()
    let running = true
    const context: ToolContext = {
      callId: run.callId,
      sessionId: run.sessionId,
      signal,
      progress(report) {
        if (!running || signal.aborted) return
        restart()
        run.progress(report)
      },
    }
    // The cast is the seam between the typed definition and the untyped wire: the value passed the tool's own schema.
    const result = new Promise<unknown>((done) => done(tool.handler(value as never, context)))
    result.then(
      (returned) => {
        running = false
        end(readResult(tool.name, returned, run.resultMaxBytes))
      },
      (thrown) => {
        running = false
        end(fail('failed', describeThrown(thrown) || `Tool "${tool.name}" failed.`))
      },
    )
  })
}

function readResult(name: string, returned: unknown, maxBytes: number): CallOutcome {
  try {
    const result = cloneJson(returned)
    const bytes = JSON.stringify(result).length
    if (bytes <= maxBytes) return { status: 'success', result }
    return fail('failed', `The result of "${name}" is too large (${bytes} of at most ${maxBytes}); the tool did run.`)
  } catch (thrown) {
    return fail('failed', `The result of "${name}" cannot be sent as JSON: ${describeThrown(thrown)} The tool did run.`)
  }
}
