import type { ToolExecution, ToolOutcome, ToolProgress } from '@domos/spec'
import { describeThrown, needsApproval } from '@domos/spec'
import { type GateContext, ticketClaims } from './gate-context.ts'
import { toJson } from './json-values.ts'
import type { OpenCall } from './open-call.ts'
import { failure, recogniseDenial } from './outcomes.ts'
import { isServerOwner } from './tool-registry.ts'

const MESSAGE_MAX_CHARS = 2_000

/**
 * Runs an admitted call on its clock. While the far end asks a person the call waits on the approval clock, else on the tool
 * clock; each report restarts the clock, within the total. A fraction says that the tool runs and nobody is asked any more.
 */
export async function executeCall(
  context: GateContext,
  call: OpenCall,
  onProgress: (report: ToolProgress) => void,
): Promise<ToolOutcome> {
  const { limits, clock } = context
  // The page may have declared the same tool anew with a fresh handler; the old object may be dead.
  const tool = context.tools.find(call.tool.tool.name)
  if (tool === undefined || tool.owner !== call.tool.owner) {
    return failure('unavailable', 'The tool is gone from the page; it did not run.')
  }
  if (tool.fingerprint !== call.tool.fingerprint) {
    return failure('unavailable', 'The page changed the tool after the call was made; it did not run.')
  }
  const asksItself = call.executorAsks && needsApproval(call.risk)
  if (asksItself) {
    call.step('approval-needed')
    void context.audit({
      event: 'approval-delegated',
      callId: call.id,
      toolName: tool.tool.name,
      risk: call.risk,
      by: 'executor',
    })
  }
  call.step('execution-started')

  let stopClock = (): void => {}
  const startClock = (delayMs: number, outcome: ToolOutcome): void => {
    stopClock()
    stopClock = clock.schedule(delayMs, () => call.finish(outcome, 'timeout'))
  }
  const late = failure(
    'timeout',
    `The tool gave no result within ${limits.toolTimeoutMs / 1000} s. Whether it took effect is not known.`,
  )
  const undecided = failure('expired', 'Nobody decided in time and no result came; the call counts as not executed.')
  const restartClock = (): void => {
    if (call.state === 'awaiting-approval') startClock(limits.approvalTimeoutMs, undecided)
    else startClock(limits.toolTimeoutMs, late)
  }
  restartClock()
  const totalMs = limits.toolTotalTimeoutMs + limits.approvalTimeoutMs
  const stopTotal = clock.schedule(totalMs, () => call.finish(late, 'timeout'))

  try {
    const executed = invoke(context, call, tool.tool.execute.bind(tool.tool), (report) => {
      if (call.settled !== undefined) return
      const before = call.state
      if (report.awaitingApproval === true) call.step('approval-needed')
      else if (report.fraction !== undefined || before === 'executing') call.step('progress')
      // A page that keeps reporting must not give the person more time than the approval clock does.
      if (before !== 'awaiting-approval' || call.state !== before) restartClock()
      onProgress(report)
    })
    const ended = await Promise.race([executed, call.ended])
    return call.settled ?? (await accept(context, call, ended))
  } finally {
    stopClock()
    stopTotal()
  }
}

async function invoke(
  context: GateContext,
  call: OpenCall,
  execute: (args: OpenCall['args'], call: Parameters<OpenCall['tool']['tool']['execute']>[1]) => Promise<ToolExecution>,
  progress: (report: ToolProgress) => void,
): Promise<ToolExecution> {
  try {
    const execution = await execute(call.args, {
      id: call.id,
      sessionId: context.sessionId,
      turnId: call.turnId,
      signal: call.signal,
      risk: call.risk,
      ...(call.ticket === undefined ? {} : { ticket: call.ticket }),
      progress,
    })
    if (call.settled !== undefined) context.metrics.count('tool_results_late')
    return execution
  } catch (thrown) {
    return failure('failed', describeThrown(thrown).slice(0, MESSAGE_MAX_CHARS))
  }
}

/** The far end's answer, once its ticket is checked. Tools of the server itself run in this process and need none. */
async function accept(context: GateContext, call: OpenCall, execution: ToolExecution): Promise<ToolOutcome> {
  if (call.ticket !== undefined && !isServerOwner(call.tool.owner)) {
    const verdict = await context.tickets.redeem(execution.ticket, ticketClaims(context, call), context.clock.now())
    if (verdict !== 'accepted') {
      await context.audit({
        event: 'ticket-refused',
        callId: call.id,
        toolName: call.tool.tool.name,
        risk: call.risk,
        digest: call.digest,
        details: { verdict },
      })
      return failure(
        'failed',
        'The result came without the proof of approval and was refused. Do not assume that the tool ran.',
      )
    }
  }
  if (execution.type === 'success') return { type: 'success', value: toJson(execution.value) }
  if (execution.type === 'failure') {
    return recogniseDenial(failure(execution.code, String(execution.message).slice(0, MESSAGE_MAX_CHARS)))
  }
  return failure('failed', 'The tool gave back something that is no outcome.')
}
