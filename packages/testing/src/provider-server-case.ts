import { fields, objects } from './provider-server-rules.ts'
import type { ProviderReply, ProviderRequest, ProviderToolName } from './provider-server-types.ts'

/**
 * Reads a case's `model` step (`text`, `tool_calls`, `stream_tool_calls`) as a reply. The mark `$name_offered_for:x` as
 * a tool name becomes the name under which x was offered.
 * @param nameOfferedFor the server's own
 */
export function replyFromCase(
  step: unknown,
  nameOfferedFor: (ownName: string, request?: ProviderRequest) => string | undefined,
): ProviderReply {
  const model = fields(step)
  const nameOf = (name: unknown): ProviderToolName => {
    const own = /^\$name_offered_for:(.+)$/.exec(String(name))?.[1]
    return own === undefined ? String(name) : (request) => nameOfferedFor(own, request) ?? own
  }
  const text = typeof model.text === 'string' ? { text: model.text } : {}
  if (Array.isArray(model.stream_tool_calls)) {
    return {
      type: 'stream-tool-calls',
      calls: objects(model.stream_tool_calls).map((call) => ({
        id: String(call.id),
        name: nameOf(call.name),
        argumentsPieces: Array.isArray(call.arguments_pieces) ? call.arguments_pieces.map(String) : [],
      })),
      ...text,
    }
  }
  if (Array.isArray(model.tool_calls)) {
    return {
      type: 'tool-calls',
      calls: objects(model.tool_calls).map((call) => ({
        id: String(call.id),
        name: nameOf(call.name),
        args: call.args ?? {},
      })),
      ...text,
    }
  }
  if (typeof model.text === 'string' && model.text !== '') return { type: 'text', text: model.text }
  if (model.text === '' || model.empty === true) return { type: 'empty' }
  throw new TypeError('A model step needs text, tool_calls or stream_tool_calls.')
}
