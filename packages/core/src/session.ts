import {
  type ClientProtocol,
  type ClientProtocolOptions,
  createClientProtocol,
  type ToClientMessage,
  type ToClientPayload,
  type ToServerPayload,
} from '@domos/adtp/client'
import { DomosError, type ErrorCode, type JsonObject, type JsonValue } from '@domos/spec'
import type { ClientBase } from './base.ts'
import { setBounded } from './bounded-map.ts'
import type { LinkState } from './connection/connection-state.ts'
import { Link, type LinkPort } from './connection/link.ts'
import type { PageState } from './context/context-sync.ts'
import type { FinishedCall } from './tools/call-runner.ts'
import { isInputRefusal, type OpenTurn, type TurnHandle, Turns } from './turns.ts'

/** What a session tells its owner. */
export interface SessionPort extends ClientBase, Pick<LinkPort, 'autoReconnect' | 'reconnect' | 'open' | 'gaveUp'> {
  readonly protocol: ClientProtocolOptions
  /** The connection or the activity changed. */
  changed(): void
  linkChanged(state: LinkState): void
  failed(error: DomosError): void
  /** The handshake is done. With `resumed`, calls and turns go on; otherwise everything open was given up. */
  started(resumed: boolean): void
  toolCall(call: ToClientPayload<'TOOL_CALL'>): void
  toolCancel(callId: string): void
  approvalRequest(request: ToClientPayload<'APPROVAL_REQUEST'>, sentAt: number | undefined): void
  /** The server's account of the tools in force. */
  toolsEffective(data: JsonObject): void
}

/** One conversation with the server over however many connections it takes. */
export class ClientSession {
  readonly #port: SessionPort
  readonly #link: Link
  readonly #protocol: ClientProtocol
  readonly #turns: Turns
  /** Answers to calls and approvals the server may not have got yet, by call id. */
  readonly #unconfirmed = new Map<string, string>()
  #acknowledged = false
  /** Text of an answer that this page did not ask for, e.g. after a reload. */
  #foreignText: string | undefined

  constructor(port: SessionPort) {
    this.#port = port
    this.#protocol = createClientProtocol(port.protocol)
    this.#turns = new Turns(() => port.changed())
    this.#link = new Link({
      ...port,
      opened: (connection) => connection.send(this.#protocol.hello()),
      frame: (frame) => this.#receive(frame),
      changed: (state) => this.#linkChanged(state),
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
    this.#giveUp(new DomosError('cancelled', 'The page disconnected.'))
    this.#protocol.forget()
  }

  /** Sends what the person said, now or as soon as there is a connection. Refused with `busy` when the queue is full. */
  say(content: string, modality: 'text' | 'audio', mimeType?: string): TurnHandle {
    const frame = this.#protocol.userInput({ modality, content, ...(mimeType !== undefined && { mimeType }) })
    const id = frameId(frame)
    const { turn, done } = this.#turns.start(id, frame)
    this.#port.events.emit('turn.started', { turnId: id, content, modality })
    const { sendQueueMax } = this.#port.limits
    if (this.#turns.unsent.length > sendQueueMax) {
      this.#endTurn(
        turn,
        new DomosError('busy', `${sendQueueMax} inputs wait for a connection already (sendQueueMax).`),
      )
    } else this.#sendInputs()
    return { id, done, cancel: () => this.cancelTurn(turn) }
  }

  /** Asks for a join token; gives the id of the question, or nothing where nobody can be asked. */
  askForJoinToken(): string | undefined {
    if (!this.#acknowledged || !this.#protocol.supports('join')) return undefined
    const frame = this.#protocol.frame('SYSTEM_EVENT', { kind: 'join_token' })
    this.#link.send(frame)
    return frameId(frame)
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
    const frame = this.#protocol.cancelTurn()
    // A server that cannot stop goes on talking: what still comes of this turn is not shown any more.
    if (frame !== undefined && this.#acknowledged) this.#link.send(frame)
  }

  sendContext({ url, title, tools, data }: PageState): void {
    const activeTools = tools.map(({ risk, ...tool }) => (risk === 'none' ? tool : { ...tool, risk }))
    this.#link.send(this.#protocol.contextUpdate({ url, ...(title !== '' && { title }), activeTools, data }))
  }

  sendResult(callId: string, { outcome, approval }: FinishedCall, ticket?: string): void {
    // In the spoken dialect the response of a person carries the result in place of TOOL_RESULT.
    const frame =
      this.#announcesApprovals && approval !== 'none'
        ? this.#protocol.approvalResponse({
            callId,
            approved: approval === 'approved',
            ...(outcome.status === 'success' ? { result: outcome.result } : { error: outcome.error }),
          })
        : this.#protocol.toolResult(callId, outcome, ticket)
    this.#sendKept(callId, frame)
  }

