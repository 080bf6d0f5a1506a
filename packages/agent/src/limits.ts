import { DomosError } from '@domos/spec'

/** One number an operator may change: its default, its range, and a sentence for the help text and the docs table. */
export interface LimitEntry {
  readonly default: number
  readonly min: number
  readonly max: number
  readonly description: string
}

const DAY_MS = 86_400_000

function limit(value: number, min: number, max: number, description: string): LimitEntry {
  return { default: value, min, max, description }
}

/**
 * Every bound of the agent core, with its default. Command-line flags, environment names and the docs table derive from
 * this table; the unit is in the name (`Ms`, `Bytes`, `Chars`, else a count).
 */
export const AGENT_LIMITS = {
  toolsPerOwnerMax: limit(128, 1, 1_000, 'active tools of one page; surplus is ignored and reported'),
  toolDescriptionMaxChars: limit(1_024, 64, 16_384, 'characters of one tool description that reach the model'),
  toolsMaxBytes: limit(49_152, 1_024, 1_048_576, 'all tool declarations of one model request'),
  toolTimeoutMs: limit(30_000, 100, 600_000, 'a tool call without a sign of progress'),
  toolTotalTimeoutMs: limit(300_000, 100, 3_600_000, 'a tool call however often it reports progress'),
  approvalTimeoutMs: limit(120_000, 1_000, 3_600_000, 'a person deciding about a call'),
  approvalsOpenMax: limit(8, 1, 100, 'approvals of one session that wait at the same time'),
  declinesPerToolMax: limit(
    2,
    1,
    20,
    'declines of one tool after which it is not asked for again until the person speaks',
  ),
  argumentsMaxBytes: limit(65_536, 256, 4_194_304, 'arguments of one call'),
  contextMaxBytes: limit(65_536, 256, 4_194_304, 'page context shown to the model; the rest is cut and reported'),
  toolResultMaxBytes: limit(49_152, 256, 4_194_304, 'one tool result shown to the model; the rest is cut and stated'),
  requestMaxBytes: limit(163_840, 8_192, 16_777_216, 'one whole model request'),
  historyMaxMessages: limit(100, 4, 10_000, 'messages of a conversation kept for the model'),
  historyMaxBytes: limit(98_304, 1_024, 16_777_216, 'bytes of a conversation kept for the model'),
  stepsPerTurnMax: limit(8, 1, 100, 'model requests in one turn'),
  toolCallsPerStepMax: limit(16, 1, 128, 'parallel calls in one model answer; surplus is refused'),
  toolCallsPerMinute: limit(120, 1, 100_000, 'tool calls of one session'),
  inputMaxChars: limit(8_000, 1, 1_000_000, 'characters of one user input'),
  inputsPerMinute: limit(20, 1, 100_000, 'user inputs of one session'),
  queuedInputsMax: limit(1, 0, 100, 'user inputs that wait behind the running turn'),
  progressEventsMax: limit(256, 1, 10_000, 'unread progress events of a turn; older ones are dropped'),
  sessionsMax: limit(10_000, 1, 1_000_000, 'open sessions of this server'),
  sessionsPerPrincipalMax: limit(10_000, 1, 1_000_000, 'open sessions of one key'),
  membersPerSessionMax: limit(16, 1, 1_000, 'members of one session'),
  sessionLingerMs: limit(120_000, 0, DAY_MS, 'how long a session outlives its last member'),
  joinTokenTtlMs: limit(120_000, 1_000, 3_600_000, 'how long a token or code for joining a session is valid'),
  joinGuessesPerMinute: limit(10, 1, 10_000, 'wrong join tokens or codes from one address'),
  joinGuessesTotalPerMinute: limit(30, 1, 100_000, 'wrong join tokens or codes from everywhere'),
  joinTokensPerSessionMax: limit(4, 1, 1_000, 'open join tokens of one session; the newest has the code'),
  joinCodesMax: limit(100, 0, 10_000, 'open six-digit codes of this server; beyond, tokens come without one'),
  authFailuresPerMinute: limit(30, 1, 100_000, 'failed attempts to authenticate from one address'),
  modelFirstPartTimeoutMs: limit(60_000, 100, 3_600_000, 'waiting for the first part of a model answer'),
  modelIdleTimeoutMs: limit(60_000, 100, 3_600_000, 'silence in the middle of a model answer'),
  modelTotalTimeoutMs: limit(300_000, 100, 3_600_000, 'one whole model answer'),
  modelOutputMaxChars: limit(200_000, 100, 10_000_000, 'text of one model answer'),
  modelRetriesMax: limit(2, 0, 10, 'retries of a model request that brought nothing'),
  modelRetryDelayMs: limit(500, 0, 60_000, 'delay before the first retry; doubles with each'),
  modelRetryAfterMaxMs: limit(20_000, 0, 600_000, 'longest wait that a rate-limited model may ask for'),
  schemaMaxBytes: limit(16_384, 256, 1_048_576, 'JSON of one parameter schema'),
  schemaMaxDepth: limit(8, 1, 64, 'nesting of one parameter schema'),
  schemaMaxProperties: limit(100, 1, 1_000, 'properties of one parameter schema, over all levels'),
  schemaPatternMaxChars: limit(256, 1, 4_096, 'characters of one regular expression in a schema'),
  schemaCacheMax: limit(500, 1, 100_000, 'compiled schemas kept'),
  storePendingMax: limit(10_000, 1, 1_000_000, 'store writes under way; further ones are dropped, logged and counted'),
  storeDrainTimeoutMs: limit(5_000, 0, 600_000, 'waiting for store writes when the server ends'),
  sessionRetentionMs: limit(30 * DAY_MS, DAY_MS, 3_650 * DAY_MS, 'how long conversations and calls are kept'),
  auditRetentionMs: limit(365 * DAY_MS, DAY_MS, 3_650 * DAY_MS, 'how long audit entries are kept'),
} as const satisfies Readonly<Record<string, LimitEntry>>

/** The agent's bounds as numbers. Defaults and ranges: {@link AGENT_LIMITS}. */
export type AgentLimits = { readonly [Name in keyof typeof AGENT_LIMITS]: number }

/**
 * The defaults with `overrides` over them.
 * @throws DomosError `invalid_request` when a value is no whole number in its range, or a name is unknown
 */
export function resolveAgentLimits(overrides: Partial<AgentLimits> = {}): AgentLimits {
  const entries: Readonly<Record<string, LimitEntry>> = AGENT_LIMITS
  const limits: Record<string, number> = {}
  for (const [name, entry] of Object.entries(entries)) limits[name] = entry.default
  for (const [name, value] of Object.entries(overrides)) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
    if (entry === undefined) {
      throw new DomosError('invalid_request', `There is no limit named ${name}.`, {
        details: { path: `limits.${name}` },
      })
    }
    if (value === undefined) continue
    if (!Number.isInteger(value) || value < entry.min || value > entry.max) {
      throw new DomosError(
        'invalid_request',
        `The limit ${name} must be a whole number from ${entry.min} to ${entry.max}: ${entry.description}.`,
        { details: { path: `limits.${name}` } },
      )
    }
    limits[name] = value
  }
  return limits as AgentLimits // every name of the table was filled in above
}
