import type { Connection, Host, JsonObject, Principal, Session, Upgrade, Voice } from '@domos/spec'
import type { ConnectionConfig } from '../config.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Dialect } from '../dialects.ts'
import type { AudioErrorCode } from '../errors.ts'
import type { AudioDoorLimits } from '../limits.ts'
import type { ToClientMessage } from '../messages.ts'
import type { JoinTokenPrincipal, RedeemJoinToken } from './admission.ts'
import type { Clients } from './clients.ts'
import type { ResumableSessions } from './resumable-sessions.ts'
import type { VoiceSession } from './voice-session.ts'

/** Everything the connections of a door share. */
export interface DoorContext {
  readonly host: Host
  readonly voice: Voice
  readonly limits: AudioDoorLimits
  readonly clients: Clients
  readonly resumables: ResumableSessions
  readonly devices?: DeviceRegistry
  readonly allowsDeviceFrom: (remoteAddress: string) => boolean
  readonly redeemJoinToken?: RedeemJoinToken
  readonly joinTokenPrincipal?: JoinTokenPrincipal
  /** Who sits in the joined session that this resume token takes up. */
  principalOfResumeToken(token: string): Principal | undefined
  /** Milliseconds that never go back, for `uptime`. */
  readonly monotonicNow: () => number
  /** A device has proved itself: closes its older connection. */
  replaceOlder(deviceId: string, by: object): void
  /** Lets go of a connection that still holds the session of this resume token, so that it can be taken up. */
  detachLive(resumeToken: string, principal: Principal): void
}

/** An error as the wire shows it. */
export interface PeerError {
  readonly code: AudioErrorCode
  readonly message: string
  readonly path?: string
  readonly turn?: number
}

/** What the handlers of control messages see of their connection. */
export interface PeerPort {
  readonly context: DoorContext
  readonly connection: Connection
  readonly upgrade: Upgrade
  readonly principal: Principal
  readonly voiceSession: VoiceSession | undefined
  dialect: Dialect
  /** The id the client goes by; a label unless {@link provenDeviceId} is the same. */
  deviceId: string | undefined
  readonly provenDeviceId: string | undefined
  /** What `config` has set so far; kept over sessions of this connection. */
  voiceConfig: JsonObject
  connectionConfig: ConnectionConfig
  resumeToken: string | undefined
  readonly counters: { bytesReceived: number; bytesSent: number }
  readonly connectedAt: number
  readonly uptimeMs: number
  send(message: ToClientMessage): void
  error(error: PeerError): void
  /** Changes what the client records and plays. */
  setFormat(sampleRateHz: number, channels: 1 | 2): void
  /** Ends the session; the socket stays. */
  endSession(): void
  /** Runs work that ends in another session; frames wait meanwhile. */
  change(work: () => Promise<ChangeResult>): void
  /** Opens a session of its own, then handles `again`. */
  openSession(again?: string | Uint8Array): void
  /** Lets the client go for good. */
  dismiss(code: number, reason: string): void
}

/** What {@link PeerPort.change} leads to. */
export type ChangeResult =
  | {
      readonly session: Session
      readonly isOwn: boolean
      readonly resumed?: boolean
      readonly again?: string | Uint8Array
    }
  | { readonly unchanged: true; readonly resumed?: false }
