import type { LanguageModel } from 'domos'

/** An agent in a few lines: it calls the tool whose name the person says, and tells what came of it. */
export const nameCaller: LanguageModel = {
  id: 'example/name-caller',
  embedded: true,
  async *stream({ messages, tools }) {
    const last = messages.at(-1)
    if (last?.role === 'tool') {
      yield { type: 'text-delta', text: last.results.map(({ text }) => text).join('\n') }
      yield { type: 'finish', reason: 'stop' }
      return
    }
    const words = last?.role === 'user' ? last.parts.map((part) => part.text).join(' ') : ''
    const tool = tools.find(({ name }) => words.includes(name))
    if (tool === undefined)
      yield { type: 'text-delta', text: `I can call: ${tools.map(({ name }) => name).join(', ')}` }
    else yield { type: 'tool-call', callId: 'call-1', name: tool.name, args: {} }
    yield { type: 'finish', reason: tool === undefined ? 'stop' : 'tool-calls' }
  },
}
