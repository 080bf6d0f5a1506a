import type { AssistantPart, ModelMessage, ToolResultPart, TurnEndReason } from '@domos/spec'
import { toDomosError } from '@domos/spec'
import type { Gate } from './gate.ts'
import type { History } from './history.ts'
import { randomHex } from './ids.ts'
import { isJsonObject, toJson } from './json-values.ts'
import { askModel, type ModelAnswer, type ModelCallContext, type WantedCall } from './model-call.ts'
import { buildModelRequest } from './model-request.ts'
import { failure } from './outcomes.ts'
import type { ContextStore } from './page-context.ts'
import { showOutcome } from './result-text.ts'
import { createSaidText, type SaidText } from './said-text.ts'
import type { AgentSentences } from './sentences.ts'
import { SPOKEN_HINT } from './system-prompt.ts'
import type { ToolNames } from './tool-names.ts'
import type { SessionTools } from './tool-registry.ts'
import type { RunningTurn } from './turn.ts'

/** What a turn needs from its session. */
export interface TurnContext extends ModelCallContext {
  readonly history: History
  readonly gate: Gate
  readonly tools: SessionTools
  readonly names: ToolNames
  readonly context: ContextStore
  readonly system: string
  readonly sentences: AgentSentences
  readonly language?: string
  /** Takes what the person wrote meanwhile, if a waiting approval was withdrawn for it. */
  takeRedirect(): string | undefined
  saveMessage(message: ModelMessage): void
  /** A saved message turned out to be another one. */
  replaceSaved(message: ModelMessage, by: ModelMessage): void
  /** How many tools did not fit into the request. */
  toolsLeftOut(count: number): void
}

/**
 * Runs one turn to its end: ask the model, run its calls side by side, give it the results, until it answers without calls. It
 * ends with exactly one `end`, whatever fails, and leaves a valid conversation behind. Never rejects.
 */
export async function runTurn(context: TurnContext, turn: RunningTurn): Promise<TurnEndReason> {
  let reason: TurnEndReason = 'failed'
  const asked = context.history.addUser(turn.input.text)
  const said = createSaidText(context.sentences.stoppedAnswer)
  turn.onTruncate = () => {
    for (const { message, by } of said.cut(turn.heardChars ?? 0)) {
      context.history.replace(message, by)
      context.replaceSaved(message, by)
    }
  }
  try {
    const begin = (): void => {
      context.gate.personSpoke()
      remember(context, asked)
    }
    if (turn.isCertain) begin()
    else void turn.certain.then((isCertain) => isCertain && begin())
    reason = await loop(context, turn, said)
  } catch (thrown) {
    turn.emit({ type: 'error', code: toDomosError(thrown).code, message: 'The turn failed inside the server.' })
  }
  if (!turn.isCertain) {
    context.history.takeBack(asked)
    turn.end(reason)
    return reason
  }
  const last = context.history.messages.at(-1)
  if (last !== undefined && last.role !== 'assistant') {
    const placeholder = reason === 'cancelled' ? context.sentences.stoppedAnswer : context.sentences.failedAnswer
    remember(context, context.history.addAssistant([{ type: 'text', text: placeholder }]))
  }
  turn.end(reason)
  return reason
}

async function loop(context: TurnContext, turn: RunningTurn, said: SaidText): Promise<TurnEndReason> {
  const { limits, sentences } = context
  let needsBreak = false
  const show = (text: string): void => {
    said.shown(text)
    turn.emit({ type: 'text-delta', text })
  }
  const say = (text: string): void => store(context, turn, said, [{ type: 'text', text }])
  for (let step = 1; ; step += 1) {
    const { request, toolsLeftOut } = buildModelRequest({
      system: turn.input.modality === 'audio' ? `${context.system}\n\n${SPOKEN_HINT}` : context.system,
      messages: context.history.messages,
      tools: context.tools.list(),
      names: context.names,
      context: context.context,
      limits,
      ...(context.language === undefined ? {} : { language: context.language }),
    })
    context.toolsLeftOut(toolsLeftOut)
    const answer = await askModel(context, request, turn.signal, (text) => {
      // Words of two model answers must not run into each other.
      if (needsBreak && !/^\s/.test(text)) show('\n')
      needsBreak = false
      show(text)
    })
    needsBreak = needsBreak || /\S$/.test(answer.text)
    // Nothing takes effect before it is certain that this was said.
    if (answer.error === undefined) await turn.certain
    if (turn.signal.aborted || answer.error !== undefined) return breakOff(turn, answer, say)
    if (answer.calls.length === 0) {
      if (answer.text.trim() === '') show(sentences.emptyAnswer)
      say(answer.text.trim() === '' ? sentences.emptyAnswer : answer.text)
      return 'complete'
    }
    turn.step('calls-wanted')
    const last = step >= limits.stepsPerTurnMax
    await act(context, turn, said, answer, last)
    const redirect = context.takeRedirect()
    if (redirect !== undefined && !turn.signal.aborted) {
      turn.step('redirected')
      context.gate.personSpoke()
      remember(context, context.history.addUser(redirect))
      step = 0
    }
    turn.step('results-in')
    if (turn.signal.aborted) return 'cancelled'
    if (last && redirect === undefined) {
      show(sentences.stepLimit)
      say(sentences.stepLimit)
      return 'step-limit'
    }
  }
}

