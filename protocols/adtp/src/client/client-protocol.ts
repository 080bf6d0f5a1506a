import type { JsonObject, JsonValue, ToolFailureCode } from '@domos/spec'
import type { Extension } from '../capabilities.ts'
import { spellSpoken } from '../dialect.ts'
import { type DecodedFrame, type Dialect, encodeFrame, newFrameId, readFrame } from '../frame.ts'
import { PROTOCOL_VERSION } from '../limits.ts'
import type { ToClientMessage, ToServerPayload, ToServerType } from '../messages.ts'
import type { WireTool } from '../tool-declaration.ts'
import { toSpokenSchema } from '../tool-schema.ts'
import { CallMemory } from './call-memory.ts'
import { checkServerPayload } from './server-messages.ts'

/** Options of {@link createClientProtocol}. */
export interface ClientProtocolOptions {
  /** How frames to the server are spelled; frames from it are read in either dialect. @default 'document' */
  readonly dialect?: Dialect
  /** Names announced in HANDSHAKE_INIT: `text`, `audio`, `tools` and extensions. @default ['text', 'tools'] */
  readonly capabilities?: readonly string[]
  /** Sent in HANDSHAKE_INIT; where the key already went with the upgrade, leave it out. */
  readonly apiKey?: string
  /** Further fields of HANDSHAKE_INIT. */
  readonly hello?: Pick<
    ToServerPayload<'HANDSHAKE_INIT'>,
    'userAgent' | 'viewport' | 'sdkVersion' | 'language' | 'webdriver' | 'joinToken'
  >
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number
  /** Calls remembered, so that none runs twice. @default 128 */
  readonly maxRememberedCalls?: number
}

/** What a frame from the server means. */
export type Received =
  | { readonly type: 'message'; readonly message: ToClientMessage }
  /** A call or question that came before; `answer` is the frame to send again, absent while it is still open. */
  | { readonly type: 'repeated-call'; readonly callId: string; readonly answer?: string }
  /** A frame of the resumed session that was received before the drop. */
  | { readonly type: 'repeated-frame' }
  | {
      readonly type: 'refused'
      readonly code: string
      readonly message: string
      readonly path: string
      readonly ref?: string
    }

/** The end of a tool call, as it goes to the server. */
export type ClientOutcome =
  | { readonly status: 'success'; readonly result: JsonValue }
  | { readonly status: 'error'; readonly error: string; readonly code: ToolFailureCode }

/** What a client shows to come back to its session. */
export interface ResumeState {
  readonly sessionId: string
  readonly token: string
  readonly lastSeq: number
}

/** The client's side of the protocol without sockets or timers: makes frames, reads frames, remembers what it must. */
export interface ClientProtocol {
  readonly dialect: Dialect
  /** Set by HANDSHAKE_ACK. */
  readonly sessionId: string | undefined
  /** Tools of one page that count at this server, where it said so. */
  readonly maxActiveTools: number | undefined
  /** What to show to come back; undefined where the server does not resume. Survives a drop; may be kept across a reload. */
  readonly resumeState: ResumeState | undefined
  /** Whether both sides announced the extension (or base capability). */
  supports(capability: Extension | 'text' | 'audio' | 'tools'): boolean
  /** The first frame. Carries `resume` when there is something to resume. */
  hello(): string
  /** Takes up a state kept from before, e.g. across a reload. */
  restore(state: ResumeState): void
  /** Gives the session up: the next hello asks for a new one. */
  forget(): void
  /** Reads a frame. HANDSHAKE_ACK sets the fields above. */
  receive(frame: string | Uint8Array): Received
  contextUpdate(page: {
    readonly url: string
    readonly title?: string
    readonly activeTools: readonly WireTool[]
    readonly data?: JsonObject
  }): string
  /** A USER_INPUT. Send the same frame again after a drop if no answer began: the server knows it by its id. */
  userInput(input: ToServerPayload<'USER_INPUT'>): string
  /** The result of a call; remembered in case the call comes again. */
  toolResult(callId: string, outcome: ClientOutcome, ticket?: string): string
  approvalResponse(response: ToServerPayload<'APPROVAL_RESPONSE'>): string
  /** Undefined where the server did not announce what it needs. */
  toolProgress(progress: ToServerPayload<'TOOL_PROGRESS'>): string | undefined
  cancelTurn(reason?: string): string | undefined
  /** Any other message the table allows. */
  frame<T extends ToServerType>(type: T, payload: ToServerPayload<T>): string
}

