/** A signal that aborts when the caller's does, when nothing came for a while, or when it is stopped. */
export interface IdleTimer {
  readonly signal: AbortSignal
  /** Whether the silence was too long. */
  readonly hasExpired: boolean
  /** Something came. */
  restart(): void
  /** Ends the timer and what still runs under its signal; may be called twice. */
  stop(): void
}

/** Starts an idle timer of `timeoutMs` under `outer`. */
export function startIdleTimer(timeoutMs: number, outer: AbortSignal): IdleTimer {
  const controller = new AbortController()
  let hasExpired = false
  let timer: ReturnType<typeof setTimeout>
  const abort = (): void => controller.abort()
  const arm = (): void => {
    timer = setTimeout(() => {
      hasExpired = true
      controller.abort()
    }, timeoutMs)
  }
  outer.addEventListener('abort', abort, { once: true })
  arm()
  return {
    signal: controller.signal,
    get hasExpired() {
      return hasExpired
    },
    restart() {
      clearTimeout(timer)
      if (!controller.signal.aborted) arm()
    },
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}
