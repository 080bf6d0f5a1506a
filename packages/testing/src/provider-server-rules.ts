import type { ProviderApi } from './provider-server-types.ts'

/** Why a provider would refuse a body; `path` is the place as that provider spells it. */
export interface ProviderRefusal {
  readonly message: string
  readonly path?: string
}

type Fields = Readonly<Record<string, unknown>>

const OPENAI_TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const ANTHROPIC_TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const GOOGLE_TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

/** Checks a body by the rules that providers enforce and that clients break most often. */
export function refuseBody(api: ProviderApi, body: Fields): ProviderRefusal | undefined {
  switch (api) {
    case 'openai-chat':
      return refuseChat(body)
    case 'openai-responses':
      return refuseResponses(body)
    case 'anthropic':
      return refuseAnthropic(body)
    case 'google':
      return refuseGoogle(body)
  }
}

function refuseChat(body: Fields): ProviderRefusal | undefined {
  if (typeof body.model !== 'string') return { message: 'you must provide a model parameter' }
  const messages = objects(body.messages)
  if (messages.length === 0) return { message: "Invalid 'messages': empty array.", path: 'messages' }
  for (const [index, tool] of objects(body.tools).entries()) {
    const refusal = refuseName(fields(tool.function).name, OPENAI_TOOL_NAME, `tools[${index}].function.name`)
    if (refusal) return refusal
  }
  const twice = duplicate(objects(body.tools).map((tool) => fields(tool.function).name))
  if (twice !== undefined) return { message: `Duplicate function name: '${twice}'.`, path: 'tools' }
  return refuseChatOrder(messages)
}

/** Each call has exactly one answer, directly behind the message that made it. */
function refuseChatOrder(messages: readonly Fields[]): ProviderRefusal | undefined {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = String(message.tool_call_id)
      if (!open.delete(id)) {
        return {
          message: `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`,
          path: `messages.[${index}].role`,
        }
      }
      continue
    }
    if (open.size > 0) return unanswered(open, index)
    open = new Set(objects(message.tool_calls).map((call) => String(call.id)))
    if (message.role === 'assistant' && open.size === 0 && !hasContent(message.content)) {
      return {
        message: `Invalid value for 'content': expected a string, got null.`,
        path: `messages.[${index}].content`,
      }
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined
}

function unanswered(open: ReadonlySet<string>, index: number): ProviderRefusal {
  return {
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    path: `messages.[${index}].role`,
  }
}

function refuseResponses(body: Fields): ProviderRefusal | undefined {
  if (typeof body.model !== 'string') return { message: "Missing required parameter: 'model'.", path: 'model' }
  const input = objects(body.input)
  if (input.length === 0) return { message: "Missing required parameter: 'input'.", path: 'input' }
  for (const [index, tool] of objects(body.tools).entries()) {
    if (tool.type !== 'function') continue
    const refusal = refuseName(tool.name, OPENAI_TOOL_NAME, `tools[${index}].name`)
    if (refusal) return refusal
  }
  const twice = duplicate(objects(body.tools).map((tool) => tool.name))
  if (twice !== undefined) return { message: `Duplicate function name: '${twice}'.`, path: 'tools' }
  const calls = new Set<string>()
  for (const item of input) {
    if (item.type === 'function_call') calls.add(String(item.call_id))
    else if (item.type === 'function_call_output') {
      if (!calls.delete(String(item.call_id))) {
        return {
          message: `No tool call found for function call output with call_id ${String(item.call_id)}.`,
          path: 'input',
        }
      }
    } else if (calls.size > 0) break
  }
  const left = [...calls][0]
  return left === undefined ? undefined : { message: `No tool output found for function call ${left}.`, path: 'input' }
}

function refuseAnthropic(body: Fields): ProviderRefusal | undefined {
  if (typeof body.max_tokens !== 'number') return { message: 'max_tokens: Field required' }
  const messages = objects(body.messages)
  if (messages.length === 0) return { message: 'messages: at least one message is required' }
  if (messages[0]?.role !== 'user') return { message: 'messages: first message must use the "user" role' }
  for (const [index, tool] of objects(body.tools).entries()) {
    if (typeof tool.name !== 'string' || !ANTHROPIC_TOOL_NAME.test(tool.name)) {
      return { message: `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` }
    }
    if (fields(tool.input_schema).type !== 'object')
      return { message: `tools.${index}.custom.input_schema.type: Field required` }
  }
  const twice = duplicate(objects(body.tools).map((tool) => tool.name))
  if (twice !== undefined) return { message: `tools: Tool names must be unique.` }
  return refuseAnthropicOrder(messages)
}

function refuseAnthropicOrder(messages: readonly Fields[]): ProviderRefusal | undefined {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const blocks = objects(message.content)
    if (typeof message.content !== 'string' && blocks.length === 0)
      return { message: `messages.${index}: all messages must have non-empty content` }
    if (blocks.some((block) => block.type === 'text' && block.text === ''))
      return { message: `messages.${index}: text content blocks must be non-empty` }
    for (const block of blocks.filter((entry) => entry.type === 'tool_result')) {
      if (!open.delete(String(block.tool_use_id))) {
        return {
          message: `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(block.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        }
      }
    }
    if (open.size > 0) return unpaired(open, index - 1)
    open = new Set(blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.id)))
  }
  return open.size > 0 ? unpaired(open, messages.length - 1) : undefined
}

function unpaired(open: ReadonlySet<string>, index: number): ProviderRefusal {
  return {
    message: `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  }
}

function refuseGoogle(body: Fields): ProviderRefusal | undefined {
  const contents = objects(body.contents)
  if (contents.length === 0) return { message: '* GenerateContentRequest.contents: contents is not specified' }
  for (const tool of objects(body.tools)) {
    for (const [index, declaration] of objects(tool.functionDeclarations).entries()) {
      if (typeof declaration.name !== 'string' || !GOOGLE_TOOL_NAME.test(declaration.name)) {
        return {
          message: `* GenerateContentRequest.tools[0].function_declarations[${index}].name: Invalid function name. Must start with a letter or an underscore.`,
        }
      }
    }
  }
  for (const [index, content] of contents.entries()) {
    const calls = objects(content.parts).filter((part) => part.functionCall !== undefined).length
    const answers = objects(contents[index + 1]?.parts).filter((part) => part.functionResponse !== undefined).length
    if (calls > 0 && calls !== answers) {
      return {
        message:
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      }
    }
  }
  return undefined
}

function refuseName(name: unknown, pattern: RegExp, path: string): ProviderRefusal | undefined {
  if (typeof name !== 'string' || name === '') return { message: `Missing required parameter: '${path}'.`, path }
  if (name.length > 64)
    return {
      message: `Invalid '${path}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`,
      path,
    }
  if (!pattern.test(name))
    return {
      message: `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      path,
    }
  return undefined
}

function duplicate(names: readonly unknown[]): string | undefined {
  const seen = new Set<unknown>()
  for (const name of names) {
    if (seen.has(name)) return String(name)
    seen.add(name)
  }
  return undefined
}

function hasContent(content: unknown): boolean {
  return (typeof content === 'string' && content !== '') || (Array.isArray(content) && content.length > 0)
}

/** The entries of a list that are objects. */
export function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value)
    ? value.filter((entry): entry is Fields => typeof entry === 'object' && entry !== null)
    : []
}

/** The value as an object; an empty one when it is none. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
