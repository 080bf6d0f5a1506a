/** One thing the document demands. */
export interface Requirement {
  /** Cited by the tests that hold it. */
  readonly id: string
  /** Where it stands in the document. */
  readonly heading: string
  /** What is demanded. */
  readonly sentence: string
}

/** What "WebSocket Voice Protocol" demands. */
export const requirements: readonly Requirement[] = [
  ...under('WebSocket Voice Protocol', {
    'AUDIO-URL-1': 'The door is a raw WebSocket at ws://<host>:<VOICE_PORT>/audio.',
    'AUDIO-URL-2': 'The default is ws://localhost:3000/audio.',
  }),
  ...under('Audio Format', {
    'AUDIO-FORMAT-1': 'All audio is raw PCM in binary frames: signed 16-bit, little-endian, 16,000 Hz, mono.',
    'AUDIO-FORMAT-2': 'A frame holds at most 1 MB.',
    'AUDIO-FORMAT-3': 'Both directions use the same format.',
  }),
  ...under('Connection Lifecycle', {
    'AUDIO-LIFE-1': 'On connect the server assigns a sessionId and sends session_ack immediately.',
    'AUDIO-LIFE-2': 'session_start is optional: audio is taken without it.',
    'AUDIO-LIFE-3': 'transcript (user), transcript (assistant), tts_start, binary frames, tts_end come in this order.',
    'AUDIO-LIFE-4': 'session_end is optional; either side may close the connection.',
  }),
  ...under('Binary Frames: Audio Data', {
    'AUDIO-IN-1': 'There is no required chunk size; frames of 320 to 3,200 bytes are typical.',
    'AUDIO-IN-2': 'Audio in a frame goes through the voice pipeline.',
  }),
  ...under('Text Frames: Control Messages', {
    'AUDIO-TEXT-1': 'Control messages are JSON objects with a type field, in both directions.',
  }),
  ...under('session_start', {
    'AUDIO-START-1': 'The example of session_start is taken; deviceId names the device.',
    'AUDIO-START-2': 'deviceId is optional.',
  }),
  ...under('session_end', {
    'AUDIO-END-1': 'session_end ends the voice session.',
    'AUDIO-END-2': 'The connection remains open after session_end.',
  }),
  ...under('config', {
    'AUDIO-CONFIG-1': 'The example of config is applied to this connection at run time.',
    'AUDIO-CONFIG-2': 'The config object is optional.',
  }),
  ...under('status (client)', {
    'AUDIO-STATUS-1': 'The server answers a status request with a status message.',
  }),
  ...under('Binary Frames: TTS Audio Data', {
    'AUDIO-OUT-1': 'Synthesised audio is sent between tts_start and tts_end, and nowhere else.',
  }),
  ...under('session_ack', {
    'AUDIO-ACK-1': 'session_ack carries sessionId and details {sampleRate: 16000, channels: 1, bitDepth: 16}.',
    'AUDIO-ACK-2': 'The sessionId is assigned by the server and spelled session- and hex digits.',
  }),
  ...under('tts_start', {
    'AUDIO-TTS-1': 'tts_start carries the sessionId and tells that audio frames follow.',
  }),
  ...under('tts_end', {
    'AUDIO-TTS-2': 'tts_end carries the sessionId and tells that all frames of the utterance were sent.',
  }),
  ...under('error', {
    'AUDIO-ERROR-1': 'error carries a description for a person, and the sessionId if there is one.',
  }),
  ...under('transcript', {
    'AUDIO-SCRIPT-1': 'transcript carries sessionId, text and role user or assistant.',
    'AUDIO-SCRIPT-2': 'words is optional; each entry has word, start and end in milliseconds.',
    'AUDIO-SCRIPT-3': 'words stands only in transcripts of what a person said.',
  }),
  ...under('status (server)', {
    'AUDIO-STATUS-2': 'status carries connectedAt, the Unix time in milliseconds at which the connection began.',
    'AUDIO-STATUS-3': 'bytesReceived counts the audio bytes received from the client.',
    'AUDIO-STATUS-4': 'bytesSent counts the audio bytes sent to the client.',
    'AUDIO-STATUS-5': 'uptime is the duration of the connection in milliseconds.',
  }),
  ...under('Keepalive and Timeout', {
    'AUDIO-PING-1': 'The server sends ping frames at a configurable interval, by default 30 seconds.',
    'AUDIO-PING-2': 'A client that gave no pong before the next ping cycle is terminated.',
  }),
  ...under('Connection Limits', {
    'AUDIO-LIMIT-1': 'At most 10 connections are open at a time.',
    'AUDIO-LIMIT-2': 'A frame of more than 1 MB is refused.',
    'AUDIO-LIMIT-3': 'A connection beyond the limit is closed with 1013 and "Max clients reached".',
  }),
  ...under('Connection Rejection', {
    'AUDIO-CLOSE-1': 'A graceful shutdown closes connections with 1001 and "Server shutting down".',
  }),
  ...under('Runtime Errors', {
    'AUDIO-ERROR-2': 'Errors during audio processing are reported as error messages.',
    'AUDIO-ERROR-3': 'The connection remains open after an error, so that the client can retry.',
  }),
  ...under('Reconnection', {
    'AUDIO-RETRY-1': 'The client waits 1 second after the first disconnection.',
    'AUDIO-RETRY-2': 'The waiting time doubles with each further attempt.',
    'AUDIO-RETRY-3': 'The waiting time is at most 30 seconds.',
    'AUDIO-RETRY-4': 'A successful connection resets the waiting time.',
  }),
  ...under('Example: Browser Client', {
    'AUDIO-SAMPLE-1': "The document's browser client works as it stands.",
  }),
  ...under('Example: ESP32 Client', {
    'AUDIO-ESP-1': 'Devices send binary frames of 100 ms and more.',
    'AUDIO-ESP-2': 'Devices answer pings, and reconnect with back-off after Wi-Fi breaks.',
  }),
]

function under(heading: string, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, heading, sentence }))
}
