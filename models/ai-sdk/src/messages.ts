import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart } from '@domos/spec'

/** Gives a request as the provider interface wants it. Page context stays in the user's message, never in the system's. */
export function toPrompt(request: ModelRequest): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  return [...prompt, ...request.messages.flatMap(toMessages)]
}

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>

/** Messages without content are left out: providers refuse empty ones. */
function toMessages(message: ModelMessage): LanguageModelV4Message[] {
  switch (message.role) {
    case 'user': {
      const content = message.parts.flatMap((part) =>
        part.text === '' ? [] : [{ type: 'text' as const, text: part.text }],
      )
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const content = message.parts.flatMap((part): Assistant['content'] => {
        // Anthropic refuses text blocks of nothing but white space.
        if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
        return [{ type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: part.args }]
      })
      return content.length === 0 ? [] : [{ role: 'assistant', content }]
    }
    case 'tool':
      return message.results.length === 0 ? [] : [{ role: 'tool', content: message.results.map(toResult) }]
  }
}

function toResult(result: ToolResultPart): Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number] {
  return {
    type: 'tool-result',
    toolCallId: result.callId,
    toolName: result.name,
    output: { type: result.outcome.type === 'success' ? 'text' : 'error-text', value: result.text },
  }
}

/** Gives the tools; a tool without a schema takes any object. */
export function toTools(tools: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    // Providers want an object schema at the top; a JSON Schema document is plain JSON either way.
    inputSchema: { type: 'object', properties: {}, ...tool.parameters } as LanguageModelV4FunctionTool['inputSchema'],
  }))
}
