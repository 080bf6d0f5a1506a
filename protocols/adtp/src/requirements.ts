/** One thing a document demands. */
export interface Requirement {
  /** Cited by the tests that hold it. */
  readonly id: string
  /** Where it stands in the document. */
  readonly heading: string
  /** What is demanded. */
  readonly sentence: string
}

/** What the protocol specification ("ADTP Protocol Specification") and "Core Concepts" demand. */
export const requirements: readonly Requirement[] = [
  ...under('ADTP Protocol Specification', {
    'ADTP-GEN-1': 'ADTP is a JSON-based protocol operating over WebSockets.',
    'ADTP-GEN-2': 'Client and server communicate in both directions in real time.',
  }),
  ...under('Message Envelope Structure', {
    'ADTP-ENV-1': 'All messages share a common envelope of type, payload and meta.',
    'ADTP-ENV-2': 'meta holds id, timestamp (epoch milliseconds) and version.',
  }),
  ...under('Connection & Initial Handshake', {
    'ADTP-SEQ-1': 'The client initiates the handshake immediately upon opening the WebSocket connection.',
    'ADTP-SEQ-2': 'The server replies with a session acknowledgment containing a unique session ID.',
  }),
  ...under('Message Flow & Tool Execution', {
    'ADTP-SEQ-3': 'On user input the server feeds the input, the current context and the active tools into the LLM.',
    'ADTP-SEQ-4': 'If the LLM requests a tool call, the server routes it to the client and awaits the result.',
    'ADTP-SEQ-5': 'The server streams back the final response.',
  }),
  ...under('Message Types Reference', {
    'ADTP-MSG-1': 'HANDSHAKE_INIT (client to server) initializes the session with protocolVersion and capabilities.',
    'ADTP-MSG-2':
      'HANDSHAKE_ACK (server to client) confirms the connection with sessionId, protocolVersion and capabilities.',
    'ADTP-MSG-3':
      'CONTEXT_UPDATE (client to server) carries url, title, activeTools with JSON Schema parameters, and data.',
    'ADTP-MSG-4': 'USER_INPUT (client to server) carries modality and content.',
    'ADTP-MSG-5': 'TOOL_CALL (server to client) requests a local tool with callId, name and args.',
    'ADTP-MSG-6': 'TOOL_RESULT (client to server) returns callId, status and result.',
    'ADTP-MSG-7': 'AGENT_RESPONSE (server to client) carries chunk and done.',
    'ADTP-MSG-8': 'SYSTEM_EVENT (bidirectional) carries kind and message.',
  }),
  ...under('3. CONTEXT_UPDATE', {
    'ADTP-CTX-1': 'It is sent dynamically whenever page state, URL or tools registration changes.',
  }),
  ...under('4. USER_INPUT', {
    'ADTP-INPUT-1': 'It carries a user message as text.',
    'ADTP-INPUT-2': 'It carries base64 raw PCM audio data.',
  }),
  ...under('8. SYSTEM_EVENT', {
    'ADTP-EVENT-1': 'It reports system alerts.',
    'ADTP-EVENT-2': 'It reports disconnect states.',
    'ADTP-EVENT-3': 'It reports rate limits.',
    'ADTP-EVENT-4': 'It reports validation errors.',
  }),
  ...under('Connection Troubleshooting: Handshake Timeout', {
    'ADTP-HSK-1':
      'On opening the channel the client sends HANDSHAKE_INIT and starts a timer of 5000 ms (HANDSHAKE_TIMEOUT_MS).',
    'ADTP-HSK-2': 'A valid HANDSHAKE_ACK clears the timer, and the client transitions to connected.',
    'ADTP-HSK-3': 'When the timer expires first, the connection state transitions to error.',
    'ADTP-HSK-4': 'When the timer expires first, a system event error notification is emitted.',
    'ADTP-HSK-5': "When the timer expires first, the transport is closed with close(4000, 'Handshake timeout').",
    'ADTP-HSK-6': 'When the timer expires first, the client triggers the configured reconnection delay strategy.',
  }),
  ...under('Core Concepts: 1. DomOSClient', {
    'CORE-CLIENT-1': 'DomOSClient is the framework-agnostic client engine provided by @domos/core.',
    'CORE-CLIENT-2': 'It opens the WebSocket transport.',
    'CORE-CLIENT-3': 'It authenticates the connection.',
    'CORE-CLIENT-4': 'It recovers the connection.',
    'CORE-CLIENT-5': 'It keeps track of the active tools available on the page.',
    'CORE-CLIENT-6': 'It builds and synchronizes the passive states of the page (shadow context).',
    'CORE-CLIENT-7': 'It executes local handlers, protects them with timeouts and forwards their results.',
  }),
  ...under('Core Concepts: 2. Dynamic Tools Registry', {
    'CORE-REG-1': 'A component that mounts declares its tools to the local registry.',
    'CORE-REG-2': 'An updated CONTEXT_UPDATE is dispatched to the server.',
    'CORE-REG-3': 'When a component unmounts, its tools are removed automatically, followed by another sync.',
    'CORE-REG-4': 'The model only sees tools relevant to the active viewport.',
  }),
  ...under('Core Concepts: The Tool Contract', {
    'CORE-TOOL-1': 'A handler returns a Promise resolving to the result of the action.',
    'CORE-TOOL-2': 'DomOS waits for this promise before it returns a response to the server.',
    'CORE-TOOL-3': 'An error of the awaited action is caught and reported.',
  }),
  ...under('Core Concepts: 3. Shadow Context', {
    'CORE-CTX-1': 'The shadow context is a lightweight, read-only representation of the current state.',
    'CORE-CTX-2': 'It does not copy the raw DOM; it aggregates metadata declared by active components.',
    'CORE-CTX-3': 'It holds the URL path.',
    'CORE-CTX-4': 'It holds the visual page context.',
    'CORE-CTX-5': 'It holds loaded metadata.',
    'CORE-CTX-6': 'It holds the user status.',
    'CORE-CTX-7': 'The LLM consumes this context continuously.',
  }),
  ...under('Core Concepts: 4. HITL Security', {
    'CORE-HITL-1': 'Tools declare their risk classification when registered.',
    'CORE-HITL-2': 'Risk none: executed instantly without warning.',
    'CORE-HITL-3': 'Risk low: executed instantly, triggers a silent UI notification.',
    'CORE-HITL-4': 'Risk high: suspends execution and triggers a confirmation modal.',
    'CORE-HITL-5': 'Risk critical: suspends execution and shows a reinforced approval UI.',
    'CORE-HITL-6': 'High and critical tools cannot execute until the user physically clicks "Approve" on the overlay.',
    'CORE-HITL-7': 'The confirmation interface is rendered inside a closed Shadow DOM.',
  }),
]

function under(heading: string, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, heading, sentence }))
}
