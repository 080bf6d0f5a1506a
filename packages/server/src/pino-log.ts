import type { Log, LogFields } from '@domos/spec'
import { type DestinationStream, type Logger, pino } from 'pino'

/** How a log is written. */
export interface LogOptions {
  /** @default 'info' */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where lines go; @default standard error */
  readonly destination?: DestinationStream
}

/** A structured log of one JSON object a line, as `{"level":"info","time":…,"event":"session-open",…}`. */
export function createPinoLog(options: LogOptions = {}): Log {
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['token', 'apiKey', 'authorization', 'cookie', '*.token', '*.apiKey'], censor: '[redacted]' },
    },
    options.destination ?? pino.destination({ dest: 2, sync: false, minLength: 0 }),
  )
  return wrap(logger)
}

function wrap(logger: Logger): Log {
  return {
    debug: (event, fields) => logger.debug({ event, ...fields }),
    info: (event, fields) => logger.info({ event, ...fields }),
    warn: (event, fields) => logger.warn({ event, ...fields }),
    error: (event, fields) => logger.error({ event, ...fields }),
    child: (fields: LogFields) => wrap(logger.child({ ...fields })),
  }
}
