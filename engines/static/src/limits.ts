import type { WorkerLimits } from './document/worker-pool.ts'

/** Numbers of the static engine an operator may change. */
export interface StaticEngineLimits extends WorkerLimits {
  /** Documents with more bytes, stylesheets and frames included, are parsed and kept in a worker thread. @default 200_000 */
  readonly workerFromBytes: number
  /** Steps of parsing one document on this thread; what needs more is given to a worker. @default 60_000 */
  readonly localParseSteps: number
  /** Steps of matching styles and reading names on this thread; what needs more is given to a worker. @default 500_000 */
  readonly localWork: number
  /** Linked stylesheets read of one document; they decide what is visible. @default 16 */
  readonly maxStylesheets: number
  /** @default 524_288 */
  readonly maxStylesheetBytes: number
  /** Frames loaded of one page. @default 16 */
  readonly maxFrames: number
  /** Depth of nested frames. @default 3 */
  readonly maxFrameDepth: number
  /** Bytes of the document in one frame. @default 1_048_576 */
  readonly maxFrameBytes: number
  /** Bytes of all stylesheets and frames of a page together; what comes when they are used up is left out. @default 4_194_304 */
  readonly maxPartsBytes: number
  /** Stylesheets and frames that come later than this are left out. @default 3_000 */
  readonly partsTimeoutMs: number
  /** The tree of a page nobody used for this long is dropped, and built again on use. @default 30_000 */
  readonly hibernateAfterMs: number
}

/** Default bounds. */
export const STATIC_ENGINE_LIMITS: StaticEngineLimits = {
  maxWorkers: 2,
  workerCallTimeoutMs: 20_000,
  maxWorkerHeapMb: 1_024,
  workerFromBytes: 200_000,
  localParseSteps: 60_000,
  localWork: 500_000,
  maxStylesheets: 16,
  maxStylesheetBytes: 524_288,
  maxFrames: 16,
  maxFrameDepth: 3,
  maxFrameBytes: 1_048_576,
  maxPartsBytes: 4_194_304,
  partsTimeoutMs: 3_000,
  hibernateAfterMs: 30_000,
}
