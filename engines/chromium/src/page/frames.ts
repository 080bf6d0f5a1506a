import { type Candidate, TargetError } from '@domos/som'
import { DomosError, type ErrorCode, type ErrorDetails } from '@domos/spec'
import { CdpError, type CdpSession } from '../cdp/connection.ts'
import type { FrozenDocument } from '../inject/frozen.ts'

/** Name of the isolated world. */
export const WORLD_NAME = 'domos'

interface Frame {
  readonly id: string
  parentId: string | undefined
  session: CdpSession
  /** The isolated world of its document now. */
  contextId: number | undefined
  /** Whether its parent reads it; unknown until asked. */
  isReadable: boolean | undefined
  /** The copy last taken of it. */
  version: number
  /** World and element that show it, once bound. */
  boundTo: number | undefined
}

interface Answer {
  readonly result?: unknown
  readonly elsewhere?: { readonly frame: string; readonly node: number }
  readonly error?: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: ErrorDetails
    readonly candidates?: readonly Candidate[]
    readonly cause?: string
  }
}

/** What a call gave, and where it was carried out in the end. */
export interface Called<T> {
  readonly value: T
  readonly frameId: string
  readonly ref: object
}

/** The frames of a page, in whatever process they are, and calls into their isolated worlds. */
export class Frames {
  readonly mainId: string
  readonly #frames = new Map<string, Frame>()
  readonly #waiting = new Set<() => void>()
  readonly #maxFrames: number

  constructor(mainId: string, session: CdpSession, maxFrames: number) {
    this.mainId = mainId
    this.#maxFrames = maxFrames
    this.#add(mainId, undefined, session)
  }

  get size(): number {
    return this.#frames.size
  }

  has(id: string): boolean {
    return this.#frames.has(id)
  }

