import type { JsonSchema, JsonValue, ModelMessage, ModelRequest, ToolDeclaration, UserPart } from '@domos/spec'
import { parseRisk } from '@domos/spec'
import { messageBytes, OLD_RESULT_BYTES, shortenResults } from './history.ts'
import { isJsonArray, isJsonObject, jsonBytes } from './json-values.ts'
import type { AgentLimits } from './limits.ts'
import type { ContextStore } from './page-context.ts'
import type { ToolNames } from './tool-names.ts'
import { isServerOwner, type RegisteredTool } from './tool-registry.ts'
import { singleLine } from './untrusted-text.ts'

/** What a request is made from. */
export interface RequestSources {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly RegisteredTool[]
  readonly names: ToolNames
  readonly context: ContextStore
  readonly limits: AgentLimits
  readonly language?: string
}

/** A request that fits, and what had to be left out for it. */
export interface BuiltRequest {
  readonly request: ModelRequest
  readonly toolsLeftOut: number
}

/** What a provider's own framing adds per message and tool, generously. */
const ENVELOPE_BYTES = 4_096

/**
 * Puts one request together within `requestMaxBytes`: instructions, tools, the conversation, and the page context at the
 * newest message of the person (older ones carry none). When it is too much, older results are cut first, then older exchanges
 * are left out, then the page context shrinks, then the newest results.
 */
export function buildModelRequest(sources: RequestSources): BuiltRequest {
  const { limits, names, language } = sources
  const { tools, leftOut } = offerTools(sources.tools, names, limits)
  const fixed = ENVELOPE_BYTES + jsonBytes(sources.system) + jsonBytes(tools)
  const room = Math.max(2_048, limits.requestMaxBytes - fixed)
  const contextRoom = Math.min(limits.contextMaxBytes + 4_096, Math.floor(room / 2))
  const parts = sources.context.render(contextRoom)
  const messages = fitMessages(sources.messages, room - parts.reduce((sum, part) => sum + jsonBytes(part.text), 0))
  return {
    request: {
      system: sources.system,
      messages: attachContext(messages, parts),
      tools,
      ...(language === undefined ? {} : { language }),
    },
    toolsLeftOut: leftOut,
  }
}

function attachContext(messages: readonly ModelMessage[], parts: readonly UserPart[]): readonly ModelMessage[] {
  const newest = messages.findLastIndex((message) => message.role === 'user')
  return messages.map((message, index) =>
    index === newest && message.role === 'user' ? { role: 'user', parts: [...parts, ...message.parts] } : message,
  )
}

function fitMessages(all: readonly ModelMessage[], room: number): readonly ModelMessage[] {
  let messages = [...all]
  let bytes = messages.reduce((sum, message) => sum + messageBytes(message), 0)
  // Results that are not of the last step have been read once; their beginning is enough.
  for (let index = 0; index < messages.length - 1 && bytes > room; index += 1) {
    const message = messages[index]
    if (message?.role !== 'tool') continue
    const shorter = shortenResults(message, OLD_RESULT_BYTES)
    bytes += messageBytes(shorter) - messageBytes(message)
    messages[index] = shorter
  }
  while (bytes > room) {
    const next = messages.findIndex((message, index) => index > 0 && message.role === 'user')
    if (next < 0) break
    messages = messages.slice(next)
    bytes = messages.reduce((sum, message) => sum + messageBytes(message), 0)
  }
  const last = messages.at(-1)
  if (bytes > room && last?.role === 'tool') {
    const rest = bytes - messageBytes(last)
    const each = Math.max(OLD_RESULT_BYTES, Math.floor((room - rest) / Math.max(1, last.results.length)) - 128)
    messages[messages.length - 1] = shortenResults(last, each)
  }
  return messages
}

function offerTools(
  registered: readonly RegisteredTool[],
  names: ToolNames,
  limits: AgentLimits,
): { readonly tools: readonly ToolDeclaration[]; readonly leftOut: number } {
  const whole = registered.map((entry) => declare(entry, names, limits.toolDescriptionMaxChars, entry.schema))
  if (jsonBytes(whole) <= limits.toolsMaxBytes) return { tools: whole, leftOut: 0 }
  const lean = registered.map((entry) => declare(entry, names, 160, withoutProse(entry.schema) as JsonSchema)) // an object stays one
  const tools: ToolDeclaration[] = []
  let bytes = 2
  for (const tool of lean) {
    bytes += jsonBytes(tool) + 1
    if (bytes > limits.toolsMaxBytes) break
    tools.push(tool)
  }
  return { tools, leftOut: lean.length - tools.length }
}

function declare(entry: RegisteredTool, names: ToolNames, maxChars: number, schema: JsonSchema): ToolDeclaration {
  const { tool, owner } = entry
  const description = singleLine(String(tool.description ?? ''), maxChars)
  return {
    name: names.aliasOf(tool.name),
    description: isServerOwner(owner) ? description : `[page tool] ${description}`,
    parameters: schema,
    risk: parseRisk(tool.risk),
  }
}

function withoutProse(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(withoutProse)
  if (!isJsonObject(schema)) return schema
  const result: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(schema)) {
    const prose = (key === 'description' || key === 'title' || key === '$comment') && typeof value === 'string'
    if (!prose && key !== 'examples') result[key] = withoutProse(value)
  }
  return result
}
