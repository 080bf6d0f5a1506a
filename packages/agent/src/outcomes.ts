import type { ToolFailureCode, ToolOutcome } from '@domos/spec'

/** A call's failure as a value. */
export function failure(code: ToolFailureCode, message: string): ToolOutcome & { readonly type: 'failure' } {
  return { type: 'failure', code, message }
}

/** A no that no person said. */
export function refusal(deniedBy: 'policy' | 'nobody', message: string): ToolOutcome & { readonly type: 'failure' } {
  return { type: 'failure', code: 'denied', message, deniedBy }
}

/**
 * A person's no at the far end says in words that the tool did not run. Only its code makes it one: "permission denied" in a
 * fault of the tool is nobody's decision.
 */
export function recogniseDenial(outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== 'failure' || outcome.code !== 'denied') return outcome
  return failure('denied', `The person declined this call; the tool did not run. (${outcome.message.slice(0, 500)})`)
}
