import type { Clock } from './clock.ts'
import type { JsonObject } from './json.ts'
import type { Log, Metrics } from './log.ts'
import type { Credentials, DoorName, Principal } from './principal.ts'
import type { OpenSessionOptions, Session } from './session.ts'

/** A socket after its upgrade, whatever carries it. Text frames are strings, binary frames byte arrays. */
export interface Connection {
  /** Unique in this process; safe in logs. */
  readonly id: string
  /** Bytes accepted by {@link send} and not yet written out; a sender that sees this grow must hold back. */
  readonly bufferedBytes: number
  readonly isOpen: boolean
  /** Sends one frame; does nothing once closed. */
  send(frame: string | Uint8Array): void
  /** Closes with a WebSocket close code; safe to call twice. */
  close(code: number, reason: string): void
  /** Sets the one receiver. Frames that came earlier are delivered first, in order (bounded). */
  onFrame(receive: (frame: string | Uint8Array) => void): void
  /** Called once, at once if already closed. */
  onClose(closed: (code: number, reason: string) => void): void
}

/** What is known of a peer at its upgrade. */
export interface Upgrade {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin?: string
  readonly remoteAddress: string
  /** Token from `Authorization: Bearer` or, where the door allows it, the query; never logged. */
  readonly token?: string
  readonly userAgent?: string
  readonly subprotocol?: string
  readonly isLoopback: boolean
}

/** What a door needs from the house. Implemented by `agent`, handed over by whoever composes. */
export interface Host {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** @throws DomosError `unauthorized` or `forbidden` */
  authenticate(credentials: Credentials): Promise<Principal>
  /** Whether a key is needed at all; without one, {@link authenticate} accepts empty credentials. */
  readonly requiresKey: boolean
  /** @throws DomosError `busy` when the house is full */
  openSession(principal: Principal, options: OpenSessionOptions): Promise<Session>
  session(id: string): Session | undefined
}

/** One protocol's end at the server. */
export interface Door {
  readonly name: DoorName
  /** WebSocket paths, the canonical one first. */
  readonly paths: readonly string[]
  /** Largest frame in bytes; larger ones are refused by the parser with close code 1009. */
  readonly maxFrameBytes: number
  /** Whether a key may stand in the query (`apiKey`, `token`). */
  readonly allowsQueryToken: boolean
  /** WebSocket subprotocols it speaks. @default none */
  readonly subprotocols?: readonly string[]
  /** Takes a connection over. Must not throw. */
  accept(connection: Connection, upgrade: Upgrade): void
  /** Facts for /healthz. */
  health(): JsonObject
  /** Says goodbye to every peer (1001) and settles when all are gone or `signal` aborts. */
  close(signal: AbortSignal): Promise<void>
}
