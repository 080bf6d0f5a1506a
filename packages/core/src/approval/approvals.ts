import type { JsonObject, Risk } from '@domos/spec'
import { canonicalJson } from '@domos/wire'
import type { ClientBase } from '../base.ts'
import { setBounded } from '../bounded-map.ts'
import type { ClientEvents } from '../events.ts'
import type { ApprovalVerdict, Approver } from './approver.ts'

/** A call that needs a person's word. */
export interface AskedCall {
  readonly callId: string
  readonly toolName: string
  readonly description: string
  /** The tool's own additional words. */
  readonly text?: string
  /** The declaration the person agrees to; absent for a tool of the server. */
  readonly declaration?: string
  readonly args: JsonObject
  /** The arguments as the handler will get them. */
  readonly shown: JsonObject
  readonly risk: Risk
  readonly origin: 'agent' | 'page'
  readonly ticket?: string
  /** Epoch milliseconds, by the server; @default now plus the limit */
  readonly expiresAt?: number
}

/** What the approvals need from, and tell, their surroundings. */
export interface ApprovalsPort extends ClientBase {
  /** The one who can ask a person; undefined when the client was told to ask nobody. */
  approver(): Promise<Approver | undefined>
  /** The page itself puts the question, so the server should wait on the approval clock. */
  announce(question: ClientEvents['approval.requested']): void
}

interface Given {
  readonly args: string
  readonly declaration: string | undefined
}

/**
 * Who is asked, for how long, and what an answer is good for: exactly one execution of exactly the call that was shown.
 */
export class Approvals {
  readonly #port: ApprovalsPort
  readonly #given = new Map<string, Given>()
  #waiting = 0

  constructor(port: ApprovalsPort) {
    this.#port = port
  }

  /**
   * Decides on a call that arrived. Uses up the approval given when the server asked beforehand; otherwise asks now, also
   * for a call with a ticket, since no approval was given in this page.
   */
  decide(call: AskedCall, signal: AbortSignal): Promise<ApprovalVerdict> {
    const given = this.#given.get(call.callId)
    this.#given.delete(call.callId)
    const same = given && given.args === canonicalJson(call.args) && given.declaration === call.declaration
    return same && call.ticket !== undefined ? Promise.resolve({ approved: true }) : this.#ask(call, signal, true)
  }

  /** Asks because the server wants an answer before it sends the call, and remembers an approval for that call. */
  async preapprove(call: AskedCall, signal: AbortSignal): Promise<ApprovalVerdict> {
    const verdict = await this.#ask(call, signal, false)
    if (verdict.approved) {
      const given = { args: canonicalJson(call.args), declaration: call.declaration }
      setBounded(this.#given, call.callId, given, this.#port.limits.rememberedCallsMax)
    }
    return verdict
  }

  /** Shows the silent notice of a `low` call. */
  notify(callId: string, toolName: string): void {
    this.#port.events.emit('notice.low-risk', { callId, toolName })
    void this.#port.approver().then(
      (approver) => approver?.notify?.({ callId, toolName }),
      () => {},
    )
  }

  async #ask(call: AskedCall, signal: AbortSignal, announce: boolean): Promise<ApprovalVerdict> {
    const { clock, limits } = this.#port
    const { toolName } = call
    const expiresAt = call.expiresAt ?? clock.now() + limits.approvalTimeoutMs
    if (this.#waiting >= limits.approvalQueueMax) {
      return { approved: false, why: 'unavailable', reason: `${this.#waiting} questions wait for the person already.` }
    }
    this.#waiting += 1
    try {
      const verdict = await this.#put(call, expiresAt, signal, announce)
      this.#port.events.emit('approval.settled', { callId: call.callId, toolName, ...verdict })
      return verdict
    } finally {
      this.#waiting -= 1
    }
  }

  async #put(call: AskedCall, expiresAt: number, outer: AbortSignal, announce: boolean): Promise<ApprovalVerdict> {
    const { clock } = this.#port
    const { toolName } = call
    // The server must start waiting on the approval clock before anything here takes time.
    const question = { callId: call.callId, toolName, args: call.shown, risk: call.risk, expiresAt }
    if (announce && call.origin === 'agent') this.#port.announce(question)
    this.#port.events.emit('approval.requested', question)
    const expiry = new AbortController()
    const cancelTimer = clock.schedule(Math.max(0, expiresAt - clock.now()), () => expiry.abort())
    const signal = AbortSignal.any([outer, expiry.signal])
    try {
      const approver = await this.#port.approver()
      if (!approver)
        return { approved: false, why: 'unavailable', reason: 'This page asks nobody (approvals: "none").' }
      const verdict = await untilAborted(
        approver.ask(
          {
            ...question,
            description: call.description,
            origin: call.origin,
            ...(call.text !== undefined && { text: call.text }),
          },
          signal,
        ),
        signal,
      )
      if (outer.aborted) return { approved: false, why: 'cancelled' }
      // Too late is too late, also when the timer itself was late.
      if (expiry.signal.aborted || clock.now() > expiresAt) return { approved: false, why: 'expired' }
      return verdict ?? { approved: false, why: 'cancelled' }
    } catch {
      return { approved: false, why: 'unavailable', reason: 'The approval dialog could not be shown.' }
    } finally {
      cancelTimer()
    }
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const aborted = () => resolve(undefined)
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}
