import type { JsonObject, JsonValue, Risk, ToolOutcome, ToolProgress } from '@domos/spec'
import { describeThrown, maxRisk, needsApproval, parseRisk, toDomosError } from '@domos/spec'
import { askForApproval } from './approvals.ts'
import { createDeclinedCalls } from './declined-calls.ts'
import { callDigest } from './digest.ts'
import { type GateContext, ticketClaims } from './gate-context.ts'
import { executeCall } from './gate-execution.ts'
import { randomId } from './ids.ts'
import { deepFreeze, isJsonObject, jsonBytesUpTo, toJson } from './json-values.ts'
import { createOpenCall, type OpenCall } from './open-call.ts'
import { failure, refusal } from './outcomes.ts'
import { effectiveRisk, type RiskPolicy } from './policy.ts'
import { createRateLimiter } from './rate.ts'
import type { ArgumentValidator } from './schema-compile.ts'
import type { RegisteredTool } from './tool-registry.ts'

/** One call that somebody wants. */
export interface GateRequest {
  /** The tool's own name. */
  readonly name: string
  readonly args: JsonValue
  /** Says why the arguments could not be read at all. */
  readonly invalid?: string
  readonly turnId: string
  readonly signal: AbortSignal
  /** Called once, as soon as the call has its id; the arguments are the validated ones where they could be. */
  onCall?(call: { readonly id: string; readonly name: string; readonly args: JsonObject; readonly risk: Risk }): void
  onProgress?(callId: string, report: ToolProgress): void
}

/** How a call ended. */
export interface GateResult {
  readonly callId: string
  readonly outcome: ToolOutcome
}

/** The only path to {@link Tool.execute}. */
export interface Gate {
  /** Never rejects: whatever goes wrong is an outcome. */
  call(request: GateRequest): Promise<GateResult>
  /** Withdraws every call of this turn that waits for a person; gives how many there were. */
  withdrawWaiting(turnId: string): number
  /** The person has spoken: what was declined may be asked again. */
  personSpoke(): void
  /** Ends every open call; no further one is accepted. */
  close(): void
}

const NAMES_SHOWN = 40

/**
 * Makes the gate of one session. In this order: the tool is in force and the principal has its scope; the arguments are valid
 * (before anybody is asked); the risk, raised by policy; not declined a moment ago; the rate; a person's approval of frozen
 * arguments; execution on a clock. Everything that stops a call is an outcome that the model reads.
 */
