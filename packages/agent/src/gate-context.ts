import type { AuditEntry, Clock, Log, Metrics, Principal, ToolOutcome } from '@domos/spec'
import type { AgentLimits } from './limits.ts'
import type { Members } from './members.ts'
import type { OpenCall } from './open-call.ts'
import type { RiskPolicy } from './policy.ts'
import type { ArgumentValidator } from './schema-compile.ts'
import type { TicketClaims, TicketOffice } from './ticket.ts'
import type { SessionTools } from './tool-registry.ts'

/** What a gate needs from its session. */
export interface GateContext {
  readonly sessionId: string
  readonly principal: Principal
  readonly tools: SessionTools
  readonly members: Members
  readonly policy: RiskPolicy
  readonly limits: AgentLimits
  readonly validator: ArgumentValidator
  readonly tickets: TicketOffice
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  audit(entry: Pick<AuditEntry, 'event'> & Partial<AuditEntry>): Promise<void>
  saveCall(call: OpenCall, outcome?: ToolOutcome): void
}

/** What a ticket of this call is bound to. */
export function ticketClaims(context: Pick<GateContext, 'sessionId'>, call: OpenCall): TicketClaims {
  return { sessionId: context.sessionId, callId: call.id, toolName: call.tool.tool.name, digest: call.digest }
}
