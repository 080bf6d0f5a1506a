import { DomosError } from './error.ts'

/**
 * Defaults with an operator's numbers over them; an override that is undefined leaves the default.
 * @throws DomosError `invalid_request` for a name that is no limit, and for what is no number of at least 0
 */
export function mergeLimits<Limits extends object>(defaults: Limits, overrides: Partial<Limits> = {}): Limits {
  const merged = { ...defaults }
  for (const [name, value] of Object.entries(overrides) as [keyof Limits & string, unknown][]) {
    const details = { path: `limits.${name}` }
    if (!Object.hasOwn(defaults, name)) {
      throw new DomosError('invalid_request', `There is no limit named ${name}.`, { details })
    }
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new DomosError('invalid_request', `The limit ${name} must be a number of at least 0.`, { details })
    }
    merged[name] = value as Limits[typeof name]
  }
  return merged
}