  /** Listens to a session that shows frames: the page's own, or that of a frame in another process. */
  listen(session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => this.#add(frameId, parentFrameId, session))
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#remove(frameId)
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      const known = this.#add(frame.id, frame.parentId, session)
      known.isReadable = undefined
      known.boundTo = undefined
      known.version = 0
    })
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = (context.auxData ?? {}) as { frameId?: string }
      if (context.name !== WORLD_NAME || frameId === undefined) return
      const frame = this.#add(frameId, undefined, session)
      frame.contextId = context.id
      frame.isReadable = undefined
      frame.boundTo = undefined
      frame.version = 0
      for (const wake of [...this.#waiting]) wake()
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      for (const frame of this.#frames.values()) {
        if (frame.session === session && frame.contextId === executionContextId) frame.contextId = undefined
      }
    })
    session.on('Runtime.executionContextsCleared', () => {
      for (const frame of this.#frames.values()) if (frame.session === session) frame.contextId = undefined
    })
  }

  /** A frame has moved into a process of its own. */
  move(id: string, session: CdpSession): void {
    const frame = this.#add(id, undefined, session)
    frame.session = session
    frame.contextId = undefined
    frame.isReadable = undefined
  }

  /** A session ended; frames that were only there are gone. */
  forget(session: CdpSession): void {
    for (const frame of [...this.#frames.values()]) {
      if (frame.session === session && frame.id !== this.mainId) this.#frames.delete(frame.id)
    }
  }

  /** Runs a method of the isolated world of the page's top document, or of the frame it points to. */
  async call<T>(
    name: string,
    argument: { readonly ref?: object },
    signal: AbortSignal,
    frameId = this.mainId,
  ): Promise<Called<T>> {
    const answer = await this.#ask(frameId, name, argument, signal)
    if (answer.elsewhere === undefined) return { value: answer.result as T, frameId, ref: argument.ref ?? {} }
    const { frame, node } = answer.elsewhere
    return this.call<T>(name, { ...argument, ref: { node } }, signal, frame)
  }

  /** Lets the page do what it has planned for at once, such as a script link it has just followed. */
  async settle(signal: AbortSignal): Promise<void> {
    const frame = this.#frame(this.mainId)
    await frame.session.send('Runtime.callFunctionOn', {
      functionDeclaration: '() => new Promise((resolve) => setTimeout(() => setTimeout(resolve)))',
      executionContextId: await this.#contextOf(frame, signal),
      awaitPromise: true,
    })
  }

  /** A handle to the element of a reference, for commands that want one. */
  async handle(
    reference: object,
    signal: AbortSignal,
  ): Promise<{ readonly objectId: string; readonly session: CdpSession }> {
    // A method is asked first, because the answer may be that the element is in another frame.
    const { frameId, ref } = await this.call('readBack', { ref: reference }, signal)
    const frame = this.#frame(frameId)
    const { result } = await frame.session.send('Runtime.callFunctionOn', {
      functionDeclaration: '(ref) => __domos.node(ref)',
      executionContextId: await this.#contextOf(frame, signal),
      arguments: [{ value: ref }],
    })
    if (result.objectId === undefined)
      throw new DomosError('not_found', 'The element is gone.', { details: { reason: 'STALE_REF' } })
    return { objectId: result.objectId, session: frame.session }
  }

  /** A point of a frame's own window in the window of the page. */
  async pointInPage(
    frameId: string,
    spot: { readonly x: number; readonly y: number },
    signal: AbortSignal,
  ): Promise<{ readonly x: number; readonly y: number }> {
    if (frameId === this.mainId) return spot
    const parent = this.#rootOf(this.#frame(frameId).parentId ?? this.mainId)
    const { value } = await this.call<{ x: number; y: number }>(
      'pointInFrame',
      { frame: frameId, spot } as object,
      signal,
      parent,
    )
    return this.pointInPage(parent, value, signal)
  }

  /** Brings the top document's world up to date with the frames it cannot read. */
  async update(htmlBytes: number, signal: AbortSignal): Promise<void> {
    const frames: Record<string, FrozenDocument | null> = {}
    if (this.#frames.size > 1) {
      const remotes = await this.#remotes(signal)
      await Promise.all(remotes.map((frame) => this.#bind(frame, signal)))
      await Promise.all(
        remotes.map(async (frame) => {
          const { value } = await this.call<{ version: number; document: FrozenDocument | null }>(
            'freeze',
            { since: frame.version } as object,
            signal,
            frame.id,
          )
          frame.version = value.version
          frames[frame.id] = value.document
        }),
      ).catch((thrown: unknown) => {
        if (signal.aborted) throw thrown
        // A frame went away while it was read; the snapshot shows the page without it.
      })
    }
    await this.call('update', { htmlBytes, frames } as object, signal)
  }

  /** Frames that no other frame's world reads. */
  async #remotes(signal: AbortSignal): Promise<readonly Frame[]> {
    const children = [...this.#frames.values()].filter(
      (frame) => frame.id !== this.mainId && frame.contextId !== undefined,
    )
    await Promise.all(
      children.map(async (frame) => {
        if (frame.isReadable !== undefined) return
        try {
          frame.isReadable = (await this.call<boolean>('isReadable', {}, signal, frame.id)).value
        } catch (thrown) {
          if (signal.aborted) throw thrown
        }
      }),
    )
    return children.filter(({ isReadable }) => isReadable === false)
  }

  /** Tells the world that reads the parent which element shows this frame. */
  async #bind(frame: Frame, signal: AbortSignal): Promise<void> {
    const root = this.#frame(this.#rootOf(frame.parentId ?? this.mainId))
    const contextId = await this.#contextOf(root, signal)
    if (frame.boundTo === contextId) return
    try {
      const { backendNodeId } = await root.session.send('DOM.getFrameOwner', { frameId: frame.id })
      const { object } = await root.session.send('DOM.resolveNode', { backendNodeId, executionContextId: contextId })
      await root.session.send('Runtime.callFunctionOn', {
        objectId: object.objectId ?? '',
        functionDeclaration: 'function (frame) { __domos.bindFrame.call(this, frame) }',
        arguments: [{ value: frame.id }],
      })
      frame.boundTo = contextId
      frame.version = 0
    } catch (thrown) {
      if (!(thrown instanceof CdpError)) throw thrown
    }
  }

  /** The frame whose world reads a frame's document: itself, or the nearest one above that no parent reads. */
  #rootOf(id: string): string {
    const frame = this.#frames.get(id)
    if (frame === undefined || frame.id === this.mainId) return this.mainId
    return frame.isReadable === true ? this.#rootOf(frame.parentId ?? this.mainId) : frame.id
  }

  async #ask(frameId: string, name: string, argument: object, signal: AbortSignal): Promise<Answer> {
    const frame = this.#frame(frameId)
    const contextId = await this.#contextOf(frame, signal)
    const { result, exceptionDetails } = await frame.session.send('Runtime.callFunctionOn', {
      functionDeclaration: '(name, json) => __domos.call(name, JSON.parse(json))',
      executionContextId: contextId,
      arguments: [{ value: name }, { value: JSON.stringify(argument) }],
      returnByValue: true,
    })
    if (typeof result.value !== 'string') {
      throw new DomosError('internal', 'The page could not be read.', {
        cause: new Error(exceptionDetails?.exception?.description ?? exceptionDetails?.text ?? 'no answer'),
      })
    }
    const answer = JSON.parse(result.value) as Answer
    if (answer.error === undefined) return answer
    const { code, message, details = {}, candidates, cause } = answer.error
    if (candidates !== undefined) throw new TargetError(code, message, candidates, details)
    throw new DomosError(code, message, { details, ...(cause === undefined ? {} : { cause: new Error(cause) }) })
  }

  async #contextOf(frame: Frame, signal: AbortSignal): Promise<number> {
    while (frame.contextId === undefined) {
      await new Promise<void>((resolve, reject) => {
        const done = (settle: () => void): void => {
          this.#waiting.delete(wake)
          signal.removeEventListener('abort', abort)
          settle()
        }
        const wake = (): void => done(resolve)
        const abort = (): void => done(() => reject(signal.reason))
        if (signal.aborted) abort()
        else {
          this.#waiting.add(wake)
          signal.addEventListener('abort', abort, { once: true })
        }
      })
    }
    return frame.contextId
  }

  /** Wakes whoever waits for a world that will not come. */
  end(): void {
    this.#frames.clear()
  }

  #frame(id: string): Frame {
    const frame = this.#frames.get(id)
    if (frame !== undefined) return frame
    throw new DomosError('not_found', 'The frame of this element is gone; observe the page.', {
      details: { reason: 'STALE_REF' },
    })
  }

  #add(id: string, parentId: string | undefined, session: CdpSession): Frame {
    let frame = this.#frames.get(id)
    if (frame === undefined) {
      frame = { id, parentId, session, contextId: undefined, isReadable: undefined, version: 0, boundTo: undefined }
      if (this.#frames.size < this.#maxFrames) this.#frames.set(id, frame)
    }
    if (parentId !== undefined) frame.parentId = parentId
    if (frame.session.isClosed) frame.session = session
    return frame
  }

  #remove(id: string): void {
    if (id === this.mainId) return
    this.#frames.delete(id)
    for (const frame of [...this.#frames.values()]) if (frame.parentId === id) this.#remove(frame.id)
  }
}
