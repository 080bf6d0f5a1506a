import type { Clock } from '@domos/spec'
import type { Approver } from './approval/approver.ts'
import type { ReconnectOptions } from './connection/reconnect.ts'
import type { Transport, WebSocketConstructor } from './connection/web-socket.ts'
import type { ClientLimits } from './limits.ts'
import type { SchemaConverter } from './tools/parameters.ts'

/** How a client is set up. Every bound of {@link ClientLimits} may stand here too. */
export interface DomOSClientOptions extends Partial<ClientLimits> {
  /** `ws://`, `wss://`, `http://`, `https://`, or a path on this page's host. @default '/adtp' */
  readonly endpoint?: string
  /** Sent in the first frame, in the spoken dialect in the query. */
  readonly apiKey?: string
  /** Joins a session that exists; short-lived and good for one use. */
  readonly joinToken?: string
  /** The document's envelope, or that of peers that keep ids at the root. @default 'document' */
  readonly dialect?: 'document' | 'spoken'
  /** Whether a dropped connection is tried again. @default true */
  readonly autoReconnect?: boolean
  readonly reconnect?: ReconnectOptions
  /** Whether the next page of this tab takes up the session after a reload (kept in sessionStorage). @default true */
  readonly resumeAcrossReloads?: boolean
  /** BCP 47 tag: of the approval dialog, and told to the server. @default the document's language, else 'en' */
  readonly language?: string
  /**
   * Who asks the person about risky calls. `overlay`: our dialog in a closed shadow root. `none`: nobody, so that risky
   * calls are refused. `custom-unsafe`: the page's own, given as `approver`; any script of the page may then approve.
   * @default 'overlay'
   */
  readonly approvals?: 'overlay' | 'custom-unsafe' | 'none'
  /** With `approvals: 'custom-unsafe'` only. */
  readonly approver?: Approver
  /**
   * The overlay, where a bundler or a script tag cannot load it by itself: `createOverlay` of `@domos/core/overlay`.
   * @default loaded by the client as soon as it is made
   */
  readonly overlay?: OverlayFactory
  /** Turns schemas without a JSON Schema part into JSON Schema, e.g. `toJsonSchema` of `@valibot/to-json-schema`. */
  readonly toJsonSchema?: SchemaConverter
  /** Opens connections. @default a WebSocket */
  readonly transport?: Transport
  /** The WebSocket class. @default the environment's own */
  readonly webSocket?: WebSocketConstructor
  readonly clock?: Clock
}

/** Makes the approval dialog. */
export type OverlayFactory = (options: { readonly language: string; readonly clock: Clock }) => Approver
