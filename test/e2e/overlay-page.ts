import { systemClock } from '@domos/spec'
import type { ApprovalQuestion, Approver } from '../../packages/core/src/index.ts'
import { ApprovalOverlay } from '../../packages/core/src/overlay/approval-overlay.ts'
import { createOverlay } from '../../packages/core/src/overlay/index.ts'
import { takePristine } from '../../packages/core/src/overlay/pristine.ts'

declare global {
  interface Window {
    overlayTest: {
      create(options: { readonly language?: string; readonly open?: boolean }): void
      ask(question: Partial<ApprovalQuestion> & { readonly leftMs?: number }): void
      cancel(callId: string): void
      notify(toolName: string): void
      readonly verdicts: Record<string, unknown>
    }
  }
}

// What a page's own bundle would do, and nothing more: the overlay stays in this scope, verdicts are copied out as data.
let overlay: Approver | undefined
const verdicts: Record<string, unknown> = {}
const aborts = new Map<string, AbortController>()
window.overlayTest = {
  verdicts,
  create({ language = 'en', open = false }) {
    const options = { language, clock: systemClock }
    overlay = open ? new ApprovalOverlay({ ...options, dom: takePristine(), mode: 'open' }) : createOverlay(options)
  },
  ask({ leftMs = 100_000, ...question }) {
    const callId = question.callId ?? 'tc_1'
    const abort = new AbortController()
    aborts.set(callId, abort)
    const whole: ApprovalQuestion = {
      toolName: 'clear_cart',
      description: 'Removes everything from the shopping cart.',
      args: { reason: 'The person asked for it' },
      risk: 'high',
      origin: 'agent',
      expiresAt: Date.now() + leftMs,
      ...question,
      callId,
    }
    void (async () => {
      verdicts[callId] = await overlay?.ask(whole, abort.signal)
    })()
  },
  cancel: (callId) => aborts.get(callId)?.abort(),
  notify: (toolName) => overlay?.notify?.({ callId: 'tc_n', toolName }),
}
