import type { JsonObject } from '@domos/spec'
import { canonicalJson } from './digest.ts'

/** Remembers what a person said no to, until that person speaks again. */
export interface DeclinedCalls {
  add(name: string, args: JsonObject): void
  /** Whether this call must not be put to the person again now. */
  has(name: string, args: JsonObject): boolean
  /** The person has spoken: anything may be asked again. */
  clear(): void
}

/**
 * Makes the memory. The identical call counts at once; any call of a tool counts after `declinesPerTool` declines of it, since
 * a model that only varies the arguments wears a person down just the same.
 */
export function createDeclinedCalls(declinesPerTool: number): DeclinedCalls {
  const calls = new Set<string>()
  const tools = new Map<string, number>()
  return {
    add(name, args) {
      calls.add(canonicalJson([name, args]))
      tools.set(name, (tools.get(name) ?? 0) + 1)
    },
    has(name, args) {
      if (calls.size === 0) return false
      return (tools.get(name) ?? 0) >= declinesPerTool || calls.has(canonicalJson([name, args]))
    },
    clear() {
      calls.clear()
      tools.clear()
    },
  }
}
