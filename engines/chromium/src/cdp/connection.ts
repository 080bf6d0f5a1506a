import type { Readable, Writable } from 'node:stream'
import { DomosError } from '@domos/spec'
import { MessageSplitter } from './message-splitter.ts'
import type { EventName, EventParams, Method, Params, Result } from './types.ts'

interface Pending {
  readonly method: string
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

interface Incoming {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly sessionId?: string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** An answer of the browser that a command could not be carried out. */
export class CdpError extends Error {
  readonly method: string
  readonly code: number

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`)
    this.name = 'CdpError'
    this.method = method
    this.code = code
  }
}

/** One target of the browser, or the browser itself: commands go in, events come out, in order. */
export class CdpSession {
  readonly id: string | undefined
  readonly #connection: CdpConnection
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, Set<(params: never) => void>>()
  #closed: string | undefined

  constructor(connection: CdpConnection, id: string | undefined) {
    this.#connection = connection
    this.id = id
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** @throws CdpError the browser refused; DomosError `unavailable` the target or the browser is gone */
  send<M extends Method>(
    method: M,
    ...[params]: Params<M> extends undefined ? [] : [params?: Params<M>]
  ): Promise<Result<M>> {
    if (this.#closed !== undefined) return Promise.reject(gone(this.#closed))
    return new Promise((resolve, reject) => {
      const id = this.#connection.write(this, method, params)
      this.#pending.set(id, { method, resolve, reject })
    })
  }

  /** Sends without anybody waiting: for what may fail because the target is gone. */
  post<M extends Method>(method: M, ...params: Params<M> extends undefined ? [] : [params?: Params<M>]): void {
    this.send(method, ...params).catch(() => {})
  }

  on<E extends EventName>(event: E, listener: (params: EventParams<E>) => void): () => void {
    let listeners = this.#listeners.get(event)
    if (listeners === undefined) {
      listeners = new Set()
      this.#listeners.set(event, listeners)
    }
    const known = listeners as Set<unknown>
    known.add(listener)
    return () => known.delete(listener)
  }

  /** Called by the connection. */
  take(message: Incoming): void {
    if (message.id === undefined) {
      const listeners = this.#listeners.get(message.method ?? '')
      if (listeners !== undefined) for (const listener of [...listeners]) listener(message.params as never)
      return
    }
    const pending = this.#pending.get(message.id)
    if (pending === undefined) return
    this.#pending.delete(message.id)
    if (message.error === undefined) pending.resolve(message.result as never)
    else pending.reject(new CdpError(pending.method, message.error.code, message.error.message))
  }

  /** Called by the connection: nothing more will come. */
  end(reason: string): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    for (const pending of this.#pending.values()) pending.reject(gone(reason))
    this.#pending.clear()
    this.#listeners.clear()
  }
}

/** A DevTools connection over the browser's pipe; closing the pipe ends the browser. */
export class CdpConnection {
  readonly browser: CdpSession
  readonly #input: Writable
  readonly #sessions = new Map<string, CdpSession>()
  #nextId = 1

  constructor(input: Writable, output: Readable, maxMessageBytes: number) {
    this.#input = input
    this.browser = new CdpSession(this, undefined)
    const splitter = new MessageSplitter(maxMessageBytes, (text) => this.#take(text))
    output.on('data', (chunk: Buffer) => splitter.push(chunk))
    output.on('close', () => this.end('the browser closed its connection'))
    output.on('error', () => this.end('the connection to the browser failed'))
    input.on('error', () => this.end('the connection to the browser failed'))
  }

  /** The session of an attached target; created on first sight. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const session = new CdpSession(this, id)
    this.#sessions.set(id, session)
    return session
  }

  /** Called by sessions. */
  write(session: CdpSession, method: string, params: unknown): number {
    const id = this.#nextId++
    this.#input.write(`${JSON.stringify({ id, method, params, sessionId: session.id })}\0`)
    return id
  }

  end(reason: string): void {
    for (const session of this.#sessions.values()) session.end(reason)
    this.#sessions.clear()
    this.browser.end(reason)
    this.#input.destroy()
  }

  #take(text: string): void {
    const message = JSON.parse(text) as Incoming
    const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId)
    if (message.method === 'Target.attachedToTarget') {
      // Made before listeners run, so that nothing the new target says first is lost.
      this.session((message.params as { sessionId: string }).sessionId)
    }
    session?.take(message)
    if (message.method === 'Target.detachedFromTarget') {
      const { sessionId } = message.params as { sessionId: string }
      this.#sessions.get(sessionId)?.end('the page or frame is gone')
      this.#sessions.delete(sessionId)
    }
  }
}

function gone(reason: string): DomosError {
  return new DomosError('unavailable', `The browser cannot answer: ${reason}.`, { details: { reason: 'TARGET_GONE' } })
}
