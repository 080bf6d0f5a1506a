import type { ClientSession } from './session.ts'
import { leaveSessionMemory, takeSessionMemory } from './session-memory.ts'

/** What the lifetime of a page is about. */
export interface PageLifetimePort {
  readonly session: ClientSession
  readonly endpoint: string
  readonly resumeAcrossReloads: boolean
  /** Calls whose handler has begun. */
  running(): readonly string[]
}

/** A page's goings and comings. */
export interface PageLifetime {
  /** Calls that a page before this one had begun: they must not run again, and how they ended nobody knows. */
  readonly interrupted: Set<string>
  stop(): void
}

/** How many calls a page remembers for the next one. */
const INTERRUPTED_MAX = 64

/** Takes the session over from the page before, leaves it to the next, and wakes it when the network comes back. */
export function watchPageLifetime({ session, endpoint, resumeAcrossReloads, running }: PageLifetimePort): PageLifetime {
  const interrupted = new Set<string>()
  if (typeof window === 'undefined') return { interrupted, stop() {} }
  const memory = resumeAcrossReloads ? takeSessionMemory(endpoint) : undefined
  if (memory) {
    session.protocol.restore(memory.resume)
    for (const callId of memory.interrupted) interrupted.add(callId)
  }
  const leave = () => {
    const resume = session.protocol.resumeState
    if (!resume || !resumeAcrossReloads) return
    leaveSessionMemory({ endpoint, resume, interrupted: [...running(), ...interrupted].slice(0, INTERRUPTED_MAX) })
  }
  const wake = () => {
    if (session.linkState === 'waiting') session.connect()
  }
  window.addEventListener('pagehide', leave)
  window.addEventListener('online', wake)
  return {
    interrupted,
    stop() {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', wake)
    },
  }
}
