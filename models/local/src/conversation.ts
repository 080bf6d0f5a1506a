import type { JsonObject, ModelMessage, PageContext, ToolOutcome, UserPart } from '@domos/spec'

/** A call that was made and how it ended. */
export interface Step {
  readonly name: string
  readonly args: JsonObject
  /** Absent where the conversation holds no result for the call. */
  readonly outcome: ToolOutcome | undefined
}

/** What a person said and all that followed. */
export interface PastTurn {
  readonly utterance: string
  readonly context: PageContext | undefined
  readonly steps: readonly Step[]
  /** What we said, all text of the turn joined. */
  readonly reply: string
}

/** Reads the messages as turns, oldest first. A tool call is paired with its result by its id. */
export function readTurns(messages: readonly ModelMessage[]): PastTurn[] {
  const outcomes = new Map<string, ToolOutcome>()
  for (const message of messages) {
    if (message.role === 'tool') for (const result of message.results) outcomes.set(result.callId, result.outcome)
  }
  const turns: { utterance: string; context: PageContext | undefined; steps: Step[]; reply: string }[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
      const context = mergeContexts(message.parts)
      const last = turns.at(-1)
      if (text.trim() === '' && last) {
        // Context that came in the middle of a turn belongs to that turn.
        if (context) last.context = context
        continue
      }
      turns.push({ utterance: text, context, steps: [], reply: '' })
    } else if (message.role === 'assistant') {
      const turn = turns.at(-1)
      for (const part of message.parts) {
        if (part.type === 'text') {
          if (turn) turn.reply += part.text
        } else turn?.steps.push({ name: part.name, args: part.args, outcome: outcomes.get(part.callId) })
      }
    }
  }
  return turns
}

/** Several pages may be in one session; the newest is last, and its words win. */
function mergeContexts(parts: readonly UserPart[]): PageContext | undefined {
  const pages = parts.flatMap((part) => (part.type === 'page-context' ? [part.context] : []))
  const newest = pages.at(-1)
  if (!newest || pages.length === 1) return newest
  return { ...newest, data: Object.assign({}, ...pages.map((page) => page.data ?? {})) as JsonObject }
}
