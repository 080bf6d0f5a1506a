import type { ProviderRequest } from '@domos/testing/provider-server'

/** One tool result as the model was given it. */
export interface SeenResult {
  readonly callId: string
  readonly text: string
}

interface ChatMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_call_id?: unknown
  readonly tool_calls?: readonly { readonly id?: unknown }[]
}

/** The tool results of a chat-completions request, in order. */
export function resultsOf(request: ProviderRequest): readonly SeenResult[] {
  return messagesOf(request)
    .filter((message) => message.role === 'tool')
    .map((message) => ({
      callId: String(message.tool_call_id),
      text: typeof message.content === 'string' ? message.content : JSON.stringify(message.content),
    }))
}

/** Whether every call of the request is answered by exactly one result, directly after it. */
export function callsAreAnswered(request: ProviderRequest): boolean {
  const messages = messagesOf(request)
  for (const [index, message] of messages.entries()) {
    const calls = message.tool_calls ?? []
    if (calls.length === 0) continue
    const answers = messages.slice(index + 1, index + 1 + calls.length)
    const answered = new Set(answers.filter((answer) => answer.role === 'tool').map((answer) => answer.tool_call_id))
    if (answered.size !== calls.length || !calls.every((call) => answered.has(call.id))) return false
    if (messages[index + 1 + calls.length]?.role === 'tool') return false
  }
  return true
}

function messagesOf(request: ProviderRequest): readonly ChatMessage[] {
  const { messages } = request.body
  return Array.isArray(messages) ? (messages as ChatMessage[]) : []
}
