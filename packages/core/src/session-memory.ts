import type { ResumeState } from '@domos/adtp/client'

/** What a page leaves for itself when it is reloaded. */
export interface SessionMemory {
  readonly endpoint: string
  readonly resume: ResumeState
  /** Calls whose handler had begun: they must not run again, and nobody knows how they ended. */
  readonly interrupted: readonly string[]
}

const KEY = 'domos.session.v1'

/** Takes what the page left before its reload; it is good for one use. */
export function takeSessionMemory(endpoint: string): SessionMemory | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    if (text === null) return undefined
    sessionStorage.removeItem(KEY)
    const memory = JSON.parse(text) as SessionMemory
    return memory.endpoint === endpoint && typeof memory.resume.token === 'string' ? memory : undefined
  } catch {
    return undefined
  }
}

/** Leaves it for the page that comes next in this tab. Does nothing where storage is not allowed. */
export function leaveSessionMemory(memory: SessionMemory): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // Then the next page starts a new session.
  }
}
