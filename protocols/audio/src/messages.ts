import type * as v from 'valibot'
import { messagesToClient } from './messages-to-client.ts'
import { type MessageOrigin, messagesToServer, type TableRow } from './messages-to-server.ts'

/** A type a client may send. */
export type ToServerType = keyof typeof messagesToServer
/** A type a server may send. */
export type ToClientType = keyof typeof messagesToClient

/** A message of one type to the server. */
export type ToServer<T extends ToServerType> = { readonly type: T } & Readonly<
  v.InferOutput<(typeof messagesToServer)[T]['schema']>
>
/** A message of one type to the client. */
export type ToClient<T extends ToClientType> = { readonly type: T } & Readonly<
  v.InferOutput<(typeof messagesToClient)[T]['schema']>
>

/** Any message to the server. */
export type ToServerMessage = { [T in ToServerType]: ToServer<T> }[ToServerType]
/** Any message to the client. */
export type ToClientMessage = { [T in ToClientType]: ToClient<T> }[ToClientType]

/** The two directions of the wire. */
export type Direction = 'to-server' | 'to-client'

/** The table of one direction. */
export function messagesOf(direction: Direction): Readonly<Record<string, TableRow>> {
  return direction === 'to-server' ? messagesToServer : messagesToClient
}

/** One line of the reference: a message type, where it may go and where it comes from. */
export interface MessageInfo {
  readonly type: string
  readonly directions: readonly Direction[]
  readonly origin: MessageOrigin
}

/** Every message type once, for documentation and checks. */
export const messageInfos: readonly MessageInfo[] = [
  ...new Set([...Object.keys(messagesToServer), ...Object.keys(messagesToClient)]),
].map((type) => {
  const directions = (['to-server', 'to-client'] as const).filter((each) => Object.hasOwn(messagesOf(each), type))
  const row = messagesOf('to-server')[type] ?? messagesOf('to-client')[type]
  return { type, directions, origin: row?.origin ?? 'document' }
})
