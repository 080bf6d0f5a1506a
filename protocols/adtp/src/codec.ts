import { spellSpoken } from './dialect.ts'
import { type DecodedFrame, type Dialect, decodeFrame, encodeFrame, type JsonMessage, newFrameId } from './frame.ts'
import type { AdtpMessage, Direction, ToClientMessage, ToServerMessage } from './messages.ts'
import { messagesToClient } from './messages-to-client.ts'
import { messagesToServer } from './messages-to-server.ts'

const tables = {
  'to-server': { table: messagesToServer, isOtherDirection: (type: string) => Object.hasOwn(messagesToClient, type) },
  'to-client': { table: messagesToClient, isOtherDirection: (type: string) => Object.hasOwn(messagesToServer, type) },
} as const

/** Reads a frame on its way to the server, or to the client. Never throws. */
export function decode(
  frame: string | Uint8Array,
  options: { readonly direction: 'to-server' },
): DecodedFrame<ToServerMessage>
export function decode(
  frame: string | Uint8Array,
  options: { readonly direction: 'to-client' },
): DecodedFrame<ToClientMessage>
export function decode(
  frame: string | Uint8Array,
  options: { readonly direction: Direction },
): DecodedFrame<AdtpMessage>
export function decode(
  frame: string | Uint8Array,
  options: { readonly direction: Direction },
): DecodedFrame<AdtpMessage> {
  // The table's schema of this very type has just accepted the payload.
  return decodeFrame(frame, tables[options.direction]) as DecodedFrame<AdtpMessage>
}

/**
 * Spells a message in a dialect. An id and a timestamp that are missing are added, so that our frames always carry them.
 * In the spoken dialect the page's `data` is called `context`.
 */
export function encode(message: AdtpMessage, dialect: Dialect, now: () => number = Date.now): string {
  const complete: JsonMessage = {
    ...(message as JsonMessage),
    id: message.id ?? newFrameId(dialect),
    timestamp: message.timestamp ?? now(),
  }
  return encodeFrame(complete, { dialect, ...(dialect === 'spoken' ? { spell: spellSpoken } : {}) })
}