/** The model failed or the turn was cancelled in the middle of an answer: what was said stays, its calls never ran. */
function breakOff(turn: RunningTurn, answer: ModelAnswer, say: (text: string) => void): TurnEndReason {
  if (turn.isCertain && answer.text.trim() !== '') say(answer.text)
  if (turn.signal.aborted) return 'cancelled'
  const { error } = answer
  const retryAfterMs = error?.details['retryAfterMs']
  turn.emit({
    type: 'error',
    code: error?.code ?? 'model_failed',
    message: error?.message ?? 'The language model failed.',
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  })
  return 'failed'
}

async function act(
  context: TurnContext,
  turn: RunningTurn,
  said: SaidText,
  answer: ModelAnswer,
  refuseAll: boolean,
): Promise<void> {
  const calls = withUniqueIds(answer.calls, context.history.messages)
  const parts: AssistantPart[] = answer.text.trim() === '' ? [] : [{ type: 'text', text: answer.text }]
  for (const call of calls) {
    // Arguments that are no object would break the replay of the conversation at most providers.
    const args = toJson(call.args)
    parts.push({ type: 'tool-call', callId: call.callId, name: call.name, args: isJsonObject(args) ? args : {} })
  }
  const results = await Promise.all(calls.map((call, index) => runCall(context, turn, call, index, refuseAll)))
  // Both at once, so that nobody ever sees a call without its result.
  store(context, turn, said, parts)
  remember(context, context.history.addResults(results))
}

async function runCall(
  context: TurnContext,
  turn: RunningTurn,
  call: WantedCall,
  index: number,
  refuseAll: boolean,
): Promise<ToolResultPart> {
  const { limits } = context
  const name = context.names.nameOf(call.name) ?? call.name
  const show = (outcome: Parameters<typeof showOutcome>[0]): ToolResultPart => ({
    callId: call.callId,
    name: call.name,
    ...showOutcome(outcome, limits.toolResultMaxBytes),
  })
  if (refuseAll) return show(failure('cancelled', 'The step limit of this turn is reached; the tool did not run.'))
  if (index >= limits.toolCallsPerStepMax) {
    return show(failure('unavailable', `Only ${limits.toolCallsPerStepMax} calls run at once; this one did not run.`))
  }
  const { callId, outcome } = await context.gate.call({
    name,
    args: call.args,
    ...(call.invalid === undefined ? {} : { invalid: call.invalid }),
    turnId: turn.id,
    signal: turn.signal,
    onCall: (made) =>
      turn.emit({ type: 'tool-call', callId: made.id, name: made.name, args: made.args, risk: made.risk }),
    onProgress: (id, { fraction, message }) =>
      turn.emit({
        type: 'tool-progress',
        callId: id,
        ...(fraction === undefined ? {} : { fraction }),
        ...(message === undefined ? {} : { message }),
      }),
  })
  turn.emit({ type: 'tool-result', callId, name, outcome })
  return show(outcome)
}

/** Providers may repeat an id in a later answer, or leave it out; in one conversation every call needs its own. */
function withUniqueIds(calls: readonly WantedCall[], messages: readonly ModelMessage[]): readonly WantedCall[] {
  const taken = new Set<string>()
  for (const message of messages)
    if (message.role === 'tool') for (const result of message.results) taken.add(result.callId)
  return calls.map((call) => {
    const callId = call.callId === '' || taken.has(call.callId) ? `call_${randomHex(8)}` : call.callId
    taken.add(callId)
    return { ...call, callId }
  })
}

/** Adds an assistant's message, as far as it was heard. */
function store(context: TurnContext, turn: RunningTurn, said: SaidText, parts: readonly AssistantPart[]): void {
  let message = context.history.addAssistant(parts)
  said.stored(message)
  if (turn.heardChars !== undefined) {
    for (const cut of said.cut(turn.heardChars)) {
      context.history.replace(cut.message, cut.by)
      if (cut.message === message) message = cut.by
      else context.replaceSaved(cut.message, cut.by)
    }
  }
  remember(context, message)
}

function remember(context: TurnContext, message: ModelMessage): void {
  context.saveMessage(message)
}
