import type {
  AuditEntry,
  Clock,
  DoorName,
  JsonValue,
  LanguageModel,
  Log,
  Metrics,
  ModelMessage,
  Session,
  SessionRecord,
  ToolCallRecord,
  ToolOutcome,
  Turn,
  UserInput,
} from '@domos/spec'
import { DomosError, toDomosError } from '@domos/spec'
import type { BoundedPrincipal } from './auth.ts'
import { createGate } from './gate.ts'
import { createHistory } from './history.ts'
import { randomHex } from './ids.ts'
import type { AgentLimits } from './limits.ts'
import { createMembers } from './members.ts'
import type { OpenCall } from './open-call.ts'
import { createContextStore } from './page-context.ts'
import type { RiskPolicy } from './policy.ts'
import { createRateLimiter } from './rate.ts'
import { showOutcome } from './result-text.ts'
import type { SafeStore } from './safe-store.ts'
import type { ArgumentValidator } from './schema-compile.ts'
import { sentencesFor } from './sentences.ts'
import type { TicketOffice } from './ticket.ts'
import { createToolNames } from './tool-names.ts'
import { createToolRegistry, type SessionTools } from './tool-registry.ts'
import { createTurn, type RunningTurn } from './turn.ts'
import { runTurn, type TurnContext } from './turn-loop.ts'

/** A session of this agent: what the doors see, and a way to call a tool without a model. */
export interface AgentSession extends Session {
  readonly tools: SessionTools
  /** Calls a tool through the gate, as the model would. Never rejects. */
  call(name: string, args: JsonValue, signal?: AbortSignal): Promise<ToolOutcome>
  /** Epoch milliseconds. */
  readonly lastActiveAt: number
}

/** What all sessions of an agent share. */
export interface SessionEnvironment {
  readonly model: LanguageModel
  readonly store: SafeStore
  readonly policy: RiskPolicy
  readonly limits: AgentLimits
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly validator: ArgumentValidator
  readonly tickets: TicketOffice
  readonly system: string
}

/** What one session is opened with. */
export interface SessionStart {
  readonly id: string
  readonly principal: BoundedPrincipal
  readonly door: DoorName
  readonly language?: string
  onClosed(): void
}

const MEMBER_NAMES: Readonly<Record<DoorName, string>> = { adtp: 'page', voice: 'microphone', awp: 'program' }

function memberSentence(type: 'joined' | 'left', door: DoorName): string {
  return `A ${MEMBER_NAMES[door]} has ${type} this conversation.`
}

