import type { WorkerLimits } from './document/worker-pool.ts'

/** Numbers of the static engine an operator may change. */
export interface StaticEngineLimits extends WorkerLimits {
  /** Documents with more bytes of HTML are parsed and kept in a worker thread. @default 200_000 */
  readonly workerFromBytes: number
  /** The tree of a page nobody used for this long is dropped, and built again on use. @default 30_000 */
  readonly hibernateAfterMs: number
}

/** Default bounds. */
export const STATIC_ENGINE_LIMITS: StaticEngineLimits = {
  maxWorkers: 2,
  workerCallTimeoutMs: 20_000,
  maxWorkerHeapMb: 1_024,
  workerFromBytes: 200_000,
  hibernateAfterMs: 30_000,
}
