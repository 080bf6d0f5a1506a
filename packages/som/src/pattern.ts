import { DomosError } from '@domos/spec'
import { RE2JS } from 're2js'

/** A compiled pattern. */
export interface Pattern {
  /** Start and end of the first match at or after `from`; undefined when there is none. */
  find(text: string, from?: number): { readonly start: number; readonly end: number } | undefined
}

/** Compiles a pattern that came from outside. */
export type PatternFactory = (source: string) => Pattern

const maxSourceChars = 1_000

/**
 * Compiles a pattern in RE2 syntax, which matches in linear time whatever the pattern. No lookaround, no backreferences.
 * @throws DomosError invalid_request when it is malformed or longer than 1,000 characters
 */
export function re2Pattern(source: string): Pattern {
  if (source.length > maxSourceChars) {
    throw new DomosError('invalid_request', `A pattern may have ${maxSourceChars} characters at most.`)
  }
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch (cause) {
    throw new DomosError('invalid_request', 'The pattern is not valid RE2 syntax (no lookaround, no backreferences).', {
      details: { pattern: source.slice(0, 100) },
      cause,
    })
  }
  return {
    find(text, from = 0) {
      const matcher = compiled.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined
    },
  }
}
