import { DomosError, type LanguageModel, type ModelPart, type ModelRequest } from '@domos/spec'
import { plan } from './planner.ts'

/** Options of {@link createLocalModel}. */
export interface LocalModelOptions {
  /** Epoch milliseconds; what "tomorrow" counts from. @default Date.now */
  readonly now?: () => number
}

/**
 * The embedded language model `local/planner`: no key, no network, no model file. It ranks the live tools by their
 * names and descriptions, fills arguments from the sentence, the page and earlier results, asks when a required one is
 * missing, and tells what came of it. It reads English; it keeps no state, the conversation is in the request.
 */
export function createLocalModel(options: LocalModelOptions = {}): LanguageModel {
  const now = options.now ?? (() => Date.now())
  return {
    id: 'local/planner',
    embedded: true,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
      throwIfAborted(signal)
      const next = plan(request, now())
      if (next.type === 'call') {
        if (next.note !== undefined) yield { type: 'text-delta', text: next.note }
        yield { type: 'tool-call', callId: nextCallId(request), name: next.name, args: next.args }
        yield { type: 'finish', reason: 'tool-calls' }
        return
      }
      for (const piece of next.text.match(/\S+\s*/g) ?? []) {
        throwIfAborted(signal)
        yield { type: 'text-delta', text: piece }
        // Lets the reader of the stream send each piece before the next one is made.
        await Promise.resolve()
      }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}

/** Ids count the calls of a conversation, so that the same request gives the same answer. */
function nextCallId(request: ModelRequest): string {
  const used = new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
        : [],
    ),
  )
  let count = used.size + 1
  while (used.has(`local_${count}`)) count++
  return `local_${count}`
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DomosError('cancelled', 'The turn was cancelled.')
}
