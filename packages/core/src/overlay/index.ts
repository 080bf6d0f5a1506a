import type { Clock } from '@domos/spec'
import type { Approver } from '../approval/approver.ts'
/** placeholder until the dialog stands */
export function createOverlay(_options: { readonly language: string; readonly clock: Clock }): Approver {
  return { ask: async () => ({ approved: false, why: 'unavailable', reason: 'The dialog is not built yet.' }) }
}
