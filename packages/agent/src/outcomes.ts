import type { ToolFailureCode, ToolOutcome } from '@domos/spec'

/** A call's failure as a value. */
export function failure(code: ToolFailureCode, message: string): ToolOutcome & { readonly type: 'failure' } {
  return { type: 'failure', code, message }
}

/**
 * What the far end reported, in our codes: a failure without a code of its own (`failed`) whose text says declined or denied is
 * a person's no, and every no says in words that the tool did not run.
 */
export function recogniseDenial(outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== 'failure') return outcome
  const denied = outcome.code === 'denied' || (outcome.code === 'failed' && /declined|denied/i.test(outcome.message))
  if (!denied) return outcome
  return failure('denied', `The person declined this call; the tool did not run. (${outcome.message.slice(0, 500)})`)
}
