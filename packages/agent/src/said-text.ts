import type { AssistantPart, ModelMessage } from '@domos/spec'

/** Where the texts of one turn stand in the conversation, so that what nobody heard can be taken out again. */
export interface SaidText {
  /** Text was shown to the person. */
  shown(text: string): void
  /** The message now holds everything shown since the last one. */
  stored(message: ModelMessage): void
  /** The messages that change when only `heardChars` were heard. */
  cut(heardChars: number): readonly { readonly message: ModelMessage; readonly by: ModelMessage }[]
}

/** Makes the ledger of one turn. `placeholder` stands where nothing of an answer was heard, for no message may be empty. */
export function createSaidText(placeholder: string): SaidText {
  const stretches: { message: ModelMessage; readonly start: number }[] = []
  let length = 0
  let start = 0
  return {
    shown(text) {
      length += text.length
    },
    stored(message) {
      stretches.push({ message, start })
      start = length
    },
    cut(heardChars) {
      return stretches.flatMap((stretch) => {
        const { message } = stretch
        if (message.role !== 'assistant') return []
        const parts = cutParts(message.parts, Math.max(0, heardChars - stretch.start), placeholder)
        if (parts === undefined) return []
        const by: ModelMessage = { role: 'assistant', parts }
        stretch.message = by
        return [{ message, by }]
      })
    },
  }
}

/** Undefined when all of the text was heard. */
function cutParts(
  parts: readonly AssistantPart[],
  heardChars: number,
  placeholder: string,
): readonly AssistantPart[] | undefined {
  const text = parts.find((part) => part.type === 'text')
  if (text === undefined || text.text.length <= heardChars || text.text === placeholder) return undefined
  const heard = text.text.slice(0, heardChars).trimEnd()
  const rest = parts.filter((part) => part !== text)
  if (heard.trim() !== '') return [{ type: 'text', text: heard }, ...rest]
  return rest.length > 0 ? rest : [{ type: 'text', text: placeholder }]
}
