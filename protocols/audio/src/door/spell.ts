import { encode } from '../codec.ts'
import { cutText, type Dialect } from '../dialects.ts'
import type { ToClientMessage } from '../messages.ts'

/** Spells a message for a peer. What a device cannot take is left out: word times first, then the end of the text. */
export function spell(message: ToClientMessage, dialect: Dialect): string {
  const text = encode(message)
  const { maxTextBytes } = dialect
  if (maxTextBytes === undefined || byteLength(text) <= maxTextBytes) return text
  if (message.type === 'transcript') {
    const { words: _, ...withoutWords } = message
    return shorten(withoutWords, withoutWords.text, maxTextBytes, (cut) => ({ ...withoutWords, text: cut }))
  }
  if (message.type === 'transcription' || message.type === 'response') {
    return shorten(message, message.text, maxTextBytes, (cut) => ({ ...message, text: cut }))
  }
  if (message.type === 'error') {
    return shorten(message, message.error, maxTextBytes, (cut) => ({ ...message, error: cut }))
  }
  return text
}

function shorten(
  message: ToClientMessage,
  words: string,
  maxBytes: number,
  withText: (text: string) => ToClientMessage,
): string {
  let text = encode(message)
  let room = new TextEncoder().encode(words).length
  // Escaped characters weigh more on the wire than in the text, so one cut may not be enough.
  while (byteLength(text) > maxBytes && room > 0) {
    room = Math.max(0, room - (byteLength(text) - maxBytes))
    text = encode(withText(room < 4 ? '' : cutText(words, room)))
  }
  return text
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
