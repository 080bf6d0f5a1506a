import {
  type Clock,
  DomosError,
  type Host,
  type JsonObject,
  type PageContext,
  type Session,
  type SessionMember,
  silentLog,
  silentMetrics,
  type Tool,
  type ToolCall,
  type ToolExecution,
  type ToolSurface,
  type Turn,
  type TurnEvent,
  type UserInput,
} from '@domos/spec'
import { randomHex } from '@domos/wire'

/** A turn whose events the test writes. */
export interface ScriptedTurn extends Turn {
  emit(event: TurnEvent): void
  readonly cancelledWith: string | undefined
}

/** A session that does what the test says: the door is what is tested, not the agent. */
export interface FakeSession extends Session {
  readonly inputs: readonly UserInput[]
  readonly turns: readonly ScriptedTurn[]
  readonly contexts: Map<string, PageContext | undefined>
  readonly owners: Map<string, readonly Tool[]>
  readonly closedWith: string | undefined
  /** What `say` throws next. */
  refuseNext: DomosError | undefined
  cutBytes: number
  /** The turn that the next input goes on with, as during an open approval. */
  goOn: ScriptedTurn | undefined
  call(
    name: string,
    args: JsonObject,
    more?: Partial<ToolCall>,
  ): {
    readonly id: string
    readonly outcome: Promise<ToolExecution>
    abort(reason?: unknown): void
    readonly progress: unknown[]
  }
}

/** A house with one key, `k_demo`, or none. */
export interface FakeHouse extends Host {
  readonly sessions: FakeSession[]
  /** Holds authentication back until the promise resolves. */
  gate: Promise<void>
}

export function createFakeHouse(clock: Clock, options: { readonly key?: string } = {}): FakeHouse {
  const sessions: FakeSession[] = []
  return {
    clock,
    log: silentLog,
    metrics: silentMetrics,
    requiresKey: options.key !== undefined,
    sessions,
    gate: Promise.resolve(),
    async authenticate({ token }) {
      await this.gate
      if (options.key !== undefined && token !== options.key) throw new DomosError('unauthorized', 'The key is wrong.')
      return { id: token ?? 'local', tenant: 'default', allows: () => true }
    },
    async openSession(principal) {
      const session = createFakeSession(principal)
      sessions.push(session)
      return session
    },
    session: (id) => sessions.find((session) => session.id === id),
  }
}

function createFakeSession(principal: Session['principal']): FakeSession {
  const abort = new AbortController()
  const members = new Set<SessionMember>()
  const owners = new Map<string, readonly Tool[]>()
  const inputs: UserInput[] = []
  const turns: ScriptedTurn[] = []
  const contexts = new Map<string, PageContext | undefined>()
  let closedWith: string | undefined

  const surface = (): ToolSurface => {
    const effective: Tool[] = []
    const ignored: { owner: string; name: string; reason: string }[] = []
    for (const [owner, tools] of owners) {
      for (const tool of tools) {
        if (effective.some(({ name }) => name === tool.name))
          ignored.push({ owner, name: tool.name, reason: 'The name is taken.' })
        else effective.push(tool)
      }
    }
    return { effective, ignored }
  }

  const session: FakeSession = {
    id: randomHex(),
    principal,
    signal: abort.signal,
    inputs,
    turns,
    contexts,
    owners,
    refuseNext: undefined,
    cutBytes: 0,
    goOn: undefined,
    get closedWith() {
      return closedWith
    },
    tools: {
      replace(owner, tools) {
        owners.set(owner, tools)
        return surface()
      },
      surface,
      get: (name) => surface().effective.find((tool) => tool.name === name) as Tool | undefined,
    },
    say(input) {
      if (session.refuseNext !== undefined) {
        const error = session.refuseNext
        session.refuseNext = undefined
        throw error
      }
      inputs.push(input)
      if (session.goOn !== undefined) return session.goOn
      const turn = createScriptedTurn(input)
      turns.push(turn)
      return turn
    },
    get currentTurn() {
      return turns.at(-1)
    },
    setContext(owner, context) {
      contexts.set(owner, context)
      return { cutBytes: session.cutBytes }
    },
    join(member) {
      members.add(member)
      return () => members.delete(member)
    },
    get members() {
      return [...members]
    },
    close(reason) {
      closedWith = reason
      abort.abort()
      for (const member of members) member.onClose?.(reason)
    },
    call(name, args, more = {}) {
      const tool = session.tools.get(name)
      if (tool === undefined) throw new Error(`no tool ${name}`)
      const stop = new AbortController()
      const progress: unknown[] = []
      const call: ToolCall = {
        id: `tc_${randomHex()}`,
        sessionId: session.id,
        turnId: 'turn',
        signal: stop.signal,
        risk: tool.risk,
        progress: (report) => progress.push(report),
        ...more,
      }
      return { id: call.id, outcome: tool.execute(args, call), abort: (reason) => stop.abort(reason), progress }
    },
  }
  return session
}

function createScriptedTurn(input: UserInput): ScriptedTurn {
  const events: TurnEvent[] = []
  let wake: (() => void) | undefined
  let cancelledWith: string | undefined
  const ended = Promise.withResolvers<'complete'>()
  const turn: ScriptedTurn = {
    id: randomHex(),
    input,
    ended: ended.promise,
    get cancelledWith() {
      return cancelledWith
    },
    emit(event) {
      events.push(event)
      wake?.()
    },
    cancel(reason = '') {
      if (cancelledWith !== undefined) return
      cancelledWith = reason
      turn.emit({ type: 'end', reason: 'cancelled' })
    },
    truncate() {},
    confirm: () => true,
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index++) {
        while (events[index] === undefined) await new Promise<void>((resolve) => (wake = resolve))
        const event = events[index] as TurnEvent
        yield event
        if (event.type === 'end') {
          ended.resolve('complete')
          return
        }
      }
    },
  }
  return turn
}