  /** Tells a server of the spoken dialect that a person is being asked, so that it waits on the approval clock. */
  announceApproval(question: Omit<ToServerPayload<'APPROVAL_REQUEST'>, 'message'>): void {
    if (!this.#announcesApprovals) return
    const { callId, toolName, risk, args } = question
    const message = `Approve "${toolName}"?`
    this.#link.send(this.#protocol.frame('APPROVAL_REQUEST', { callId, toolName, risk, args, message }))
  }

  get #announcesApprovals(): boolean {
    return this.#protocol.dialect === 'spoken' && !this.#protocol.supports('approval')
  }

  sendApproval(response: ToServerPayload<'APPROVAL_RESPONSE'>): void {
    this.#sendKept(`approval ${response.callId}`, this.#protocol.approvalResponse(response))
  }

  sendProgress(callId: string, report: { readonly fraction?: number; readonly message?: string }): void {
    const frame = this.#protocol.toolProgress({ callId, ...report })
    if (frame !== undefined && this.#acknowledged) this.#link.send(frame)
  }

  #sendKept(key: string, frame: string): void {
    setBounded(this.#unconfirmed, key, frame, this.#port.limits.rememberedCallsMax)
    if (this.#acknowledged) this.#link.send(frame)
  }

  #sendInputs(): void {
    for (const turn of this.#turns.unsent) turn.sent = this.#acknowledged && this.#link.send(turn.frame)
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
        const { code, path, message } = received
        const what = `A frame of the server was refused: ${code} ${path} ${message}`
        this.#port.failed(new DomosError('invalid_request', what, { details: { code, path } }))
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
    if (!resumed) this.#giveUp(new DomosError('unavailable', 'The server began a new session.'), true)
    this.#link.acknowledged()
    this.#port.started(resumed)
    for (const frame of this.#unconfirmed.values()) this.#link.send(frame)
    for (const turn of this.#turns.sent) {
      if (turn.text === '') this.#link.send(turn.frame)
    }
    this.#sendInputs()
  }

  #giveUp(error: DomosError, keepUnsent = false): void {
    this.#unconfirmed.clear()
    this.#foreignText = undefined
    for (const turn of keepUnsent ? this.#turns.sent : [...this.#turns.sent, ...this.#turns.unsent])
      this.#endTurn(turn, error)
  }

  #response({ chunk, done, ref }: ToClientPayload<'AGENT_RESPONSE'>): void {
    const isForeign = ref === undefined && this.#foreignText !== undefined
    const turn = isForeign ? undefined : ref === undefined ? this.#turns.current : this.#turns.find(ref)
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
    const { events } = this.#port
    if (shown !== '') events.emit('agent.response.delta', { text: shown, turnId: turn?.id })
    if (done) events.emit('agent.response.done', { text: whole, turnId: turn?.id })
    if (done && turn) this.#endTurn(turn)
    this.#port.changed()
  }

  #systemEvent(event: ToClientPayload<'SYSTEM_EVENT'>): void {
    if (event.kind !== 'error') {
      const { kind, message = '', data = null } = event
      if (kind === 'tools_effective' && data) this.#port.toolsEffective(data)
      // Somebody else in the session has said something; what comes without `ref` from here on is the answer to it.
      if (kind === 'transcript' && event.data?.ref === undefined && this.#protocol.supports('join')) {
        this.#foreignText ??= ''
        this.#port.changed()
      }
      this.#port.events.emit('system.event', { kind, message, data })
      return
    }
    const data = event.data ?? {}
    const code = typeof data.code === 'string' ? data.code : 'internal'
    const error = new DomosError(code as ErrorCode, event.message ?? 'The server reported an error.', {
      details: { path: textOf(data.path), ref: textOf(data.ref) },
    })
    const turn = typeof data.ref === 'string' ? this.#turns.find(data.ref) : undefined
    if (turn) turn.error = error
    this.#port.failed(error)
    // A server that names inputs in its answers ends each of them. Others send no end for what they refuse while they answer.
    const ends = this.#protocol.supports('stream') || this.#turns.sent.length <= 1
    if (turn && !ends && isInputRefusal(code)) this.#endTurn(turn, error)
  }

  #endTurn(turn: OpenTurn, failure?: DomosError): void {
    const summary = this.#turns.end(turn, failure)
    this.#port.events.emit('turn.completed', { turnId: turn.id, ...summary })
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function frameId(frame: string): string {
  const { id, meta } = JSON.parse(frame) as { id?: string; meta?: { id?: string } }
  return id ?? meta?.id ?? ''
}
