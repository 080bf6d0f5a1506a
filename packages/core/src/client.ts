import { type Clock, DomosError, type JsonObject, type JsonValue, systemClock } from '@domos/spec'
import { randomHex } from '@domos/wire'
import { CAPABILITIES, helloFields } from './announce.ts'
import { Approvals } from './approval/approvals.ts'
import { ApproverHolder } from './approval/approver-holder.ts'
import { ServerQuestions } from './approval/server-questions.ts'
import type { ClientBase } from './base.ts'
import { callError, clientState, destroyedError } from './client-words.ts'
import { endpointUrl } from './connection/endpoint.ts'
import { openWebSocket } from './connection/web-socket.ts'
import { ContextSync, type PageState } from './context/context-sync.ts'
import { readLocation, watchRoute } from './context/route-watcher.ts'
import { ShadowContext } from './context/shadow-context.ts'
import { Emitter } from './emitter.ts'
import type { ClientEventName, ClientEvents, ClientHandlers, ClientState } from './events.ts'
import { subscribeHandlers } from './handlers.ts'
import { type ClientLimits, readLimits } from './limits.ts'
import type { DomOSClientOptions } from './options.ts'
import { type PageLifetime, watchPageLifetime } from './page-lifetime.ts'
import { ClientSession } from './session.ts'
import { CallRunner } from './tools/call-runner.ts'
import type { RegisteredTool, ToolDefinition, ToolDescription, ToolParameters } from './tools/definition.ts'
import { describeTool, ToolRegistry } from './tools/registry.ts'
import { ToolSurface } from './tools/surface.ts'
import type { TurnHandle } from './turns.ts'

/**
 * The client engine every framework package wraps (Core Concepts, "DomOSClient"): it keeps the connection, the tools and
 * the context of one page, and runs tool calls through checks and approval.
 */
export class DomOSClient {
  readonly #options: DomOSClientOptions
  readonly #limits: ClientLimits
  readonly #clock: Clock
  readonly #events = new Emitter<ClientEvents>()
  readonly #registry: ToolRegistry
  readonly #context: ShadowContext
  readonly #sync: ContextSync
  readonly #approver: ApproverHolder
  readonly #runner: CallRunner
  readonly #questions: ServerQuestions
  readonly #session: ClientSession
  readonly #surface: ToolSurface
  #lifetime: PageLifetime | undefined
  #stopRoute: (() => void) | undefined
  #state: ClientState = 'idle'
  #connecting: PromiseWithResolvers<void> | undefined
  #destroyed = false

