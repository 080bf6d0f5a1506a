import type { ToClientPayload, ToServerPayload } from '@domos/adtp/client'
import type { Clock } from '@domos/spec'
import { cloneJson, freezeJson } from '../json.ts'
import { checkArguments } from '../tools/parameters.ts'
import { declarationKey, type ToolRegistry } from '../tools/registry.ts'
import type { Approvals } from './approvals.ts'
import type { ApprovalVerdict } from './approver.ts'

type Answer = ToServerPayload<'APPROVAL_RESPONSE'>

/** What the questions need. */
export interface ServerQuestionsPort {
  readonly approvals: Approvals
  readonly registry: ToolRegistry
  readonly clock: Clock
  /** How a person decides here, for the server's audit. */
  readonly by: string
  answer(answer: Answer): void
}

type Request = ToClientPayload<'APPROVAL_REQUEST'>

/** Questions the server puts before it sends a call, or for a tool of its own. */
export class ServerQuestions {
  readonly #port: ServerQuestionsPort
  readonly #open = new Map<string, AbortController>()

  constructor(port: ServerQuestionsPort) {
    this.#port = port
  }

  /** Asks the person and answers the server. `sentAt` is the server's clock when it asked. */
  async ask(request: Request, sentAt: number | undefined): Promise<void> {
    const { callId } = request
    if (this.#open.has(callId)) return
    const abort = new AbortController()
    this.#open.set(callId, abort)
    try {
      const verdict = await this.#decide(request, sentAt, abort.signal)
      if (abort.signal.aborted) return
      this.#port.answer(toAnswer(request, verdict, this.#port.by))
    } finally {
      this.#open.delete(callId)
    }
  }

  /** Withdraws a question. */
  cancel(callId: string): void {
    this.#open.get(callId)?.abort()
  }

  cancelAll(): void {
    for (const callId of this.#open.keys()) this.cancel(callId)
  }

  async #decide(request: Request, sentAt: number | undefined, signal: AbortSignal): Promise<ApprovalVerdict> {
    const { callId, toolName, risk, expiresAt } = request
    const { registry, clock, approvals } = this.#port
    const args = freezeJson(cloneJson(request.args) as Request['args'])
    const tool = registry.get(toolName)
    const checked = await checkArguments(toolName, tool?.schema, args)
    if (!checked.ok) return { approved: false, why: 'unavailable', reason: checked.message }
    return approvals.preapprove(
      {
        callId,
        toolName,
        description: tool?.description ?? '',
        args,
        shown: args,
        risk,
        origin: 'agent',
        ...(tool && { declaration: declarationKey(tool) }),
        ...(tool?.approvalText !== undefined && { text: tool.approvalText }),
        // The two clocks may differ by minutes, the time left does not.
        ...(expiresAt !== undefined && { expiresAt: clock.now() + expiresAt - (sentAt ?? clock.now()) }),
      },
      signal,
    )
  }
}

function toAnswer({ callId, digest }: Request, verdict: ApprovalVerdict, by: string): Answer {
  const { approved } = verdict
  const { why, reason } = approved ? ({} as { why?: never; reason?: never }) : verdict
  return {
    callId,
    approved,
    by,
    ...(digest !== undefined && { digest }),
    ...(why && (digest === undefined ? { error: reason ?? why } : { why })),
    ...(reason !== undefined && { reason }),
  }
}
