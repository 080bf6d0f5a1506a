import type * as v from 'valibot'
import type { Requirement } from './capabilities.ts'
import { messagesToClient } from './messages-to-client.ts'
import { messagesToServer, type TableRow } from './messages-to-server.ts'

/** A type a client may send. */
export type ToServerType = keyof typeof messagesToServer
/** A type a server may send. */
export type ToClientType = keyof typeof messagesToClient

/** Fields every message has, whatever the dialect spells them. */
export interface MessageFrame {
  /** Absent only in incoming frames of peers that send none. */
  readonly id?: string
  /** Epoch milliseconds. */
  readonly timestamp?: number
  /** With the extension `resume`: counts the frames of the server from 1. */
  readonly seq?: number
}

/** The payload of a message to the server. */
export type ToServerPayload<T extends ToServerType> = v.InferOutput<(typeof messagesToServer)[T]['schema']>
/** The payload of a message to the client. */
export type ToClientPayload<T extends ToClientType> = v.InferOutput<(typeof messagesToClient)[T]['schema']>

/** A message of one type to the server. */
export type ToServer<T extends ToServerType> = MessageFrame & { readonly type: T; readonly payload: ToServerPayload<T> }
/** A message of one type to the client. */
export type ToClient<T extends ToClientType> = MessageFrame & { readonly type: T; readonly payload: ToClientPayload<T> }

/** Any message to the server. */
export type ToServerMessage = { [T in ToServerType]: ToServer<T> }[ToServerType]
/** Any message to the client. */
export type ToClientMessage = { [T in ToClientType]: ToClient<T> }[ToClientType]
/** Any message. */
export type AdtpMessage = ToServerMessage | ToClientMessage

/** The two directions of the wire. */
export type Direction = 'to-server' | 'to-client'

/** The table of one direction. */
export function messagesOf(direction: Direction): Readonly<Record<string, TableRow>> {
  return direction === 'to-server' ? messagesToServer : messagesToClient
}

/** One line of the reference: a message type, where it may go and what unlocks it. */
export interface MessageInfo {
  readonly type: string
  readonly directions: readonly Direction[]
  readonly requires: readonly Requirement[] | undefined
}

/** Every message type once, for documentation and checks. */
export const messageInfos: readonly MessageInfo[] = [
  ...new Set([...Object.keys(messagesToServer), ...Object.keys(messagesToClient)]),
].map((type) => {
  const toServer = (messagesToServer as Readonly<Record<string, TableRow>>)[type]
  const toClient = (messagesToClient as Readonly<Record<string, TableRow>>)[type]
  const directions: Direction[] = []
  if (toServer) directions.push('to-server')
  if (toClient) directions.push('to-client')
  return { type, directions, requires: (toServer ?? toClient)?.requires }
})
