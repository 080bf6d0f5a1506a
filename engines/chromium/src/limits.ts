/** Bounds of the Chromium engine an operator may change. */
export interface ChromiumLimits {
  /** Contexts of one browser process; more get another process. @default 100 */
  readonly maxContextsPerBrowser: number
  /** Browser processes at once. @default 8 */
  readonly maxBrowsers: number
  /** Time a browser gets to start. @default 20000 */
  readonly launchTimeoutMs: number
  /** Time a browser gets to go on its own before it is killed. @default 5000 */
  readonly closeTimeoutMs: number
  /** How often each browser is asked whether it lives. @default 5000 */
  readonly healthIntervalMs: number
  /** Silence after which a browser counts as hung and is replaced. @default 20000 */
  readonly healthTimeoutMs: number
  /** How often the memory of renderers is looked at. @default 250 */
  readonly memoryIntervalMs: number
  /** JavaScript heap of a page, when its session asks for none. @default 512 */
  readonly maxJsHeapMb: number
  /** Resident memory of one renderer; array buffers count here and in no heap. @default 1536 */
  readonly maxRendererMb: number
  /** Bytes of one message from the browser; larger ones are dropped and their command fails by its time limit. @default 134217728 */
  readonly maxMessageBytes: number
  /** Time a page that does not answer gets before its script is ended. @default 20000 */
  readonly blockedPageMs: number
  /** A request older than this counts as held open, not as loading. @default 10000 */
  readonly longPollMs: number
  /** Requests to one address after which it counts as polled. @default 3 */
  readonly pollingRepeats: number
  /** Time a custom list gets to show its options. @default 3000 */
  readonly optionsTimeoutMs: number
  /** Bytes of what `evaluate` may give. @default 1048576 */
  readonly maxEvaluateBytes: number
  /** Pages and frames of one context. @default 256 */
  readonly maxFrames: number
  /** Bytes of all downloads of a session, in multiples of what one may have. @default 4 */
  readonly downloadQuotaFactor: number
  /** Downloads of one session. @default 256 */
  readonly maxDownloads: number
  /** Bytes a context may receive in all. @default 2147483648 */
  readonly maxBytesIn: number
}

/** Default bounds. */
export const CHROMIUM_LIMITS: ChromiumLimits = {
  maxContextsPerBrowser: 100,
  maxBrowsers: 8,
  launchTimeoutMs: 20_000,
  closeTimeoutMs: 5_000,
  healthIntervalMs: 5_000,
  healthTimeoutMs: 20_000,
  memoryIntervalMs: 250,
  maxJsHeapMb: 512,
  maxRendererMb: 1_536,
  maxMessageBytes: 134_217_728,
  blockedPageMs: 20_000,
  longPollMs: 10_000,
  pollingRepeats: 3,
  optionsTimeoutMs: 3_000,
  maxEvaluateBytes: 1_048_576,
  maxFrames: 256,
  downloadQuotaFactor: 4,
  maxDownloads: 256,
  maxBytesIn: 2_147_483_648,
}
