import {
  type ClientProtocol,
  type ClientProtocolOptions,
  createClientProtocol,
  type ToClientMessage,
  type ToClientPayload,
} from '@domos/adtp/client'
import { DomosError, type ErrorCode } from '@domos/spec'
import type { LinkState } from './connection/connection-state.ts'
import { Link, type LinkPort } from './connection/link.ts'
import type { PageState } from './context/context-sync.ts'
import type { FinishedCall } from './tools/call-runner.ts'
import { isInputRefusal, type OpenTurn, type TurnHandle, type TurnSummary, Turns } from './turns.ts'

/** What a session tells its owner. */
export interface SessionPort extends Pick<LinkPort, 'clock' | 'limits' | 'autoReconnect' | 'reconnect' | 'open'> {
  readonly protocol: ClientProtocolOptions
  /** The connection or the activity changed. */
  changed(): void
  linkChanged(state: LinkState): void
  failed(error: DomosError): void
  /** There will be no connection unless somebody asks again. */
  gaveUp(error: DomosError): void
  /** The handshake is done. With `resumed`, calls and turns go on; otherwise everything open was given up. */
  started(resumed: boolean): void
  toolCall(call: ToClientPayload<'TOOL_CALL'>): void
  toolCancel(callId: string): void
  approvalRequest(request: ToClientPayload<'APPROVAL_REQUEST'>, sentAt: number | undefined): void
  turnStarted(turn: OpenTurn): void
  turnEnded(turn: OpenTurn, summary: TurnSummary): void
  responded(text: string, done: boolean, whole: string, turnId: string | undefined): void
  systemEvent(event: ToClientPayload<'SYSTEM_EVENT'>): void
}

/** One conversation with the server over however many connections it takes. */
export class ClientSession {
  readonly #port: SessionPort
  readonly #link: Link
  readonly #protocol: ClientProtocol
  readonly #turns: Turns
  /** Answers to calls and approvals the server may not have got yet, by call id. */
  readonly #unconfirmed = new Map<string, string>()
  readonly #inputFrames = new Map<string, string>()
  #acknowledged = false
  /** Text of an answer that this page did not ask for, e.g. after a reload. */
  #foreignText: string | undefined

