import type {
  ApprovalDecision,
  ApprovalRequest,
  Clock,
  JsonObject,
  LanguageModel,
  ModelMessage,
  ModelPart,
  ModelRequest,
  SessionMember,
  Tool,
  ToolCall,
  ToolExecution,
  Turn,
  TurnEvent,
} from '@domos/spec'
import { type AgentOptions, createAgent } from '../agent.ts'
import type { AgentSession } from '../session.ts'

/** A clock that stands still until a test turns it. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>
  readonly timers: number
}

export function createFakeClock(): FakeClock {
  let now = 1_700_000_000_000
  let order = 0
  const timers = new Map<number, { at: number; task: () => void }>()
  return {
    now: () => now,
    schedule(delayMs, task) {
      order += 1
      const id = order
      timers.set(id, { at: now + delayMs, task })
      return () => timers.delete(id)
    },
    get timers() {
      return timers.size
    },
    async advance(ms) {
      const until = now + ms
      for (;;) {
        await flush()
        const due = [...timers.entries()]
          .filter(([, timer]) => timer.at <= until)
          .sort(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].task()
      }
      now = until
      await flush()
    },
  }
}

/** Lets everything run that needs no clock, Web Crypto included. */
export async function flush(): Promise<void> {
  for (let round = 0; round < 8; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Lets everything run until something holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** One scripted answer: parts, or a function that gives them, or a thrown value. */
export type Script = readonly ModelPart[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>)

export interface ScriptedModel extends LanguageModel {
  readonly requests: ModelRequest[]
  readonly signals: AbortSignal[]
}

export function scriptedModel(...scripts: Script[]): ScriptedModel {
  const requests: ModelRequest[] = []
  const signals: AbortSignal[] = []
  return {
    id: 'test/scripted',
    embedded: true,
    requests,
    signals,
    async *stream(request, signal) {
      requests.push(structuredClone(request))
      signals.push(signal)
      const script = scripts[requests.length - 1] ?? text('(script ended)')
      if (typeof script === 'function') yield* script(request, signal)
      else yield* script
    },
  }
}

export function text(value: string): readonly ModelPart[] {
  return [
    { type: 'text-delta', text: value },
    { type: 'finish', reason: 'stop' },
  ]
}

export function calls(...wanted: readonly [string, JsonObject?, string?][]): readonly ModelPart[] {
  return [
    ...wanted.map(
      ([name, args, id], index): ModelPart => ({
        type: 'tool-call',
        callId: id ?? `m${index + 1}`,
        name,
        args: args ?? {},
      }),
    ),
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** A tool whose calls a test answers by hand. */
export interface ManualTool extends Tool {
  readonly calls: { readonly args: JsonObject; readonly call: ToolCall; answer(execution: ToolExecution): void }[]
}

export function manualTool(declaration: Partial<Tool> & { name: string }): ManualTool {
  const made: ManualTool['calls'] = []
  return {
    description: `The tool ${declaration.name}`,
    risk: 'none',
    ...declaration,
    calls: made,
    execute(args, call) {
      return new Promise((resolve) => made.push({ args, call, answer: resolve }))
    },
  }
}

export function instantTool(
  declaration: Partial<Tool> & { name: string },
  value: ToolExecution = success({ ok: true }),
): Tool {
  return {
    description: `The tool ${declaration.name}`,
    risk: 'none',
    execute: async (_args, call) => ({ ...value, ...(call.ticket === undefined ? {} : { ticket: call.ticket }) }),
    ...declaration,
  }
}

export function success(value: JsonObject): ToolExecution {
  return { type: 'success', value }
}

/** A member with a person whose decisions a test makes by hand. */
export interface ManualMember extends SessionMember {
  readonly asked: {
    readonly request: ApprovalRequest
    readonly signal: AbortSignal
    decide(decision: Partial<ApprovalDecision>): void
  }[]
  readonly notices: string[]
  readonly turns: Turn[]
}

export function manualMember(id: string, canApprove = true): ManualMember {
  const asked: ManualMember['asked'] = []
  const notices: string[] = []
  const turns: Turn[] = []
  return {
    id,
    door: 'adtp',
    asked,
    notices,
    turns,
    ...(canApprove
      ? {
          approver: {
            ask: (request: ApprovalRequest, signal: AbortSignal) =>
              new Promise<ApprovalDecision>((resolve) =>
                asked.push({
                  request,
                  signal,
                  decide: (decision) =>
                    resolve({ approved: false, digest: request.digest, by: 'overlay', ...decision }),
                }),
              ),
          },
        }
      : {}),
    onNotice: (notice) => notices.push(notice.code),
    onTurn: (turn) => turns.push(turn),
  }
}

/** Everything a turn said, read to the end. */
export async function readAll(turn: Turn): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

export interface World {
  readonly clock: FakeClock
  readonly model: ScriptedModel
  readonly session: AgentSession
  readonly agent: ReturnType<typeof createAgent>
  readonly page: ManualMember
}

export async function openWorld(
  model: ScriptedModel,
  options: Partial<AgentOptions> = {},
  canApprove = true,
): Promise<World> {
  const clock = createFakeClock()
  const agent = createAgent({ model, clock, ...options })
  const principal = await agent.authenticate({ door: 'adtp' })
  const session = await agent.openSession(principal, { door: 'adtp' })
  const page = manualMember('page', canApprove)
  session.join(page)
  return { clock, model, session, agent, page }
}

/** Throws unless a conversation keeps the rules every provider has. */
export function assertValid(messages: readonly ModelMessage[]): void {
  const ids = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]
    const before = messages[index - 1]
    if (index === 0 && message.role !== 'user') throw new Error(`begins with ${message.role}`)
    if (message.role === 'user' && before?.role === 'user') throw new Error('two user messages in a row')
    if (message.role === 'assistant') {
      if (before?.role === 'assistant') throw new Error('two assistant messages in a row')
      if (message.parts.length === 0) throw new Error('an empty assistant message')
      const wanted = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      for (const id of wanted) {
        if (ids.has(id)) throw new Error(`call id ${id} twice`)
        ids.add(id)
      }
      const answered = next?.role === 'tool' ? next.results.map((result) => result.callId) : []
      if (wanted.join() !== answered.join()) throw new Error(`calls ${wanted.join()} answered by ${answered.join()}`)
    }
    if (message.role === 'tool' && before?.role !== 'assistant') throw new Error('results without calls')
  }
}

export function resultsOf(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.results.map((r) => r.text) : [],
  )
}
