import type { Clock, EnginePage, EnginePageEvent, EnginePageState, WaitUntil } from '@domos/spec'
import { reasonOf } from './page-queue.ts'

/** What a wait needs. */
export interface WaitContext {
  readonly page: EnginePage
  readonly clock: Clock
  readonly limits: { readonly networkIdleMs: number; readonly somStableMs: number; readonly pollMs: number }
  /** Whether the page can change by itself: page script, or a refresh that is due. */
  readonly hasScript: boolean
}

/**
 * Waits until a state of the document's "Page Lifecycle" is reached. Quiet periods are those of the limits; a page that
 * runs no script is quiet as soon as nothing is under way.
 */
export async function waitUntil(until: WaitUntil, context: WaitContext, signal: AbortSignal): Promise<void> {
  const { page, limits, hasScript } = context
  const quietMs = !hasScript
    ? 0
    : until === 'network_idle'
      ? limits.networkIdleMs
      : until === 'som_stable'
        ? limits.somStableMs
        : 0
  for (;;) {
    if (signal.aborted) throw reasonOf(signal)
    if (!isReached(until, page.state())) {
      await nextChange(context, signal, limits.pollMs, () => true)
      continue
    }
    if (quietMs === 0) return
    const disturbed = await nextChange(context, signal, quietMs, (event) => disturbs(until, event))
    if (!disturbed && isReached(until, page.state())) return
  }
}

function isReached(until: WaitUntil, state: EnginePageState): boolean {
  switch (until) {
    case 'dom_content_loaded':
      return state.ready === 'interactive' || state.ready === 'complete'
    case 'load':
      return state.ready === 'complete'
    case 'network_idle':
      return state.ready !== 'loading' && state.ready !== 'empty' && state.pendingRequests.length === 0
    case 'som_stable':
      return state.ready === 'interactive' || state.ready === 'complete'
  }
}

function disturbs(until: WaitUntil, event: EnginePageEvent): boolean {
  if (event.type === 'navigated') return true
  return until === 'som_stable' ? event.type === 'mutated' : event.type === 'ready'
}

/** Waits for a change that counts, or until `forMs` have passed; says which it was. */
export function nextChange(
  { page, clock }: Pick<WaitContext, 'page' | 'clock'>,
  signal: AbortSignal,
  forMs: number,
  counts: (event: EnginePageEvent) => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      stopListening()
      cancel()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const stopListening = page.onEvent((event) => {
      if (counts(event)) finish(() => resolve(true))
    })
    const cancel = clock.schedule(forMs, () => finish(() => resolve(false)))
    const onAbort = (): void => finish(() => reject(reasonOf(signal)))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
