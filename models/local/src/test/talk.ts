import type { JsonObject, ModelMessage, ModelPart, PageContext, ToolDeclaration, ToolOutcome } from '@domos/spec'
import { createLocalModel } from '../local-model.ts'

/** 2027-03-03, a Wednesday, 10:00 UTC. */
export const NOW = Date.UTC(2027, 2, 3, 10)

/** A call the model made. */
export interface MadeCall {
  readonly name: string
  readonly args: unknown
}

/** A conversation with the model over its public interface: a turn loop as small as possible. */
export interface Talk {
  /** Says something; resolves when the model stops calling tools. */
  say(text: string): Promise<{
    readonly calls: readonly MadeCall[]
    readonly text: string /** Said before calls. */
    readonly notes: string
  }>
  setTools(tools: readonly ToolDeclaration[]): void
  setContext(context: PageContext | undefined): void
  readonly messages: readonly ModelMessage[]
}

/** Opens a conversation. `run` answers calls. */
export function openTalk(options: {
  readonly tools: readonly ToolDeclaration[]
  readonly context?: PageContext
  readonly run?: (name: string, args: JsonObject) => ToolOutcome
}): Talk {
  const model = createLocalModel({ now: () => NOW })
  const messages: ModelMessage[] = []
  let tools = options.tools
  let context = options.context
  let calls = 0
  return {
    messages,
    setTools: (next) => {
      tools = next
    },
    setContext: (next) => {
      context = next
    },
    async say(text) {
      messages.push({
        role: 'user',
        parts: [
          ...(context ? [{ type: 'page-context' as const, text: JSON.stringify(context), context }] : []),
          { type: 'text', text },
        ],
      })
      const made: MadeCall[] = []
      let notes = ''
      for (let round = 0; round < 12; round++) {
        const parts: ModelPart[] = []
        for await (const part of model.stream({ system: '', messages, tools }, new AbortController().signal))
          parts.push(part)
        const call = parts.find((part) => part.type === 'tool-call')
        if (!call) {
          const answer = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('')
          messages.push({ role: 'assistant', parts: [{ type: 'text', text: answer }] })
          return { calls: made, text: answer, notes }
        }
        const note = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('')
        notes += note
        made.push({ name: call.name, args: call.args })
        const callId = `call_${++calls}`
        const args = call.args as JsonObject
        const outcome = options.run?.(call.name, args) ?? { type: 'success', value: { ok: true } }
        messages.push({
          role: 'assistant',
          parts: [
            ...(note === '' ? [] : [{ type: 'text' as const, text: note }]),
            { type: 'tool-call', callId, name: call.name, args },
          ],
        })
        messages.push({ role: 'tool', results: [{ callId, name: call.name, outcome, text: JSON.stringify(outcome) }] })
      }
      throw new Error('the model did not stop calling tools')
    },
  }
}
