import {
  DomosError,
  describeThrown,
  type JsonObject,
  type JsonValue,
  type Session,
  type Tool,
  type ToolCall,
  type ToolExecution,
  type ToolFailureCode,
  type ToolProgress,
  type ToolSurface,
} from '@domos/spec'
import { PendingCalls } from '@domos/wire'
import { TOOL_FAILURE_CODES, toolFailureCode } from '../errors.ts'
import type { ToClientPayload, ToServerPayload } from '../messages.ts'
import type { WireTool } from '../tool-declaration.ts'
import type { PagePort } from './page-port.ts'
import { RecentIds } from './recent-ids.ts'

/** Longest failure text that is passed on, in UTF-16 units. */
const MAX_FAILURE_CHARS = 4_000

/** Answered calls that are remembered. */
const MAX_ANSWERED = 256

interface OpenCall {
  readonly call: ToolCall
  readonly name: string
  readonly args: JsonObject
  /** The number of the TOOL_CALL frame, with the extension `resume`. */
  readonly seq: number | undefined
}

/** The tools one page offers, and the calls that are open at it. */
export class PageTools {
  readonly #port: PagePort
  readonly #session: Session
  readonly #pending: PendingCalls<ToolExecution>
  readonly #open = new Map<string, OpenCall>()
  readonly #answered = new RecentIds(MAX_ANSWERED)
  #isDeclaring = false
  #names: readonly string[] = []
  #lastSurface = ''

  constructor(port: PagePort, session: Session) {
    this.#port = port
    this.#session = session
    this.#pending = new PendingCalls({ clock: port.clock, maxOpen: port.limits.maxOpenCalls })
  }

