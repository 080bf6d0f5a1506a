/** How dangerous a tool is, lowest first (Core Concepts, "HITL Security"). */
export const RISKS = ['none', 'low', 'high', 'critical'] as const

/** One of {@link RISKS}. `none` runs, `low` runs and shows a notice, `high` asks, `critical` asks with a second step. */
export type Risk = (typeof RISKS)[number]

/** The higher of two risks; risk is only ever raised. */
export function maxRisk(a: Risk, b: Risk): Risk {
  return RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b
}

/** Whether a person has to approve before a tool of this risk runs. */
export function needsApproval(risk: Risk): boolean {
  return risk === 'high' || risk === 'critical'
}

/** Reads a declared risk: absent is `none`; `medium` and anything unknown is `high`, so that a typo never opens a door. */
export function parseRisk(value: unknown): Risk {
  if (value === undefined || value === null) return 'none'
  return RISKS.find((risk) => risk === value) ?? 'high'
}