export function createGate(context: GateContext): Gate {
  const { tools, limits, clock, metrics } = context
  const open = new Set<OpenCall>()
  const declined = createDeclinedCalls(limits.declinesPerToolMax)
  const rate = createRateLimiter(limits.toolCallsPerMinute, clock)
  let closed = false

  const stopWatching = tools.onChange(() => {
    for (const call of open) {
      const look = () => call.toolsChanged(tools.find(call.tool.tool.name))
      const { leaveGraceMs = 0 } = call.tool.tool
      const isGone = tools.find(call.tool.tool.name)?.owner !== call.tool.owner
      if (isGone && leaveGraceMs > 0 && call.state === 'executing') clock.schedule(leaveGraceMs, look)
      else look()
    }
  })

  async function run(request: GateRequest, call: OpenCall): Promise<ToolOutcome> {
    const { tool, args, risk } = call
    if (declined.has(tool.tool.name, args)) {
      return failure(
        'denied',
        'The person has just declined this call; it was not put to them again and the tool did not run.',
      )
    }
    const wait = rate.take()
    if (wait > 0)
      return failure('unavailable', `Too many tool calls; the next is possible in ${Math.ceil(wait / 1000)} s.`)
    const refused = refuseWithoutApproval(context.policy, call)
    if (refused !== undefined) {
      await context.audit({ event: 'policy-refused', callId: call.id, toolName: tool.tool.name, risk })
      return refusal('policy', refused)
    }
    if (needsApproval(risk) && !call.executorAsks) {
      const approved = await approve(call)
      if (approved !== undefined) return approved
    }
    const outcome = await executeCall(context, call, (report) => request.onProgress?.(call.id, report))
    const undecided =
      call.executorAsks && needsApproval(risk) && outcome.type === 'failure' && outcome.code === 'expired'
    if (undecided || (outcome.type === 'failure' && outcome.code === 'denied')) declined.add(tool.tool.name, args)
    return outcome
  }

  /** Undefined when a person approved. */
  async function approve(call: OpenCall): Promise<ToolOutcome | undefined> {
    const { tool, args, risk } = call
    const waiting = [...open].filter((other) => other.state === 'awaiting-approval').length
    if (waiting >= limits.approvalsOpenMax) {
      return failure('unavailable', `${waiting} calls wait for an approval already; the tool did not run.`)
    }
    call.step('approval-needed')
    const digest = await callDigest(tool.tool.name, args)
    const started = clock.now()
    const expiresAt = started + limits.approvalTimeoutMs
    const result = await askForApproval(
      { members: context.members, clock, audit: context.audit },
      {
        request: {
          callId: call.id,
          sessionId: context.sessionId,
          toolName: tool.tool.name,
          description: tool.tool.description,
          args,
          risk,
          digest,
          expiresAt,
        },
        owner: tool.owner,
        withdrawn: call.signal,
        toolChanged: call.toolChanged,
      },
    )
    metrics.count('approvals', { result: result.state })
    metrics.observe('approval_seconds', (clock.now() - started) / 1000)
    if (call.settled !== undefined) return call.settled
    if (result.state === 'given') {
      call.step('approval-given')
      call.digest = digest
      const until = clock.now() + limits.toolTotalTimeoutMs + limits.toolTimeoutMs
      call.ticket = await context.tickets.issue(ticketClaims(context, call), until)
      return undefined
    }
    if (result.state === 'refused' || result.state === 'expired') declined.add(tool.tool.name, args)
    return approvalFailure(result.state, result.decision?.reason)
  }

  return {
    async call(request) {
      const started = clock.now()
      const id = `tc_${randomId()}`
      let risk: Risk = 'none'
      let outcome: ToolOutcome
      try {
        const checked = closed ? failure('unavailable', 'The session is closed.') : check(context, request)
        if ('type' in checked) {
          request.onCall?.({ id, name: request.name, args: plainArgs(request.args), risk })
          outcome = checked
        } else {
          risk = checked.risk
          const call = createOpenCall({ id, turnId: request.turnId, startedAt: started, ...checked })
          open.add(call)
          const stop = (): void => call.cancel('The call was cancelled. If it ran already, its effect is not known.')
          request.signal.addEventListener('abort', stop)
          try {
            request.onCall?.({ id, name: call.tool.tool.name, args: call.args, risk })
            context.saveCall(call)
            if (request.signal.aborted) stop()
            outcome = call.settled ?? (await Promise.race([run(request, call), call.ended]))
            outcome = call.finish(outcome)
            if (call.executorAsks && needsApproval(risk)) await auditExecutorDecision(context, call, outcome, started)
            context.saveCall(call, outcome)
          } finally {
            request.signal.removeEventListener('abort', stop)
            open.delete(call)
          }
        }
      } catch (thrown) {
        context.log.error('tool-call-fault', {
          callId: id,
          code: toDomosError(thrown).code,
        })
        outcome = failure('failed', 'The call failed inside the server. Whether it took effect is not known.')
      }
      const result = outcome.type === 'success' ? 'success' : outcome.code
      metrics.count('tool_calls', { outcome: result, risk })
      metrics.observe('tool_call_seconds', (clock.now() - started) / 1000, { outcome: result })
      return { callId: id, outcome }
    },
    withdrawWaiting(turnId) {
      let count = 0
      for (const call of open) {
        if (call.turnId !== turnId || call.state !== 'awaiting-approval') continue
        count += 1
        call.cancel(
          call.executorAsks
            ? 'The person wrote a new message instead of deciding; the call was withdrawn without a result. Do not assume that it ran.'
            : 'The person wrote a new message instead of deciding; the call was withdrawn and did not run.',
        )
      }
      return count
    },
    personSpoke: () => declined.clear(),
    close() {
      closed = true
      stopWatching()
      for (const call of open) call.cancel('The session was closed.')
    },
  }
}

interface Checked {
  readonly tool: RegisteredTool
  readonly args: JsonObject
  readonly risk: Risk
  readonly executorAsks: boolean
}