  constructor(port: SessionPort) {
    this.#port = port
    this.#protocol = createClientProtocol(port.protocol)
    this.#turns = new Turns(() => port.changed())
    this.#link = new Link({
      clock: port.clock,
      limits: port.limits,
      autoReconnect: port.autoReconnect,
      reconnect: port.reconnect,
      open: (signal) => port.open(signal),
      opened: (connection) => connection.send(this.#protocol.hello()),
      frame: (frame) => this.#receive(frame),
      changed: (state) => this.#linkChanged(state),
      failed: (error) => port.failed(error),
      gaveUp: (error) => port.gaveUp(error),
    })
  }

  get protocol(): ClientProtocol {
    return this.#protocol
  }

  get linkState(): LinkState {
    return this.#link.state
  }

  get isConnected(): boolean {
    return this.#acknowledged
  }

  /** Whether an answer is awaited or under way. */
  get isThinking(): boolean {
    return this.#turns.size > 0 || this.#foreignText !== undefined
  }

  connect(): void {
    this.#link.connect()
  }

  disconnect(): void {
    this.#link.disconnect()
    this.#giveUp(new DomosError('cancelled', 'The client disconnected.'))
    this.#protocol.forget()
  }

  /** Leaves the connection as a page does that is going away: the session may be taken up by the next one. */
  leave(): void {
    this.#link.disconnect(1001, 'Page hidden')
  }

  /** Sends what the person said, now or as soon as there is a connection. Refused with `busy` when the queue is full. */
  say(content: string, modality: 'text' | 'audio', mimeType?: string): TurnHandle {
    const frame = this.#protocol.userInput({ modality, content, ...(mimeType !== undefined && { mimeType }) })
    const id = frameId(frame)
    const { turn, done } = this.#turns.start({ id, content, modality, ...(mimeType !== undefined && { mimeType }) })
    this.#port.turnStarted(turn)
    if (this.#turns.unsent.length > this.#port.limits.sendQueueMax) {
      const message = `${this.#port.limits.sendQueueMax} inputs wait for a connection already (sendQueueMax).`
      this.#endTurn(turn, new DomosError('busy', message))
    } else {
      this.#inputFrames.set(id, frame)
      this.#sendInputs()
    }
    return { id, done, cancel: () => this.cancelTurn(turn) }
  }

  /** Stops the running turn, or the one given. */
  cancelTurn(wanted?: OpenTurn): void {
    const turn = wanted ?? this.#turns.current ?? this.#turns.unsent[0]
    if (turn && this.#turns.find(turn.id) === undefined) return
    if (turn) turn.cancelled = true
    if (turn && !turn.sent) {
      this.#endTurn(turn)
      return
    }
    const frame = this.#protocol.cancelTurn('The person stopped it.')
    // A server that cannot stop goes on talking: what still comes of this turn is not shown any more.
    if (frame !== undefined && this.#acknowledged) this.#link.send(frame)
  }

  sendContext(state: PageState): void {
    const activeTools = state.tools.map(({ risk, ...tool }) => (risk === 'none' ? tool : { ...tool, risk }))
    const title = state.title === '' ? {} : { title: state.title }
    const data = Object.keys(state.data).length === 0 ? {} : { data: state.data }
    // The document's frame names the data always once there has been some; an empty object takes it back.
    this.#link.send(
      this.#protocol.contextUpdate({
        url: state.url,
        ...title,
        activeTools,
        ...(this.#hadData ? { data: state.data } : data),
      }),
    )
    if (Object.keys(state.data).length > 0) this.#hadData = true
  }

  #hadData = false

  sendResult(callId: string, finished: FinishedCall, ticket?: string): void {
    const { outcome, approval } = finished
    const selfApproved =
      this.#protocol.dialect === 'spoken' && !this.#protocol.supports('approval') && approval !== 'none'
    // In the spoken dialect the response of a person carries the result in place of TOOL_RESULT.
    const frame = selfApproved
      ? this.#protocol.approvalResponse({
          callId,
          approved: approval === 'approved',
          ...(outcome.status === 'success' ? { result: outcome.result } : { error: outcome.error }),
        })
      : this.#protocol.toolResult(callId, outcome, ticket)
    this.#sendKept(callId, frame)
  }

  /** Tells a server of the spoken dialect that a person is being asked, so that it waits on the approval clock. */
  announceApproval(question: Parameters<ClientProtocol['frame']>[1] & object): void {
    if (this.#protocol.dialect !== 'spoken' || this.#protocol.supports('approval')) return
    this.#link.send(this.#protocol.frame('APPROVAL_REQUEST', question as never))
  }

  sendApproval(response: {
    callId: string
    approved: boolean
    digest?: string
    by?: string
    reason?: string
    error?: string
  }): void {
    this.#sendKept(`approval ${response.callId}`, this.#protocol.approvalResponse(response))
  }

  sendProgress(callId: string, report: { readonly fraction?: number; readonly message?: string }): void {
    const frame = this.#protocol.toolProgress({ callId, ...report })
    if (frame !== undefined && this.#acknowledged) this.#link.send(frame)
  }

  #sendKept(key: string, frame: string): void {
    this.#unconfirmed.set(key, frame)
    const oldest = this.#unconfirmed.keys().next()
    if (this.#unconfirmed.size > this.#port.limits.rememberedCallsMax && !oldest.done)
      this.#unconfirmed.delete(oldest.value)
    if (this.#acknowledged) this.#link.send(frame)
  }

  #sendInputs(): void {
    if (!this.#acknowledged) return
    for (const turn of this.#turns.unsent) {
      const frame = this.#inputFrames.get(turn.id)
      if (frame !== undefined && this.#link.send(frame)) turn.sent = true
    }
    this.#port.changed()
  }

  #linkChanged(state: LinkState): void {
    if (state !== 'connected') this.#acknowledged = false
    if (state === 'error' && this.#protocol.resumeState === undefined) this.#foreignText = undefined
    this.#port.linkChanged(state)
    this.#port.changed()
  }

  #receive(frame: string | Uint8Array): void {
    const received = this.#protocol.receive(frame)
    switch (received.type) {
      case 'message':
        this.#take(received.message)
        return
      case 'repeated-call':
        if (received.answer !== undefined) this.#link.send(received.answer)
        return
      case 'repeated-frame':
        return
      case 'refused': {
        const details = { code: received.code, path: received.path }
        this.#port.failed(
          new DomosError('invalid_request', `A frame of the server was refused: ${received.message}`, { details }),
        )
        return
      }
    }
  }

  #take(message: ToClientMessage): void {
    // Nothing counts before the handshake is done.
    if (message.type === 'HANDSHAKE_ACK') this.#welcome(message.payload.resumed === true)
    else if (message.type === 'SYSTEM_EVENT') this.#systemEvent(message.payload)
    else if (!this.#acknowledged) return
    else if (message.type === 'TOOL_CALL') this.#port.toolCall(message.payload)
    else if (message.type === 'AGENT_RESPONSE') this.#response(message.payload)
    else if (message.type === 'APPROVAL_REQUEST') this.#port.approvalRequest(message.payload, message.timestamp)
    else if (message.type === 'TOOL_CANCEL') this.#port.toolCancel(message.payload.callId)
  }

  #welcome(resumed: boolean): void {
    if (this.#acknowledged || this.#link.state !== 'handshaking') return
    this.#acknowledged = true
    if (!resumed)
      this.#giveUp(new DomosError('unavailable', 'The connection was lost and the server began a new session.'), true)
    this.#link.acknowledged()
    this.#port.started(resumed)
    for (const frame of this.#unconfirmed.values()) this.#link.send(frame)
    for (const turn of this.#turns.sent) {
      const frame = this.#inputFrames.get(turn.id)
      if (frame !== undefined && turn.text === '') this.#link.send(frame)
    }
    this.#sendInputs()
  }

  #giveUp(error: DomosError, keepUnsent = false): void {
    this.#unconfirmed.clear()
    this.#foreignText = undefined
    this.#hadData = false
    for (const turn of keepUnsent ? this.#turns.sent : [...this.#turns.sent, ...this.#turns.unsent])
      this.#endTurn(turn, error)
  }

  #response({ chunk, done, ref }: ToClientPayload<'AGENT_RESPONSE'>): void {
    const turn = ref === undefined ? this.#turns.current : this.#turns.find(ref)
    // The end of an input that was refused, and so has ended here already.
    if (ref !== undefined && turn === undefined && chunk === '' && this.#foreignText === undefined) return
    const shown = turn?.cancelled ? '' : chunk
    if (turn) turn.text += shown
    else this.#foreignText = (this.#foreignText ?? '') + shown
    const whole = turn ? turn.text : (this.#foreignText ?? '')
    if (done) {
      this.#foreignText = undefined
      // The turn is over, so its calls are settled at the server.
      if (this.#turns.sent.length <= 1) this.#unconfirmed.clear()
    }
    this.#port.responded(shown, done, whole, turn?.id)
    if (done && turn) this.#endTurn(turn)
    this.#port.changed()
  }

  #systemEvent(event: ToClientPayload<'SYSTEM_EVENT'>): void {
    if (event.kind !== 'error') {
      this.#port.systemEvent(event)
      return
    }
    const data = event.data ?? {}
    const code = typeof data.code === 'string' ? data.code : 'internal'
    const error = new DomosError(code as ErrorCode, event.message ?? 'The server reported an error.', {
      details: { wire: true, ...(typeof data.path === 'string' && data.path !== '' && { path: data.path }) },
    })
    const turn = typeof data.ref === 'string' ? this.#turns.find(data.ref) : undefined
    if (turn) turn.error = error
    this.#port.failed(error)
    // A server that names inputs in its answers ends each of them. Others send no end for what they refuse while they answer.
    const ends = this.#protocol.supports('stream') || this.#turns.sent.length <= 1
    if (turn && !ends && isInputRefusal(code)) this.#endTurn(turn, error)
  }

  #endTurn(turn: OpenTurn, failure?: DomosError): void {
    this.#inputFrames.delete(turn.id)
    const summary = this.#turns.end(turn, failure)
    this.#port.turnEnded(turn, summary)
  }
}

function frameId(frame: string): string {
  const { id, meta } = JSON.parse(frame) as { id?: string; meta?: { id?: string } }
  return id ?? meta?.id ?? ''
}
