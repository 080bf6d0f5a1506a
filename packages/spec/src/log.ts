/** Facts of a log line: ids, codes and numbers. Never words spoken, arguments, tokens or page text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A structured log. `event` is a stable noun-verb name such as `session-open`. */
export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  child(fields: LogFields): Log
}

/** A log that says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog }

/** Counters, gauges and histograms. Names are snake_case without prefix or unit suffix conventions of a back-end. */
export interface Metrics {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void
  gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void
  /** A distribution; times are in seconds, sizes in bytes. */
  observe(name: string, value: number, labels?: Readonly<Record<string, string>>): void
}

/** Metrics that go nowhere. */
export const silentMetrics: Metrics = { count() {}, gauge() {}, observe() {} }