  /** Takes the page's whole list over; what does not count is reported. */
  declare(declared: readonly WireTool[], ref: string | undefined): void {
    const { maxActiveTools } = this.#port.limits
    const surplus = declared.slice(maxActiveTools).map((tool) => tool.name)
    const tools = declared.slice(0, maxActiveTools)
    this.#names = tools.map((tool) => tool.name)
    // The session tells its members of the change while it is made; one report, after it, is enough.
    this.#isDeclaring = true
    const surface = this.#session.tools.replace(
      this.#port.memberId,
      tools.map((tool) => this.#createTool(tool)),
    )
    this.#isDeclaring = false
    if (surplus.length > 0) {
      this.#port.report('tool_ignored', `${declared.length} tools were declared; the first ${maxActiveTools} count.`, {
        ref,
        path: `payload.activeTools.${maxActiveTools}`,
        more: { ignored: surplus.slice(0, 20), ignoredCount: surplus.length },
      })
    }
    this.#reportIgnored(surface, ref)
    this.#sendEffective(surface, true)
  }

  /** The tools in force changed, perhaps by somebody else. */
  surfaceChanged(surface: ToolSurface): void {
    if (!this.#isDeclaring) this.#sendEffective(surface, false)
  }

  /** Whether this call waits for its result. */
  isOpen(callId: string): boolean {
    return this.#pending.has(callId)
  }

  /** Takes TOOL_RESULT. */
  takeResult(payload: ToServerPayload<'TOOL_RESULT'>, ref: string | undefined): void {
    const { callId, status } = payload
    const open = this.#open.get(callId)
    if (status === 'pending_approval') {
      if (open === undefined) this.#reportStray(callId, ref)
      else open.call.progress({ message: 'Waiting for the person at the page.', awaitingApproval: true })
      return
    }
    if (open?.call.ticket !== undefined && payload.ticket !== open.call.ticket) {
      this.#port.report('ticket_refused', 'The result does not carry the ticket of its call; it does not count.', {
        ref,
        path: 'payload.ticket',
      })
    }
    this.#settle(callId, execution(payload), ref)
  }

  /** Takes what a page of the spoken dialect says after it asked the person itself. */
  takeApprovedResult(payload: ToServerPayload<'APPROVAL_RESPONSE'>, ref: string | undefined): void {
    const { callId, approved, result, error } = payload
    if (!approved) {
      const message = error === undefined ? 'The person declined.' : textOf(error)
      this.#settle(callId, { type: 'failure', code: 'denied', message }, ref)
      return
    }
    const outcome =
      error === undefined ? { status: 'success' as const, result: result ?? null } : { status: 'error' as const, error }
    this.#settle(callId, execution({ callId, ...outcome }), ref)
  }

  /** Takes TOOL_PROGRESS, and the news that the page is asking the person. */
  takeProgress(callId: string, report: ToolProgress, ref: string | undefined): void {
    const open = this.#open.get(callId)
    if (open === undefined) this.#reportStray(callId, ref)
    else open.call.progress(report)
  }

  /** Frames of open calls that the page may have lost. */
  resend(): readonly { readonly seq: number; readonly call: ToClientPayload<'TOOL_CALL'> }[] {
    return [...this.#open.values()].flatMap(({ seq, ...open }) =>
      seq === undefined ? [] : [{ seq, call: this.#callPayload(open) }],
    )
  }

  /** The page is gone for good: its tools go, and what is open at it fails. */
  leave(): void {
    this.#pending.rejectAll(new DomosError('unavailable', 'The page that offers this tool is gone.'))
    this.#session.tools.replace(this.#port.memberId, [])
  }

  #createTool(declared: WireTool): Tool {
    return {
      ...(this.#port.supports('tool_cancel') ? { leaveGraceMs: this.#port.limits.toolLeaveGraceMs } : {}),
      name: declared.name,
      description: declared.description,
      ...(declared.parameters === undefined ? {} : { parameters: declared.parameters }),
      risk: declared.risk ?? 'none',
      approval: this.#port.supports('approval') ? 'gate' : 'executor',
      execute: (args, call) => this.#execute(declared.name, args, call),
    }
  }

  async #execute(name: string, args: JsonObject, call: ToolCall): Promise<ToolExecution> {
    const port = this.#port
    const answer = this.#pending.open(call.id, { signal: call.signal })
    if (this.#pending.has(call.id)) {
      const seq = port.send('TOOL_CALL', this.#callPayload({ name, args, call }))
      this.#open.set(call.id, { call, name, args, seq })
    }
    try {
      return await answer
    } catch (reason) {
      if (this.#open.has(call.id) && port.supports('tool_cancel')) {
        port.send('TOOL_CANCEL', { callId: call.id, reason: failureCode(reason) })
      }
      return { type: 'failure', code: failureCode(reason), message: describeThrown(reason) }
    } finally {
      this.#open.delete(call.id)
    }
  }

  #callPayload({ name, args, call }: Omit<OpenCall, 'seq'>): ToClientPayload<'TOOL_CALL'> {
    const asked = this.#port.supports('approval')
    return {
      callId: call.id,
      name,
      args,
      ...(asked ? { risk: call.risk } : {}),
      ...(asked && call.ticket !== undefined ? { ticket: call.ticket } : {}),
    }
  }

  #settle(callId: string, outcome: ToolExecution, ref: string | undefined): void {
    if (this.#pending.resolve(callId, outcome) === 'settled') {
      this.#answered.note(callId)
      return
    }
    // A page that came back sends again what it is not sure of.
    if (this.#port.supports('resume') && this.#answered.has(callId)) return
    this.#reportStray(callId, ref)
  }

  #reportStray(callId: string, ref: string | undefined): void {
    const [code, message] =
      this.#pending.status(callId) === 'settled'
        ? (['late_result', 'This call is settled already; what came now changes nothing.'] as const)
        : (['unknown_call', 'There is no such call at this page.'] as const)
    this.#port.report(code, message, { ref, path: 'payload.callId' })
  }

  #reportIgnored(surface: ToolSurface, ref: string | undefined): void {
    const mine = surface.ignored.filter((ignored) => ignored.owner === this.#port.memberId)
    const [first] = mine
    if (first === undefined) return
    const index = this.#names.indexOf(first.name)
    this.#port.report(
      'tool_ignored',
      `${mine.length} of the declared tools do not count. ${first.name}: ${first.reason}`,
      {
        ref,
        path: index < 0 ? 'payload.activeTools' : `payload.activeTools.${index}`,
        more: { ignored: mine.slice(0, 20).map((ignored) => ignored.name), ignoredCount: mine.length },
      },
    )
  }

  #sendEffective(surface: ToolSurface, always: boolean): void {
    if (this.#port.dialect !== 'spoken' && !this.#port.isExtended) return
    const effectiveTools = surface.effective.map((tool) => tool.name)
    const ignored = new Set(
      surface.ignored.filter(({ owner }) => owner === this.#port.memberId).map(({ name }) => name),
    )
    const mine = new Set(this.#names)
    const clientTools = effectiveTools.filter((name) => mine.has(name) && !ignored.has(name))
    const own = new Set(clientTools)
    const data = {
      effectiveTools,
      serverTools: effectiveTools.filter((name) => !own.has(name)),
      clientTools,
      ignoredClientTools: [...ignored],
    }
    const key = JSON.stringify(data)
    if (!always && key === this.#lastSurface) return
    this.#lastSurface = key
    this.#port.send('SYSTEM_EVENT', { kind: 'tools_effective', data })
  }
}

function execution(payload: ToServerPayload<'TOOL_RESULT'>): ToolExecution {
  const ticket = payload.ticket === undefined ? {} : { ticket: payload.ticket }
  if (payload.status === 'success') return { type: 'success', value: payload.result ?? null, ...ticket }
  const message = textOf(payload.error ?? payload.result ?? 'The tool failed.')
  return { type: 'failure', code: toolFailureCode(payload.code, message), message, ...ticket }
}

function textOf(value: JsonValue): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_FAILURE_CHARS)
}

function failureCode(reason: unknown): ToolFailureCode {
  if (!(reason instanceof DomosError)) return 'cancelled'
  return TOOL_FAILURE_CODES.find((code) => code === reason.code) ?? 'unavailable'
}
