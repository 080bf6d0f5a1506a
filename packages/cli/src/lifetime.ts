/** What ends a process that serves. */
export interface Lifetime {
  /** Settles with the reason once the process is asked to end. */
  readonly ended: Promise<string>
  /** Stops listening for signals. */
  dispose(): void
}

/**
 * Ends on SIGINT, SIGTERM and SIGHUP, and when the launcher that started this process is gone (its IPC channel
 * closes, even when it was killed). A second signal while shutting down ends the process at once.
 */
export function watchLifetime(source: NodeJS.Process = process): Lifetime {
  let end: (reason: string) => void = () => {}
  let isEnding = false
  const ended = new Promise<string>((resolve) => {
    end = (reason) => {
      isEnding = true
      resolve(reason)
    }
  })
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isEnding) source.exit(130)
    end(signal)
  }
  const onDisconnect = (): void => end('launcher gone')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, onSignal)
  source.once('disconnect', onDisconnect)
  source.channel?.unref()
  return {
    ended,
    dispose() {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.off(signal, onSignal)
      source.off('disconnect', onDisconnect)
    },
  }
}