/** Opens a session. It closes itself when nobody is in it for `sessionLingerMs`. */
export function createSession(environment: SessionEnvironment, start: SessionStart): AgentSession {
  const { limits, clock, metrics, store } = environment
  const { id, principal } = start
  const log = environment.log.child({ session: id })
  const createdAt = clock.now()
  const over = new AbortController()
  const inputs = createRateLimiter(limits.inputsPerMinute, clock)
  const tools = createToolRegistry(limits)
  const contexts = createContextStore(limits.contextMaxBytes)
  const history = createHistory({ maxMessages: limits.historyMaxMessages, maxBytes: limits.historyMaxBytes })
  let lastActiveAt = createdAt
  let current: RunningTurn | undefined
  let redirect: string | undefined
  let reportedLeftOut = 0
  const queue: RunningTurn[] = []

  let stopLinger = clock.schedule(limits.sessionLingerMs, () => session.close('idle'))
  const members = createMembers(limits.membersPerSessionMax, ({ type, member, count }) => {
    if (type === 'left') {
      // Nobody is there to run its tools any more, and what it shows is out of date.
      tools.replace(member.id, [])
      contexts.set(member.id, undefined)
    }
    const notice = { code: `member-${type}`, message: memberSentence(type, member.door) }
    tellMembers('notice', (other) => {
      if (other !== member) other.onNotice?.(notice)
    })
    stopLinger()
    lastActiveAt = clock.now()
    if (count === 0 && !over.signal.aborted)
      stopLinger = clock.schedule(limits.sessionLingerMs, () => session.close('idle'))
  })

  function tellMembers(what: string, tell: (member: (typeof session.members)[number]) => void): void {
    for (const member of members.list()) {
      try {
        tell(member)
      } catch (thrown) {
        log.error('member-fault', { member: member.id, what, code: toDomosError(thrown).code })
      }
    }
  }

  function audit(entry: Pick<AuditEntry, 'event'> & Partial<AuditEntry>): Promise<void> {
    const whole: AuditEntry = { ...entry, at: clock.now(), sessionId: id, principalId: principal.id }
    return store.write('audit', (target) => target.appendAudit(whole))
  }

  function saveCall(call: OpenCall, outcome?: ToolOutcome): void {
    const record: ToolCallRecord = {
      callId: call.id,
      sessionId: id,
      turnId: call.turnId,
      name: call.tool.tool.name,
      args: call.args,
      risk: call.risk,
      startedAt: call.startedAt,
      ...(outcome === undefined
        ? {}
        : { endedAt: clock.now(), outcome: showOutcome(outcome, limits.toolResultMaxBytes).outcome }),
    }
    void store.write('tool-call', (target) => target.saveToolCall(record))
    if (outcome?.type === 'success' && call.risk === 'low') {
      const message = `The tool ${call.tool.tool.name} ran.`
      tellMembers('notice', (member) => member.onNotice?.({ code: 'tool-ran', message, callId: call.id }))
    }
  }

  function saveSession(closedAt?: number): void {
    const record: SessionRecord = {
      id,
      principalId: principal.id,
      tenant: principal.tenant,
      door: start.door,
      createdAt,
      lastActiveAt,
      ...(closedAt === undefined ? {} : { closedAt }),
    }
    void store.write('session', (target) => target.saveSession(record))
  }

  const gate = createGate({
    sessionId: id,
    principal,
    tools,
    members,
    policy: environment.policy,
    limits,
    validator: environment.validator,
    tickets: environment.tickets,
    clock,
    log,
    metrics,
    audit,
    saveCall,
  })

  const turnContext: TurnContext = {
    model: environment.model,
    limits,
    clock,
    metrics,
    history,
    gate,
    tools,
    names: createToolNames(),
    context: contexts,
    system: environment.system,
    sentences: sentencesFor(start.language),
    ...(start.language === undefined ? {} : { language: start.language }),
    takeRedirect() {
      const text = redirect
      redirect = undefined
      return text
    },
    saveMessage: (message: ModelMessage) =>
      void store.write('message', (target) => target.appendMessages(id, [message])),
    replaceSaved: (message: ModelMessage, by: ModelMessage) =>
      void store.write('message', (target) => target.replaceMessage(id, message, by)),
    toolsLeftOut(count) {
      if (count === reportedLeftOut) return
      reportedLeftOut = count
      if (count === 0) return
      log.warn('tools-left-out', { count })
      const message = `${count} tools were not offered to the language model; the limit is toolsMaxBytes.`
      tellMembers('notice', (member) => member.onNotice?.({ code: 'tools-left-out', message }))
    },
  }

  /** Lets the others follow a turn, from its beginning but not before it is certain. */
  function showTurn(turn: RunningTurn): void {
    const others = members.list().filter((member) => member.id !== turn.input.from && member.onTurn !== undefined)
    const readers = new Map(others.map((member) => [member.id, turn.reader()]))
    const show = (): void =>
      tellMembers('turn', (member) => {
        const events = readers.get(member.id)
        if (events !== undefined) member.onTurn?.(turn, events)
      })
    if (turn.isCertain) return show()
    void turn.certain.then((isCertain) => {
      if (isCertain) return show()
      inputs.giveBack()
      principal.inputs?.giveBack()
    })
  }

  async function run(turn: RunningTurn): Promise<void> {
    current = turn
    const started = clock.now()
    turn.step('started')
    showTurn(turn)
    const ended = await runTurn(turnContext, turn)
    const reason = turn.isCertain ? ended : 'withdrawn'
    metrics.count('turns', { reason })
    metrics.observe('turn_seconds', (clock.now() - started) / 1000, { reason })
    log.info('turn-end', { turn: turn.id, reason, ms: clock.now() - started })
    current = undefined
    lastActiveAt = clock.now()
    saveSession(over.signal.aborted ? lastActiveAt : undefined)
    redirect = undefined // only left when the turn was cancelled after it
    startNext()
  }

  function startNext(): void {
    if (current !== undefined || over.signal.aborted) return
    const next = queue.shift()
    if (next === undefined) return
    if (next.signal.aborted) {
      next.end('cancelled')
      startNext()
    } else void run(next)
  }

  function makeTurn(input: UserInput): RunningTurn {
    const turn = createTurn(input, limits.progressEventsMax, () => {
      const at = queue.indexOf(turn)
      if (at < 0) return
      queue.splice(at, 1)
      turn.end('cancelled')
    })
    return turn
  }

  function checkInput(input: UserInput): void {
    if (over.signal.aborted) throw new DomosError('unavailable', 'The session is closed.')
    if (typeof input.text !== 'string' || input.text.trim() === '') {
      throw new DomosError('invalid_request', 'The input is empty.', { details: { path: 'text' } })
    }
    if (input.text.length > limits.inputMaxChars) {
      throw new DomosError('too_large', `The input has more than ${limits.inputMaxChars} characters.`)
    }
    const wait = inputs.take() || (principal.inputs?.take() ?? 0)
    if (wait > 0) {
      throw new DomosError('rate_limited', `Too many inputs; the next is possible in ${Math.ceil(wait / 1000)} s.`, {
        details: { retryAfterMs: wait },
      })
    }
  }

  const session: AgentSession = {
    id,
    principal,
    tools,
    signal: over.signal,
    get currentTurn() {
      return current
    },
    get members() {
      return members.list()
    },
    get lastActiveAt() {
      return lastActiveAt
    },
    say(input): Turn {
      checkInput(input)
      lastActiveAt = clock.now()
      if (input.provisional === true && (current !== undefined || queue.length > 0)) {
        throw new DomosError('busy', 'An answer is under way; nothing is prepared meanwhile.')
      }
      if (current !== undefined && redirect === undefined && gate.withdrawWaiting(current.id) > 0) {
        redirect = input.text
        return current
      }
      if (current !== undefined && queue.length >= limits.queuedInputsMax) {
        throw new DomosError(
          'busy',
          'An answer is under way and another input waits already; try again when it is done.',
        )
      }
      const turn = makeTurn(input)
      queue.push(turn)
      startNext()
      return turn
    },
    setContext: (owner, context) => contexts.set(owner, context),
    join: (member) => {
      if (over.signal.aborted) throw new DomosError('unavailable', 'The session is closed.')
      return members.join(member)
    },
    async call(name, args, signal = new AbortController().signal) {
      return (await gate.call({ name, args, turnId: `direct-${randomHex(8)}`, signal })).outcome
    },
    close(reason) {
      if (over.signal.aborted) return
      over.abort()
      stopLinger()
      stopTools()
      for (const turn of queue.splice(0)) turn.end('cancelled')
      current?.cancel(reason)
      gate.close()
      lastActiveAt = clock.now()
      saveSession(lastActiveAt)
      log.info('session-close', { reason: reason.slice(0, 80) })
      tellMembers('close', (member) => member.onClose?.(reason))
      start.onClosed()
    },
  }

  const stopTools = tools.onChange(() => {
    const surface = tools.surface()
    tellMembers('tools', (member) => member.onTools?.(surface))
  })
  saveSession()
  return session
}