  /** @throws DomosError `invalid_request` when an option is unusable */
  constructor(options: DomOSClientOptions = {}) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#limits = readLimits(options)
    const limits = this.#limits
    const clock = this.#clock
    this.#registry = new ToolRegistry(
      {
        changed: (added) => {
          this.#sync.mark(added)
          this.#events.emit('tool.registry.changed', { count: this.toolCount })
        },
        removed: (tool) => this.#runner.toolRemoved(tool),
      },
      clock,
      options.toJsonSchema,
    )
    this.#context = new ShadowContext(() => this.#sync.mark())
    this.#approver = new ApproverHolder(options, clock)
    const base: ClientBase = { clock, limits, events: this.#events }
    this.#surface = new ToolSurface(base, this.#registry)
    const approvals = new Approvals({
      ...base,
      approver: () => this.#approver.get(),
      announce: (question) => this.#session.announceApproval(question),
    })
    this.#runner = new CallRunner({
      ...base,
      registry: this.#registry,
      approvals,
      sessionId: () => this.sessionId,
      progress: (callId, report) => this.#session.sendProgress(callId, report),
      finished: ({ callId, ticket, sessionId }, finished) => {
        // A session that is over wants no result any more.
        if (sessionId !== this.sessionId) return
        // The model's next step must see the page as the call left it.
        this.#sync.flush()
        this.#session.sendResult(callId, finished, ticket)
      },
    })
    this.#questions = new ServerQuestions({
      approvals,
      registry: this.#registry,
      clock,
      by: options.approvals === 'custom-unsafe' ? 'custom' : 'overlay',
      answer: (response) => {
        this.#sync.flush()
        this.#session.sendApproval(response)
      },
    })
    this.#session = this.#createSession(base)
    this.#sync = new ContextSync({
      ready: () => this.#session.isConnected,
      read: () => this.#readPage(),
      send: (state) => {
        this.#session.sendContext(state)
        this.#events.emit('tool.registry.synced', { tools: state.tools.map((tool) => tool.name) })
      },
    })
  }

  // ---- connection ----

  /**
   * Connects, and keeps connected until {@link disconnect}. Resolves at the server's acknowledgement; rejects when the
   * server refuses for good, when it is not tried again, or on {@link disconnect}. Ignoring the promise is safe.
   */
  connect(): Promise<void> {
    if (this.#destroyed) return Promise.reject(destroyedError())
    if (this.isConnected) return Promise.resolve()
    if (!this.#connecting) {
      this.#connecting = Promise.withResolvers<void>()
      this.#connecting.promise.catch(() => {})
    }
    const { promise } = this.#connecting
    this.#approver.preload()
    this.#watchPage()
    this.#session.connect()
    return promise
  }

  /** Ends the session; open turns and calls end as cancelled. Tools and context stay, for the next {@link connect}. */
  disconnect(): void {
    this.#runner.cancelAll('The page disconnected.')
    this.#questions.cancelAll()
    this.#session.disconnect()
    this.#sync.reset()
    this.#lifetime?.stop()
    this.#stopRoute?.()
    this.#lifetime = this.#stopRoute = undefined
    this.#settleConnecting(new DomosError('cancelled', 'The page disconnected.'))
  }

  /** Disconnects and lets go of everything. The client cannot be used again. */
  destroy(): void {
    if (this.#destroyed) return
    this.disconnect()
    this.#destroyed = true
    this.#registry.clear()
    this.#context.clear()
    this.#approver.destroy()
    this.#events.clear()
  }

  get state(): ClientState {
    return this.#state
  }

  /** True from the acknowledgement to the loss of the connection, also while thinking, speaking or listening. */
  get isConnected(): boolean {
    return this.#session.isConnected
  }

  get sessionId(): string | undefined {
    return this.#session.protocol.sessionId
  }

  // ---- tools ----

  /**
   * Offers a tool to the agent; the returned function takes it back (Core Concepts, "Dynamic Tools Registry"). A tool of
   * the same name is replaced.
   * @throws DomosError `invalid_request` when name, description, handler or parameters are unusable
   */
  registerTool<const P extends ToolParameters | undefined = undefined>(definition: ToolDefinition<P>): () => void
  registerTool<const P extends ToolParameters | undefined = undefined>(
    name: string,
    definition: Omit<ToolDefinition<P>, 'name'>,
  ): () => void
  registerTool<const P extends ToolParameters | undefined>(
    first: ToolDefinition<P> | string,
    second?: Omit<ToolDefinition<P>, 'name'>,
  ): () => void {
    if (typeof first !== 'string') return this.#registry.add(first)
    return this.#registry.add({ ...second, name: first } as ToolDefinition<P>)
  }

  /** Takes a tool back by its name; false when there is none. */
  unregisterTool(name: string): boolean {
    return this.#registry.remove(name)
  }

  /** Takes back all tools of a component that are not `global`; gives their number. */
  unregisterComponent(componentId: string): number {
    return this.#registry.removeComponent(componentId)
  }

  hasTool(name: string): boolean {
    return this.#registry.get(name) !== undefined
  }

  /** What the page offers now, in order of registration. */
  get registeredTools(): readonly ToolDescription[] {
    return this.#registry.list().map(describeTool)
  }

  get toolCount(): number {
    return this.#registry.size
  }

  /** Names of the tools in force by the server's account; before it gave one, those announced. */
  get effectiveTools(): readonly string[] {
    return this.#surface.effective ?? this.#announcedTools().map((tool) => tool.name)
  }

  /** Names of this page's tools that do not count: collisions and surplus. */
  get ignoredClientTools(): readonly string[] {
    return this.#surface.ignored
  }

  /** Sends the page's state now, in place of a pending update. Does nothing without a session. */
  syncToolsWithServer(): void {
    this.#sync.sendNow()
  }

  /**
   * Runs a tool of this page as the agent would: argument check, risk, approval, time limit.
   * @throws DomosError `invalid_request`, `not_found`, `forbidden` (declined), `expired`, `timeout`, `cancelled`, `script_failed`
   */
  async callTool(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<JsonValue> {
    const { outcome } = await this.#runner.run({ callId: `page_${randomHex()}`, name, args, origin: 'page' })
    if (outcome.status === 'success') return outcome.result
    throw callError(outcome)
  }

  // ---- context ----

  /** Replaces what one owner tells of the page (Core Concepts, "Shadow Context"); the returned function takes it back. */
  setContext(data: object, ownerId?: string): () => void {
    return this.#context.set(data, ownerId)
  }

  /** Adds to what one owner tells of the page; the returned function takes the added keys back. */
  updateContext(data: object, ownerId?: string): () => void {
    return this.#context.update(data, ownerId)
  }

  /** What all owners tell, as one frozen object. */
  getContext(): JsonObject {
    return this.#context.get()
  }

  // ---- conversation ----

  /**
   * Says something to the agent. Without a connection it waits in a bounded queue. `done` tells how the turn ended and
   * never rejects: a full queue, a refusal and a lost session end it as `failed`, with a code.
   */
  sendText(text: string): TurnHandle {
    return this.sendInput(text, 'text')
  }

  /** {@link sendText}, or one utterance of base64 PCM with `modality: 'audio'` (s16le, 16 kHz, mono unless `mimeType` says otherwise). */
  sendInput(content: string, modality: 'text' | 'audio' = 'text', mimeType?: string): TurnHandle {
    if (this.#destroyed) throw destroyedError()
    return this.#session.say(content, modality, mimeType)
  }

  /** Stops the running turn and its tool calls. */
  stop(): void {
    if (!this.#session.protocol.supports('stream')) this.#runner.cancelAll('The person stopped it.')
    this.#session.cancelTurn()
  }

  /**
   * Asks for a join token; gives the id of the question, or nothing without a connection or where the server has none. The
   * answer is a `system.event` of kind `join_token`: `requestJoinToken` of `@domos/core/join` waits for it.
   */
  askForJoinToken(): string | undefined {
    return this.#session.askForJoinToken()
  }

  // ---- events ----

  /** Listens to one event, or with one object of handlers to many. The returned function ends it. */
  on(handlers: ClientHandlers): () => void
  on<Name extends ClientEventName>(name: Name, listener: (data: ClientEvents[Name]) => void): () => void
  on<Name extends ClientEventName>(
    first: Name | ClientHandlers,
    listener?: (data: ClientEvents[Name]) => void,
  ): () => void {
    if (typeof first === 'object') return subscribeHandlers(this.#events, first)
    return listener ? this.#events.on(first, listener) : () => {}
  }

  off<Name extends ClientEventName>(name: Name, listener: (data: ClientEvents[Name]) => void): void {
    this.#events.off(name, listener)
  }

  /** Listens to every event. The returned function ends it. */
  onAnyEvent(listener: (name: ClientEventName, data: ClientEvents[ClientEventName]) => void): () => void {
    return this.#events.onAny(listener)
  }

  offAnyEvent(listener: (name: ClientEventName, data: ClientEvents[ClientEventName]) => void): void {
    this.#events.offAny(listener)
  }

  /** {@link on} for one event. */
  onEvent<Name extends ClientEventName>(name: Name, listener: (data: ClientEvents[Name]) => void): () => void {
    return this.#events.on(name, listener)
  }

  /** {@link off}. */
  offEvent<Name extends ClientEventName>(name: Name, listener: (data: ClientEvents[Name]) => void): void {
    this.#events.off(name, listener)
  }

  // ---- inside ----

  /** Only a client that is to be connected touches the page: frameworks make clients that they never use. */
  #watchPage(): void {
    const { endpoint = '/adtp', resumeAcrossReloads = true } = this.#options
    this.#stopRoute ??= watchRoute(() => this.#sync.mark())
    this.#lifetime ??= watchPageLifetime({
      session: this.#session,
      endpoint,
      resumeAcrossReloads,
      running: () => this.#runner.running,
    })
  }

  #createSession(base: ClientBase): ClientSession {
    const options = this.#options
    const { dialect = 'document', apiKey, endpoint = '/adtp' } = options
    const spokenKey = dialect === 'spoken' ? apiKey : undefined
    return new ClientSession({
      ...base,
      autoReconnect: options.autoReconnect ?? true,
      reconnect: options.reconnect ?? {},
      protocol: {
        dialect,
        capabilities: CAPABILITIES,
        hello: helloFields(options),
        now: () => this.#clock.now(),
        maxRememberedCalls: this.#limits.rememberedCallsMax,
        ...(apiKey !== undefined && { apiKey }),
      },
      open: async (signal) => {
        const url = endpointUrl(endpoint, spokenKey)
        return await (options.transport?.(url, signal) ?? openWebSocket(url, signal, options.webSocket))
      },
      changed: () => this.#updateState(),
      linkChanged: (state) => {
        if (state !== 'connected') this.#sync.reset()
      },
      failed: (error) => this.#report(error),
      gaveUp: (error) => this.#settleConnecting(error),
      started: (resumed) => this.#started(resumed),
      toolCall: (call) => {
        if (this.#lifetime?.interrupted.has(call.callId)) this.#answerInterrupted(call.callId, call.ticket)
        else void this.#runner.run({ ...call, origin: 'agent', sessionId: this.sessionId })
      },
      toolCancel: (callId) => {
        this.#questions.cancel(callId)
        this.#runner.cancel(callId, 'The agent withdrew the call.')
      },
      approvalRequest: (request, sentAt) => void this.#questions.ask(request, sentAt),
      toolsEffective: (data) => this.#surface.take(data),
    })
  }

  #started(resumed: boolean): void {
    if (!resumed) {
      this.#runner.cancelAll('The server began a new session.')
      this.#questions.cancelAll()
      this.#lifetime?.interrupted.clear()
    }
    this.#surface.reset()
    this.#settleConnecting()
    this.#events.emit('session.started', {
      sessionId: this.sessionId ?? '',
      resumed,
      capabilities: CAPABILITIES.filter((name) => this.#session.protocol.supports(name)),
    })
    this.#sync.reset()
    this.#sync.sendNow()
  }

  /** A call that a page before this one had begun: it must not run again, and how it ended nobody knows. */
  #answerInterrupted(callId: string, ticket: string | undefined): void {
    const error =
      'The page was reloaded while the tool ran; whether it took effect is unknown. Look before trying again.'
    this.#session.sendResult(callId, { outcome: { status: 'error', code: 'failed', error }, approval: 'none' }, ticket)
  }

  #announcedTools(): readonly RegisteredTool[] {
    return this.#surface.announced(this.#session.protocol.maxActiveTools ?? this.#limits.activeToolsMax)
  }

  #readPage(): PageState {
    const { url, title } = readLocation()
    return { url, title, tools: this.#announcedTools().map(describeTool), data: this.#context.get() }
  }

  #report(error: DomosError): void {
    this.#events.emit('system.error', { code: error.code, message: error.message, error })
  }

  #updateState(): void {
    const next = clientState(this.#session.linkState, this.#session.isThinking)
    const previous = this.#state
    if (next === previous) return
    this.#state = next
    this.#events.emit('connection.state.changed', { state: next, previous })
  }

  #settleConnecting(error?: DomosError): void {
    const pending = this.#connecting
    this.#connecting = undefined
    if (error) pending?.reject(error)
    else pending?.resolve()
  }
}
