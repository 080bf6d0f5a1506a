import { describeThrown, type JsonObject, maxRisk, needsApproval, type Risk } from '@domos/spec'
import type { Approvals } from '../approval/approvals.ts'
import type { ApprovalVerdict } from '../approval/approver.ts'
import type { ClientBase } from '../base.ts'
import { readLocation } from '../context/route-watcher.ts'
import type { CallInfo } from '../events.ts'
import { cloneJson, freezeJson, isJsonObject } from '../json.ts'
import type { CallOutcome, RegisteredTool } from './definition.ts'
import { runHandler } from './handler-run.ts'
import { fail, reasonOf } from './outcomes.ts'
import { checkArguments } from './parameters.ts'
import { declarationKey, type ToolRegistry } from './registry.ts'

/** A call as it arrives: from the agent, or from the page's own `callTool`. */
export interface IncomingCall {
  readonly callId: string
  readonly name: string
  readonly args: unknown
  /** What the server says after its policy; it can only raise the declared risk. */
  readonly risk?: Risk
  /** Present when the server saw a person approve this very call. */
  readonly ticket?: string
  readonly origin: 'agent' | 'page'
  /** The session it came from. */
  readonly sessionId?: string | undefined
}

/** How a call ended, and whether a person was asked for it here. */
export interface FinishedCall {
  readonly outcome: CallOutcome
  readonly approval: 'none' | 'approved' | 'refused'
}

/** What the runner needs from, and tells, its surroundings. */
export interface CallRunnerPort extends ClientBase {
  readonly registry: ToolRegistry
  readonly approvals: Approvals
  sessionId(): string | undefined
  /** A call of the agent is over. */
  finished(call: IncomingCall, finished: FinishedCall): void
  /** A call of the agent goes on. */
  progress(callId: string, report: { readonly fraction?: number; readonly message?: string }): void
}

interface OpenCall {
  started?: true
  readonly abort: AbortController
  readonly pathname: string
  readonly done: Promise<FinishedCall>
  tool?: RegisteredTool
  info?: CallInfo
}

/**
 * The only way to a handler: argument check, risk, approval, time limit. One execution per call id.
 */
export class CallRunner {
  readonly #port: CallRunnerPort
  readonly #open = new Map<string, OpenCall>()

  constructor(port: CallRunnerPort) {
    this.#port = port
  }

