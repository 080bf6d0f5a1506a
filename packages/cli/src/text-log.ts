import type { Log, LogFields } from '@domos/spec'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A log for people: `12:04:31 warn upgrade-refused door=adtp code=origin_refused`. */
export function createTextLog(
  level: (typeof LEVELS)[number],
  write: (line: string) => void,
  bound: LogFields = {},
): Log {
  const threshold = LEVELS.indexOf(level)
  const at = (name: (typeof LEVELS)[number]) => (event: string, fields?: LogFields) => {
    if (LEVELS.indexOf(name) < threshold) return
    const facts = Object.entries({ ...bound, ...fields }).filter(([, value]) => value !== undefined)
    const time = new Date().toISOString().slice(11, 19)
    write(`${time} ${name} ${event}${facts.map(([key, value]) => ` ${key}=${value}`).join('')}\n`)
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createTextLog(level, write, { ...bound, ...fields }),
  }
}
