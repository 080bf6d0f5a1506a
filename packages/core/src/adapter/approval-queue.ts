import { DomosError } from '@domos/spec'
import type { ApprovalQuestion, ApprovalVerdict, Approver } from '../approval/approver.ts'
import { DomOSClient } from '../client.ts'
import type { DomOSClientOptions } from '../options.ts'
import { createValue, type Readable } from './agent-store.ts'

/**
 * Questions that wait for the person, oldest first, for a page that shows them itself (`approvals: 'custom-unsafe'`).
 * Any script of the page can answer them.
 */
export interface ApprovalQueue extends Approver, Readable<readonly ApprovalQuestion[]> {
  /** Approves one question; without an id, the oldest. False when it does not wait any more. */
  approve(callId?: string): boolean
  /** Declines one question; without an id, the oldest. False when it does not wait any more. */
  deny(callId?: string, reason?: string): boolean
}

const NONE: readonly ApprovalQuestion[] = []
const queues = new WeakMap<DomOSClient, ApprovalQueue>()

/** Makes a client; with `approvals: 'custom-unsafe'` and no `approver`, {@link approvalQueue} has its questions. */
export function createDomOSClient(options: DomOSClientOptions = {}): DomOSClient {
  if (options.approvals !== 'custom-unsafe' || options.approver) return new DomOSClient(options)
  const queue = createApprovalQueue()
  const client = new DomOSClient({ ...options, approver: queue })
  queues.set(client, queue)
  return client
}

/**
 * The questions of a client made by {@link createDomOSClient}.
 * @throws DomosError `invalid_request` when the client asks in another way
 */
export function approvalQueue(client: DomOSClient): ApprovalQueue {
  const queue = queues.get(client)
  if (queue) return queue
  const message =
    'This client asks the person in its own dialog. Set the option approvals: "custom-unsafe" to ask in a component of yours.'
  throw new DomosError('invalid_request', message)
}

function createApprovalQueue(): ApprovalQueue {
  const { set, ...readable } = createValue(NONE)
  const answers = new Map<string, (verdict: ApprovalVerdict) => void>()
  const settle = (callId: string | undefined, verdict: ApprovalVerdict) => {
    const answer = answers.get(callId ?? readable.getSnapshot()[0]?.callId ?? '')
    answer?.(verdict)
    return answer !== undefined
  }
  return {
    ...readable,
    ask: (question, signal) =>
      new Promise((resolve) => {
        const { callId } = question
        const withdrawn = () => void settle(callId, { approved: false, why: 'cancelled' })
        answers.set(callId, (verdict) => {
          answers.delete(callId)
          signal.removeEventListener('abort', withdrawn)
          set(readable.getSnapshot().filter((other) => other.callId !== callId))
          resolve(verdict)
        })
        signal.addEventListener('abort', withdrawn)
        set([...readable.getSnapshot(), question])
        if (signal.aborted) withdrawn()
      }),
    approve: (callId) => settle(callId, { approved: true }),
    deny: (callId, reason) =>
      settle(callId, { approved: false, why: 'denied', ...(reason !== undefined && { reason }) }),
  }
}