function check(context: GateContext, request: GateRequest): Checked | ToolOutcome {
  const tool = context.tools.find(request.name)
  if (tool === undefined) {
    const names = context.tools.list().map((other) => other.tool.name.slice(0, 64))
    const shown = names.slice(0, NAMES_SHOWN).join(', ') + (names.length > NAMES_SHOWN ? ', …' : '')
    const known = names.length === 0 ? 'There are no tools now.' : `The tools there are now: ${shown}.`
    return failure(
      'unavailable',
      `There is no tool ${request.name.slice(0, 64)} any more or it never existed. ${known}`,
    )
  }
  if (tool.tool.scope !== undefined && !context.principal.allows(tool.tool.scope)) {
    void context.audit({ event: 'scope-refused', toolName: tool.tool.name, details: { scope: tool.tool.scope } })
    return refusal('policy', `This key lacks the scope ${tool.tool.scope}; the tool did not run.`)
  }
  if (request.invalid !== undefined) {
    return failure('invalid_arguments', `The arguments could not be read: ${request.invalid.slice(0, 500)}`)
  }
  if (jsonBytesUpTo(request.args, context.limits.argumentsMaxBytes) > context.limits.argumentsMaxBytes) {
    return failure('invalid_arguments', `The arguments are larger than ${context.limits.argumentsMaxBytes} bytes.`)
  }
  let validated: ReturnType<ArgumentValidator['validate']>
  try {
    validated = context.validator.validate(tool.schema, request.args)
  } catch (thrown) {
    context.tools.reject(tool, `Its parameter schema cannot be used: ${describeThrown(thrown).slice(0, 200)}`)
    return failure(
      'unavailable',
      `The tool ${tool.tool.name.slice(0, 64)} has a parameter schema that cannot be used; it is switched off.`,
    )
  }
  if (!validated.ok) return failure('invalid_arguments', `${validated.message} The tool did not run.`)
  const args = deepFreeze(validated.args)
  const risk = effectiveRisk(context.policy, tool.tool, args, context.principal)
  const allowed = context.principal.maxRisk
  if (allowed !== undefined && maxRisk(risk, allowed) !== allowed) {
    void context.audit({ event: 'policy-refused', toolName: tool.tool.name, risk })
    return refusal('policy', `Whoever speaks here is not known well enough for a tool of risk ${risk}; it did not run.`)
  }
  return { tool, args, risk, executorAsks: tool.tool.approval === 'executor' }
}

function refuseWithoutApproval(policy: RiskPolicy, call: OpenCall): string | undefined {
  if (!call.executorAsks || !needsApproval(call.risk)) return undefined
  if (call.risk !== parseRisk(call.tool.tool.risk)) {
    return 'The operator demands an approval for this tool that this client cannot give; the tool did not run.'
  }
  if (policy.refuseRiskyWithoutApproval === true) {
    return 'The operator does not allow risky tools on clients without the approval extension; the tool did not run.'
  }
  return undefined
}

function approvalFailure(state: string, reason: string | undefined): ToolOutcome {
  const said = reason === undefined || reason === '' ? '' : ` They said: ${JSON.stringify(reason.slice(0, 500))}.`
  if (state === 'refused') return failure('denied', `The person declined this call; the tool did not run.${said}`)
  if (state === 'expired') return failure('expired', 'Nobody decided in time; the tool did not run.')
  if (state === 'void')
    return failure('unavailable', 'The page changed the tool while the person was deciding; the tool did not run.')
  if (state === 'nobody')
    return refusal('nobody', 'Nobody is here who could be asked to approve this call; the tool did not run.')
  return failure('cancelled', 'The call was withdrawn before a decision; the tool did not run.')
}

async function auditExecutorDecision(
  context: GateContext,
  call: OpenCall,
  outcome: ToolOutcome,
  started: number,
): Promise<void> {
  const code = outcome.type === 'success' ? 'given' : outcome.code === 'denied' ? 'refused' : outcome.code
  const event = code === 'given' || code === 'refused' || code === 'expired' || code === 'cancelled' ? code : 'unknown'
  await context.audit({
    event: `approval-${event}`,
    callId: call.id,
    toolName: call.tool.tool.name,
    risk: call.risk,
    by: 'executor',
    latencyMs: context.clock.now() - started,
  })
}

function plainArgs(args: JsonValue): JsonObject {
  const plain = toJson(args)
  return isJsonObject(plain) ? plain : {}
}
