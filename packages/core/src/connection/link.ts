import { HANDSHAKE_TIMEOUT_CLOSE_CODE, HANDSHAKE_TIMEOUT_CLOSE_REASON } from '@domos/adtp/client'
import { type Clock, DomosError, describeThrown } from '@domos/spec'
import type { Connection } from '@domos/wire'
import type { ClientLimits } from '../limits.ts'
import { type LinkEvent, type LinkState, nextLinkState } from './connection-state.ts'
import { createReconnectDelays, isPermanentClose, type ReconnectOptions } from './reconnect.ts'

/** What a link needs from, and tells, its surroundings. */
export interface LinkPort {
  readonly clock: Clock
  readonly limits: ClientLimits
  readonly autoReconnect: boolean
  readonly reconnect: ReconnectOptions
  open(signal: AbortSignal): Promise<Connection>
  /** The socket is open: the handshake goes out now. */
  opened(connection: Connection): void
  frame(frame: string | Uint8Array): void
  changed(state: LinkState): void
  /** Something went wrong that a person or developer should know. */
  failed(error: DomosError): void
  /** It is not tried again by itself. */
  gaveUp(error: DomosError): void
}

/** Opens, watches and recovers one connection (Core Concepts, "WebSocket ADTP transport"). */
export class Link {
  readonly #port: LinkPort
  readonly #delays
  #state: LinkState = 'idle'
  #connection: Connection | undefined
  #opening: AbortController | undefined
  #cancelTimer = () => {}
  #cancelStable = () => {}

  constructor(port: LinkPort) {
    this.#port = port
    this.#delays = createReconnectDelays(port.reconnect)
  }

  get state(): LinkState {
    return this.#state
  }

  /** Starts connecting, at once also when a retry is due later. */
  connect(): void {
    if (this.#step('connect')) this.#open()
  }

  /** The server acknowledged the handshake. */
  acknowledged(): void {
    if (!this.#step('acknowledged')) return
    this.#cancelTimer()
    const stableAfterMs = this.#port.reconnect.stableAfterMs ?? 5000
    this.#cancelStable = this.#port.clock.schedule(stableAfterMs, () => this.#delays.reset())
  }

  /** Sends a frame; false when there is no open connection. */
  send(frame: string | Uint8Array): boolean {
    if (!this.#connection?.isOpen) return false
    this.#connection.send(frame)
    return true
  }

  /** Ends the connection and every retry. */
  disconnect(code = 1000, reason = 'Client disconnect'): void {
    if (!this.#step('disconnect')) return
    this.#cancelTimer()
    this.#delays.reset()
    this.#drop(code, reason)
  }

  #open(): void {
    this.#cancelTimer()
    const opening = new AbortController()
    this.#opening = opening
    this.#cancelTimer = this.#port.clock.schedule(this.#port.limits.openTimeoutMs, () => {
      opening.abort()
      this.#openFailed(opening, noAnswer(this.#port.limits.openTimeoutMs))
    })
    this.#port.open(opening.signal).then(
      (connection) => this.#opened(opening, connection),
      (thrown) => this.#openFailed(opening, asError(thrown)),
    )
  }

  #opened(opening: AbortController, connection: Connection): void {
    if (this.#opening !== opening) {
      connection.close(1000, '')
      return
    }
    this.#opening = undefined
    this.#cancelTimer()
    this.#connection = connection
    this.#step('socket-open')
    connection.onClose((code, reason) => this.#closed(connection, code, reason))
    connection.onFrame((frame) => {
      if (this.#connection === connection) this.#port.frame(frame)
    })
    this.#cancelTimer = this.#port.clock.schedule(this.#port.limits.handshakeTimeoutMs, () => this.#handshakeTimedOut())
    this.#port.opened(connection)
  }

  #handshakeTimedOut(): void {
    if (!this.#step('handshake-timeout')) return
    this.#port.failed(noAnswer(this.#port.limits.handshakeTimeoutMs))
    this.#drop(HANDSHAKE_TIMEOUT_CLOSE_CODE, HANDSHAKE_TIMEOUT_CLOSE_REASON)
    this.#retryLater()
  }

  #openFailed(opening: AbortController, error: DomosError): void {
    if (this.#opening !== opening) return
    this.#opening = undefined
    if (error.code === 'unsupported' || error.code === 'invalid_request') {
      this.#giveUp('refused', error)
      return
    }
    this.#step('dropped')
    this.#port.failed(error)
    this.#retryLater()
  }

  #closed(connection: Connection, code: number, reason: string): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#cancelStable()
    if (isPermanentClose(code, reason)) {
      const details = { closeCode: code, reason }
      const message = `The server closed for good (${code} ${reason}). Check the option "apiKey" and the allowed origins.`
      const error = new DomosError(code === 1008 ? 'forbidden' : 'unavailable', message, {
        details,
      })
      this.#giveUp(code === 1000 ? 'disconnect' : 'refused', error)
      return
    }
    this.#step('dropped')
    this.#retryLater()
  }

  #retryLater(): void {
    this.#cancelTimer()
    const { autoReconnect, reconnect, clock } = this.#port
    if (autoReconnect && this.#delays.attempts < (reconnect.maxAttempts ?? Number.POSITIVE_INFINITY)) {
      this.#cancelTimer = clock.schedule(this.#delays.next(), () => {
        if (this.#step('retry')) this.#open()
      })
      return
    }
    this.#giveUp('gave-up', new DomosError('unavailable', 'The connection is not tried again. Call connect().'))
  }

  #giveUp(event: LinkEvent, error: DomosError): void {
    this.#cancelTimer()
    this.#step(event)
    this.#port.failed(error)
    this.#port.gaveUp(error)
  }

  #drop(code: number, reason: string): void {
    this.#cancelStable()
    this.#opening?.abort()
    this.#opening = undefined
    const connection = this.#connection
    this.#connection = undefined
    connection?.close(code, reason)
  }

  #step(event: LinkEvent): boolean {
    const next = nextLinkState(this.#state, event)
    if (next === undefined) return false
    const before = this.#state
    this.#state = next
    if (before !== next) this.#port.changed(next)
    return true
  }
}

function asError(thrown: unknown): DomosError {
  return thrown instanceof DomosError
    ? thrown
    : new DomosError('unavailable', describeThrown(thrown), { cause: thrown })
}

function noAnswer(timeoutMs: number): DomosError {
  return new DomosError('timeout', `The server did not answer within ${timeoutMs} ms.`)
}
