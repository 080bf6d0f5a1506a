/** Bounds of a worker. */
export interface EngineWorkerLimits {
  /** Loading the engine. @default 30000 */
  readonly startTimeoutMs: number
  /** One call; a worker that is silent for longer is taken as hung and killed. @default 30000 */
  readonly callTimeoutMs: number
  /** Calls without an answer; one more is refused with code `busy`. @default 64 */
  readonly maxPendingCalls: number
  /** Wait before the second restart in a row; doubles with each further one. The first comes at once. @default 250 */
  readonly restartDelayMs: number
  /** @default 10000 */
  readonly maxRestartDelayMs: number
}

/** Defaults of {@link EngineWorkerLimits}. */
export const ENGINE_WORKER_LIMITS: EngineWorkerLimits = {
  startTimeoutMs: 30_000,
  callTimeoutMs: 30_000,
  maxPendingCalls: 64,
  restartDelayMs: 250,
  maxRestartDelayMs: 10_000,
}