/** Makes the client's side of one logical connection; it outlives sockets. */
export function createClientProtocol(options: ClientProtocolOptions = {}): ClientProtocol {
  const { dialect = 'document', capabilities = ['text', 'tools'], now = Date.now } = options
  const memory = new CallMemory(options.maxRememberedCalls ?? 128)
  let sessionId: string | undefined
  let maxActiveTools: number | undefined
  let served: readonly string[] = []
  let resumeToken: string | undefined
  let lastSeq = 0

  function frame<T extends ToServerType>(type: T, payload: ToServerPayload<T>): string {
    const message = { type, id: newFrameId(dialect), timestamp: now(), payload: payload as unknown as JsonObject }
    return encodeFrame(message, dialect === 'spoken' ? { dialect, spell: spellSpoken } : { dialect })
  }

  function supports(capability: string): boolean {
    return served.includes(capability) && capabilities.includes(capability)
  }

  function resumeState(): ResumeState | undefined {
    return sessionId === undefined || resumeToken === undefined ? undefined : { sessionId, token: resumeToken, lastSeq }
  }

  function acknowledge(payload: Extract<ToClientMessage, { type: 'HANDSHAKE_ACK' }>['payload']): void {
    if (payload.resumed !== true) lastSeq = 0
    sessionId = payload.sessionId
    maxActiveTools = payload.maxActiveTools
    served = payload.capabilities ?? []
    resumeToken = payload.resumeToken
  }

  function receive(input: string | Uint8Array): Received {
    // The check of this very type has just accepted the payload.
    const decoded = readFrame(input, checkServerPayload) as DecodedFrame<ToClientMessage>
    if (!decoded.ok) {
      const { code, message, path, ref } = decoded
      return { type: 'refused', code, message, path, ...(ref === undefined ? {} : { ref }) }
    }
    const { message } = decoded
    if (message.type === 'HANDSHAKE_ACK') {
      acknowledge(message.payload)
    } else if (message.seq !== undefined) {
      // Open calls and questions are sent again under their old number, in case a page that was reloaded lost them.
      const mayRepeat = message.type === 'TOOL_CALL' || message.type === 'APPROVAL_REQUEST'
      if (message.seq <= lastSeq && !mayRepeat) return { type: 'repeated-frame' }
      lastSeq = Math.max(lastSeq, message.seq)
    }
    const key = memoryKey(message)
    if (key !== undefined && !memory.note(key)) {
      const answer = memory.answer(key)
      return { type: 'repeated-call', callId: key.slice(2), ...(answer === undefined ? {} : { answer }) }
    }
    return { type: 'message', message }
  }

  return {
    dialect,
    get sessionId() {
      return sessionId
    },
    get maxActiveTools() {
      return maxActiveTools
    },
    get resumeState() {
      return resumeState()
    },
    supports,
    hello() {
      const resume = resumeState()
      const spokenFields = { apiKey: 'anonymous', userAgent: '', viewport: '0x0', sdkVersion: PROTOCOL_VERSION }
      return frame('HANDSHAKE_INIT', {
        ...(dialect === 'spoken' ? spokenFields : {}),
        ...options.hello,
        ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
        protocolVersion: PROTOCOL_VERSION,
        capabilities: [...capabilities],
        ...(resume === undefined || !capabilities.includes('resume') ? {} : { resume }),
      })
    },
    restore(state) {
      sessionId = state.sessionId
      resumeToken = state.token
      lastSeq = state.lastSeq
    },
    forget() {
      sessionId = undefined
      resumeToken = undefined
      lastSeq = 0
    },
    receive,
    contextUpdate(page) {
      const reduce = dialect === 'spoken' && !served.includes('jsonschema')
      const activeTools = page.activeTools.map((tool) =>
        reduce && tool.parameters !== undefined ? { ...tool, parameters: toSpokenSchema(tool.parameters) } : tool,
      )
      return frame('CONTEXT_UPDATE', { ...page, activeTools })
    },
    userInput: (input) => frame('USER_INPUT', input),
    toolResult(callId, outcome, ticket) {
      const result = frame('TOOL_RESULT', { callId, ...outcome, ...(ticket === undefined ? {} : { ticket }) })
      memory.keepAnswer(`c:${callId}`, result)
      return result
    },
    approvalResponse(response) {
      const answer = frame('APPROVAL_RESPONSE', response)
      memory.keepAnswer(`a:${response.callId}`, answer)
      return answer
    },
    toolProgress: (progress) => (supports('tool_progress') ? frame('TOOL_PROGRESS', progress) : undefined),
    cancelTurn: (reason) =>
      supports('stream') ? frame('TURN_CANCEL', reason === undefined ? {} : { reason }) : undefined,
    frame,
  }
}

/** Under what a call or a question is remembered; the kinds are told apart, for both carry the call's id. */
function memoryKey(message: ToClientMessage): string | undefined {
  if (message.type === 'TOOL_CALL') return `c:${message.payload.callId}`
  if (message.type === 'APPROVAL_REQUEST') return `a:${message.payload.callId}`
  return undefined
}
