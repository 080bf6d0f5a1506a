import type { AssistantPart, ModelMessage, ToolResultPart } from '@domos/spec'
import { jsonBytes } from './json-values.ts'
import { showOutcome } from './result-text.ts'

/**
 * A conversation that every provider accepts: a person's message, then the assistant; every assistant message with calls is
 * followed by exactly one result for each. It is cut at its beginning only, and only in front of a person's message.
 */
export interface History {
  readonly messages: readonly ModelMessage[]
  addUser(text: string): ModelMessage
  /** Adds an assistant's message; calls must be followed by {@link addResults}. */
  addAssistant(parts: readonly AssistantPart[]): ModelMessage
  addResults(results: readonly ToolResultPart[]): ModelMessage
  /** Puts a message of the same role in the place of one; false when that one is not there any more. */
  replace(message: ModelMessage, by: ModelMessage): boolean
  /** Takes the newest message back, if it is this one: it was never said. */
  takeBack(message: ModelMessage): void
}

/** The number of bytes of a message as a model is sent it: of a result only its text counts. */
export function messageBytes(message: ModelMessage): number {
  if (message.role !== 'tool') {
    return message.role === 'user'
      ? jsonBytes(message.parts.map((part) => part.text)) + 64
      : jsonBytes(message.parts) + 64
  }
  return message.results.reduce(
    (sum, result) => sum + jsonBytes(result.text) + jsonBytes(result.callId) + result.name.length + 64,
    64,
  )
}

/** What is kept of a result that is not of the last step, when room is short. */
export const OLD_RESULT_BYTES = 1_024

/** The same message with each result cut to `maxBytes`. */
export function shortenResults(message: ToolMessage, maxBytes: number): ToolMessage {
  return {
    role: 'tool',
    results: message.results.map((result) =>
      jsonBytes(result.text) <= maxBytes ? result : { ...result, ...showOutcome(result.outcome, maxBytes) },
    ),
  }
}

type ToolMessage = Extract<ModelMessage, { readonly role: 'tool' }>

/** Makes a history bounded by a number of messages and of bytes; the newest exchange always stays. */
export function createHistory(
  bounds: { readonly maxMessages: number; readonly maxBytes: number },
  loaded: readonly ModelMessage[] = [],
): History {
  const messages: ModelMessage[] = [...loaded]
  const sizes: number[] = loaded.map(messageBytes)
  let bytes = sizes.reduce((sum, size) => sum + size, 0)

  function add(message: ModelMessage): ModelMessage {
    const size = messageBytes(message)
    messages.push(message)
    sizes.push(size)
    bytes += size
    if (message.role === 'user') trim()
    return message
  }

  // Results of earlier exchanges were read once; their beginning is kept longer than whole exchanges are.
  function shortenOld(): void {
    for (const [index, message] of messages.entries()) {
      if (bytes <= bounds.maxBytes) return
      if (message.role !== 'tool') continue
      const shorter = shortenResults(message, OLD_RESULT_BYTES)
      bytes -= sizes[index] ?? 0
      sizes[index] = messageBytes(shorter)
      bytes += sizes[index] ?? 0
      messages[index] = shorter
    }
  }

  function trim(): void {
    shortenOld()
    while (messages.length > bounds.maxMessages || bytes > bounds.maxBytes) {
      const next = messages.findIndex((message, index) => index > 0 && message.role === 'user')
      if (next < 0) return
      messages.splice(0, next)
      for (const size of sizes.splice(0, next)) bytes -= size
    }
  }

  return {
    messages,
    addUser: (text) => add({ role: 'user', parts: [{ type: 'text', text }] }),
    addAssistant: (parts) => add({ role: 'assistant', parts }),
    addResults: (results) => add({ role: 'tool', results }),
    replace(message, by) {
      const index = messages.indexOf(message)
      if (index < 0) return false
      messages[index] = by
      bytes -= sizes[index] ?? 0
      sizes[index] = messageBytes(by)
      bytes += sizes[index] ?? 0
      return true
    },
    takeBack(message) {
      if (messages.at(-1) !== message) return
      messages.pop()
      bytes -= sizes.pop() ?? 0
    },
  }
}
