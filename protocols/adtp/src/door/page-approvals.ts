import type { ApprovalDecision, ApprovalRequest, Approver, JsonObject } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { PendingCalls } from '@domos/wire'
import type { ToServerPayload } from '../messages.ts'
import type { PagePort } from './page-port.ts'
import { RecentIds } from './recent-ids.ts'

/** Longest account of how a decision was made, in UTF-16 units. */
const MAX_BY_CHARS = 64
/** Longest reason of a person, in UTF-16 units. */
const MAX_REASON_CHARS = 1_000

const NO_CAUSES = ['denied', 'expired', 'cancelled', 'unavailable'] as const

interface OpenQuestion {
  readonly payload: ReturnType<PageApprovals['payloadOf']>
  readonly digest: string
  readonly seq: number | undefined
}

/** The page as someone who can be asked: APPROVAL_REQUEST out, APPROVAL_RESPONSE in. */
export class PageApprovals implements Approver {
  readonly #port: PagePort
  readonly #pending: PendingCalls<ApprovalDecision>
  readonly #open = new Map<string, OpenQuestion>()
  readonly #answered = new RecentIds(256)

  constructor(port: PagePort) {
    this.#port = port
    this.#pending = new PendingCalls({ clock: port.clock, maxOpen: port.limits.maxOpenCalls })
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    const port = this.#port
    const { callId, digest } = request
    const answer = this.#pending.open(callId, { signal })
    if (this.#pending.has(callId)) {
      const payload = this.payloadOf(request)
      this.#open.set(callId, { payload, digest, seq: port.send('APPROVAL_REQUEST', payload) })
    }
    try {
      return await answer
    } catch (reason) {
      const isExpired = reason instanceof DomosError && (reason.code === 'expired' || reason.code === 'timeout')
      if (this.#open.has(callId) && port.supports('tool_cancel')) {
        port.send('TOOL_CANCEL', { callId, reason: isExpired ? 'expired' : 'cancelled' })
      }
      const isFull = reason instanceof DomosError && reason.code === 'busy'
      return { approved: false, digest, why: isExpired ? 'expired' : isFull ? 'unavailable' : 'cancelled' }
    } finally {
      this.#open.delete(callId)
    }
  }

  /** Whether a question about this call waits. */
  isOpen(callId: string): boolean {
    return this.#pending.has(callId)
  }

  /** Takes APPROVAL_RESPONSE; what answers no open question is reported. */
  take(payload: ToServerPayload<'APPROVAL_RESPONSE'>, ref: string | undefined): void {
    const { callId, approved, by, reason, why } = payload
    const open = this.#open.get(callId)
    // The spoken dialect has no digest: there the answer stands for the question, whose arguments never left the server.
    const digest = payload.digest ?? (this.#port.dialect === 'spoken' ? (open?.digest ?? '') : '')
    const how = (by ?? 'page').slice(0, MAX_BY_CHARS) + (this.#port.isAutomated ? ' in an automated browser' : '')
    const words = reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON_CHARS) }
    const cause = NO_CAUSES.find((known) => known === why)
    const decision = { approved, digest, by: how, ...words, ...(approved || cause === undefined ? {} : { why: cause }) }
    const outcome = this.#pending.resolve(callId, decision)
    if (outcome === 'settled') {
      this.#answered.note(callId)
      return
    }
    // A page that came back sends again what it is not sure of.
    if (this.#port.supports('resume') && this.#answered.has(callId)) return
    const [code, message] =
      outcome === 'late'
        ? (['expired', 'This question is settled already; the answer came too late.'] as const)
        : (['unknown_call', 'There is no such question at this page.'] as const)
    this.#port.report(code, message, { ref, path: 'payload.callId' })
  }

  /** Questions that the page may have lost. */
  resend(): readonly { readonly seq: number; readonly payload: OpenQuestion['payload'] }[] {
    return [...this.#open.values()].flatMap(({ seq, payload }) => (seq === undefined ? [] : [{ seq, payload }]))
  }

  /** The page is gone for good. */
  leave(): void {
    this.#pending.rejectAll(new DomosError('cancelled', 'The page is gone.'))
  }

  payloadOf(request: ApprovalRequest) {
    const { callId, toolName, args, risk, digest, expiresAt, description } = request
    const common: { callId: string; toolName: string; args: JsonObject; risk: typeof risk } = {
      callId,
      toolName,
      args,
      risk,
    }
    return this.#port.dialect === 'spoken' && !this.#port.supports('approval')
      ? { ...common, message: description === '' ? toolName : description }
      : { ...common, digest, expiresAt }
  }
}
