import { DomosError, type ErrorCode } from '@domos/spec'

/** One promise of a contract, for any test runner: `for (const { title, run } of cases) it(title, run)`. */
export interface ContractCase {
  readonly title: string
  /** Rejects with a sentence when the promise is broken. */
  run(): Promise<void>
}

/** Throws with this sentence unless the condition holds. */
export function check(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence)
}

/** Throws unless the work fails with a DomosError of this code. */
export async function checkFailsWith(code: ErrorCode, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    check(thrown instanceof DomosError, `A DomosError was expected, not ${String(thrown)}.`)
    check(thrown.code === code, `The code should be ${code}, not ${thrown.code}: ${thrown.message}`)
    return
  }
  throw new Error(`It should have failed with code ${code}.`)
}

/** A signal that never aborts. */
export const neverAborts: AbortSignal = new AbortController().signal
