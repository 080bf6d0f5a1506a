import type { Clock } from '@domos/spec'
import type { Approver } from '../approval/approver.ts'
import { ApprovalOverlay } from './approval-overlay.ts'
import { type Pristine, takePristine } from './pristine.ts'

// Taken as early as this module runs; on a server there is nothing to take.
const pristine: Pristine | undefined = typeof document === 'undefined' ? undefined : takePristine()

/**
 * Makes the approval dialog of the client (Core Concepts, "HITL Security"): a modal dialog in the top layer, in a closed
 * shadow root. It answers only to a person's own press while it is in plain view.
 * @throws Error outside a browser
 */
export function createOverlay(options: { readonly language: string; readonly clock: Clock }): Approver {
  if (!pristine) throw new Error('The approval dialog needs a page. On a server, use approvals: "none".')
  return new ApprovalOverlay({ ...options, dom: pristine, mode: 'closed' })
}
