import type { JsonObject, Principal, Risk, ToolDeclaration } from '@domos/spec'
import { maxRisk, parseRisk } from '@domos/spec'

/** What the operator decides about risk. It can raise what a page declares, never lower it. */
export interface RiskPolicy {
  /** Raises every tool whose name matches; `*` stands for any characters, case does not matter. */
  readonly raise?: readonly { readonly tools: string; readonly risk: Risk }[]
  /** Judges one call; what it gives back only counts when it is higher. A throw counts as `high`. */
  readonly assess?: (tool: ToolDeclaration, args: JsonObject, principal: Principal) => Risk | undefined
  /** Refuses risky calls to clients that ask the person by themselves, without the ticketed flow. @default false */
  readonly refuseRiskyWithoutApproval?: boolean
}

/** The risk that counts: the declared one, raised by the policy. */
export function effectiveRisk(policy: RiskPolicy, tool: ToolDeclaration, args: JsonObject, principal: Principal): Risk {
  let risk = parseRisk(tool.risk)
  for (const rule of policy.raise ?? []) {
    if (matchesName(rule.tools, tool.name)) risk = maxRisk(risk, rule.risk)
  }
  if (policy.assess !== undefined) {
    try {
      risk = maxRisk(risk, parseRisk(policy.assess(tool, args, principal)))
    } catch {
      risk = maxRisk(risk, 'high')
    }
  }
  return risk
}

/** Matches a name against a pattern in which only `*` is special; linear in both lengths for each star. */
export function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