  /** Ids of the calls whose handler has begun. */
  get running(): readonly string[] {
    return [...this.#open].filter(([, open]) => open.started).map(([callId]) => callId)
  }

  /** Runs the call, or joins the run it has. Calls that are over are the protocol's to recognise. Never rejects. */
  run(call: IncomingCall): Promise<FinishedCall> {
    const open = this.#open.get(call.callId)
    if (open) return open.done
    const abort = new AbortController()
    // Copied before anything else runs: what was asked for is what is shown and executed.
    const args = readArgs(call.args)
    const entry: OpenCall = {
      abort,
      pathname: readLocation().pathname,
      done: Promise.resolve().then(() => this.#execute(call, args, entry)),
    }
    this.#open.set(call.callId, entry)
    return entry.done
  }

  /** Ends an open call; its signal aborts. */
  cancel(callId: string, sentence: string): void {
    this.#open.get(callId)?.abort.abort(fail('cancelled', sentence))
  }

  cancelAll(sentence: string): void {
    for (const callId of [...this.#open.keys()]) this.cancel(callId, sentence)
  }

  /** A registration is gone. Its calls end, unless it comes back at once or the call itself left the page. */
  toolRemoved(tool: RegisteredTool): void {
    for (const open of this.#open.values()) {
      if (open.tool !== tool || tool.navigates) continue
      this.#port.clock.schedule(this.#port.limits.unmountGraceMs, () => {
        const now = this.#port.registry.get(tool.name)
        if (now) open.tool = now
        if (now || readLocation().pathname !== open.pathname) return
        open.abort.abort(fail('unavailable', `Tool "${tool.name}" is no longer on the page; the call was stopped.`))
      })
    }
  }

  async #execute(call: IncomingCall, args: JsonObject | undefined, open: OpenCall): Promise<FinishedCall> {
    let finished: FinishedCall
    try {
      finished = await this.#decideAndRun(call, args, open)
    } catch (thrown) {
      finished = { outcome: fail('failed', describeThrown(thrown)), approval: 'none' }
    }
    this.#open.delete(call.callId)
    if (call.origin === 'agent') this.#port.finished(call, finished)
    if (open.info) this.#port.events.emit('tool.call.settled', { ...open.info, outcome: finished.outcome })
    return finished
  }

  async #decideAndRun(call: IncomingCall, args: JsonObject | undefined, open: OpenCall): Promise<FinishedCall> {
    const { registry, approvals } = this.#port
    const { signal } = open.abort
    if (!args) return none(fail('invalid_arguments', `The arguments for "${call.name}" must be a JSON object.`))
    const tool = registry.get(call.name)
    const risk = maxRisk(tool?.risk ?? 'none', call.risk ?? 'none')
    open.info = { callId: call.callId, name: call.name, args, risk, origin: call.origin }
    this.#port.events.emit('tool.call.requested', open.info)
    if (!tool) return none(fail('unavailable', `The page does not offer a tool "${call.name}" now.`))
    open.tool = tool

    const checked = await checkArguments(tool.name, tool.schema, args)
    if (!checked.ok) return none(fail('invalid_arguments', checked.message))
    if (signal.aborted) return none(reasonOf(signal))

    let approval: FinishedCall['approval'] = 'none'
    if (needsApproval(risk)) {
      const verdict = await approvals.decide(
        {
          callId: call.callId,
          toolName: tool.name,
          description: tool.description,
          declaration: declarationKey(tool),
          args,
          shown: shownArgs(args, checked.value),
          risk,
          origin: call.origin,
          ...(call.ticket !== undefined && { ticket: call.ticket }),
          ...(tool.approvalText !== undefined && { text: tool.approvalText }),
        },
        signal,
      )
      if (!verdict.approved) return { outcome: refusal(tool.name, verdict, signal), approval: 'refused' }
      approval = 'approved'
    } else if (risk === 'low') {
      approvals.notify(call.callId, tool.name)
    }

    // The person agreed to this tool as it described itself; a newer handler of the same declaration may run it.
    const current = registry.get(tool.name)
    if (!current || declarationKey(current) !== declarationKey(tool)) {
      return {
        outcome: fail('unavailable', `Tool "${tool.name}" changed or left the page before it could run.`),
        approval,
      }
    }
    open.tool = current
    open.started = true
    const outcome = await runHandler(current, checked.value, {
      callId: call.callId,
      sessionId: this.#port.sessionId(),
      abort: open.abort,
      clock: this.#port.clock,
      timeoutMs: this.#port.limits.handlerTimeoutMs,
      resultMaxBytes: this.#port.limits.resultMaxBytes,
      progress: (report) => {
        if (call.origin === 'agent') this.#port.progress(call.callId, report)
        this.#port.events.emit('tool.call.progress', { callId: call.callId, ...report })
      },
    })
    if (current.navigates || readLocation().pathname !== open.pathname) await this.#navigationSettled(signal)
    return { outcome, approval }
  }

  /** Waits until the new page has declared its tools: the registry is quiet for a while, or time is up. */
  #navigationSettled(signal: AbortSignal): Promise<void> {
    const { clock, registry, limits } = this.#port
    const startedAt = clock.now()
    return new Promise((resolve) => {
      const look = () => {
        const now = clock.now()
        const quietFor = now - Math.max(startedAt, registry.lastChangedAt)
        const left = startedAt + limits.navigationMaxMs - now
        if (quietFor >= limits.navigationQuietMs || left <= 0 || signal.aborted) return resolve()
        clock.schedule(Math.min(limits.navigationQuietMs - quietFor, left), look)
      }
      look()
    })
  }
}

function none(outcome: CallOutcome): FinishedCall {
  return { outcome, approval: 'none' }
}

function readArgs(args: unknown): JsonObject | undefined {
  try {
    const copy = cloneJson(args ?? {})
    return isJsonObject(copy) ? freezeJson(copy) : undefined
  } catch {
    return undefined
  }
}

/** What the person is shown: the arguments with the schema's defaults and conversions, as the handler will get them. */
function shownArgs(args: JsonObject, value: unknown): JsonObject {
  return (value === args ? args : readArgs(value)) ?? args
}

const REFUSALS = {
  denied: 'The person declined it',
  expired: 'Nobody approved it in time',
  cancelled: 'The question was withdrawn',
  unavailable: 'Nobody could be asked',
} as const

function refusal(
  name: string,
  { why, reason }: ApprovalVerdict & { approved: false },
  signal: AbortSignal,
): CallOutcome {
  if (signal.aborted) return reasonOf(signal)
  return fail(why, `${REFUSALS[why]}; "${name}" was not executed.${reason ? ` ${reason}` : ''}`)
}
