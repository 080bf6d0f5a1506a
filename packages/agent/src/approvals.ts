import type { ApprovalDecision, ApprovalRequest, AuditEntry, Clock } from '@domos/spec'
import { type ApprovalEvent, type ApprovalState, nextApprovalState } from './approval-state.ts'
import { equalConstantTime } from './digest.ts'
import type { Members } from './members.ts'

/** How asking ended. `nobody`: no member of the session can put a question to a person. */
export interface ApprovalResult {
  readonly state: Exclude<ApprovalState, 'waiting' | 'asked'> | 'nobody'
  readonly decision?: ApprovalDecision
}

/** What the question hangs on. */
export interface ApprovalQuestion {
  readonly request: ApprovalRequest
  /** Owner of the called tool. */
  readonly owner: string
  /** Aborts when the question is withdrawn. */
  readonly withdrawn: AbortSignal
  /** Aborts when the tool changed its declaration after the question was put. */
  readonly toolChanged: AbortSignal
}

/** What asking needs from its session. */
export interface ApprovalDesk {
  readonly members: Members
  readonly clock: Clock
  audit(entry: Pick<AuditEntry, 'event'> & Partial<AuditEntry>): Promise<void>
}

/**
 * Puts one question to a person and waits for exactly one end. The owner of the tool asks first; when its member leaves, or its
 * approver fails or says that it asked nobody, the next member that can ask does. A decision that carries another digest is a refusal, and one that
 * comes after the end is only audited.
 */
export async function askForApproval(desk: ApprovalDesk, question: ApprovalQuestion): Promise<ApprovalResult> {
  const { request } = question
  const askedAt = desk.clock.now()
  const facts = { callId: request.callId, toolName: request.toolName, risk: request.risk, digest: request.digest }
  const tried = new Set<string>()
  let state: ApprovalState = 'waiting'
  let decision: ApprovalDecision | undefined
  const over = new AbortController()
  const settled = Promise.withResolvers<void>()

  const step = (event: ApprovalEvent): boolean => {
    const next = nextApprovalState(state, event)
    if (next === undefined) return false
    state = next
    if (next !== 'waiting' && next !== 'asked') settled.resolve()
    return true
  }
  const withdraw = (): boolean => step('withdrawn')
  const change = (): boolean => step('tool-changed')
  const stopClock = desk.clock.schedule(Math.max(0, request.expiresAt - askedAt), () => step('time-passed'))
  question.withdrawn.addEventListener('abort', withdraw)
  question.toolChanged.addEventListener('abort', change)
  if (question.withdrawn.aborted) withdraw()
  if (question.toolChanged.aborted) change()

  const putToNext = (): void => {
    const member = desk.members.approvers(question.owner).find((candidate) => !tried.has(candidate.id))
    if (member?.approver === undefined) {
      settled.resolve()
      return
    }
    tried.add(member.id)
    if (!step('put')) return
    const left = desk.members.leftSignal(member.id)
    let current = true
    const giveUp = (): void => {
      if (!current) return
      current = false
      if (step('approver-left')) putToNext()
    }
    left.addEventListener('abort', giveUp, { once: true, signal: over.signal })
    void desk.audit({ event: 'approval-asked', ...facts, by: member.id })
    callApprover(() => member.approver?.ask(request, AbortSignal.any([over.signal, left]))).then((answer) => {
      if (!current || over.signal.aborted) {
        if (answer !== undefined) void desk.audit({ event: 'approval-late', ...facts, by: answer.by ?? member.id })
        return
      }
      if (answer === undefined) return giveUp()
      if (!answer.approved && answer.why === 'unavailable') return giveUp()
      const event = !answer.approved
        ? NO_EVENTS[answer.why ?? 'denied']
        : equalConstantTime(String(answer.digest), request.digest)
          ? 'approved'
          : 'digest-mismatch'
      if (step(event)) decision = answer
    }, giveUp)
  }

  if (state === 'waiting') putToNext()
  await settled.promise
  stopClock()
  question.withdrawn.removeEventListener('abort', withdraw)
  question.toolChanged.removeEventListener('abort', change)
  over.abort()

  const end = endOf(state)
  await desk.audit({
    event: `approval-${end}`,
    ...facts,
    latencyMs: desk.clock.now() - askedAt,
    ...(decision?.by === undefined ? {} : { by: decision.by }),
    ...(end === 'refused' && decision?.approved === true ? { details: { cause: 'digest-mismatch' } } : {}),
  })
  return decision === undefined ? { state: end } : { state: end, decision }
}

/** What an answer without an approval does to the question. */
const NO_EVENTS = {
  denied: 'declined',
  expired: 'time-passed',
  cancelled: 'withdrawn',
  unavailable: 'approver-left',
} as const

function endOf(state: ApprovalState): ApprovalResult['state'] {
  return state === 'waiting' || state === 'asked' ? 'nobody' : state
}

async function callApprover(ask: () => Promise<ApprovalDecision> | undefined): Promise<ApprovalDecision | undefined> {
  return ask()
}
