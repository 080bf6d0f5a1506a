/**
 * How small devices in the field differ from the document, as data. A connection begins with the row its upgrade fits, and
 * moves to `arduino` with the first message only devices send.
 */
export interface Dialect {
  readonly name: 'document' | 'arduino' | 'esp-idf'
  /** Paths that give it away. */
  readonly paths: readonly string[]
  /** WebSocket subprotocols that give it away. */
  readonly subprotocols: readonly string[]
  /** Beginnings of User-Agent that give it away. */
  readonly userAgents: readonly string[]
  /** Largest text frame it can take, in bytes; word times are left out, `text` is cut. Undefined = no bound. */
  readonly maxTextBytes: number | undefined
  /** Largest audio frame it can take, in bytes. */
  readonly maxAudioFrameBytes: number
  /** A binary frame that is a small JSON object with a `type` is a control message. */
  readonly takesJsonInBinary: boolean
  /** Gets `transcription`, `response` and `wake_verification` besides the document's messages. */
  readonly mirrorsTranscripts: boolean
  /** Channels of a declared rate other than 16 kHz that names none: such boards play and record interleaved stereo. */
  readonly otherRateChannels: 1 | 2
}

/** The rows, the document's first. */
export const dialects: readonly Dialect[] = [
  {
    name: 'document',
    paths: [],
    subprotocols: [],
    userAgents: [],
    maxTextBytes: undefined,
    maxAudioFrameBytes: 2_048,
    takesJsonInBinary: false,
    mirrorsTranscripts: false,
    otherRateChannels: 1,
  },
  {
    name: 'arduino',
    paths: ['/ws/audio'],
    subprotocols: ['arduino'],
    userAgents: ['arduino-WebSocket-Client'],
    maxTextBytes: 400,
    maxAudioFrameBytes: 2_048,
    takesJsonInBinary: true,
    mirrorsTranscripts: true,
    otherRateChannels: 2,
  },
  {
    name: 'esp-idf',
    paths: ['/webrtc'],
    subprotocols: [],
    userAgents: [],
    maxTextBytes: 400,
    maxAudioFrameBytes: 2_048,
    takesJsonInBinary: true,
    mirrorsTranscripts: true,
    otherRateChannels: 2,
  },
]

/** WebSocket paths of the door, the document's first. */
export const AUDIO_PATHS: readonly string[] = ['/audio', ...dialects.flatMap(({ paths }) => paths)]

/** Subprotocols that are echoed to a client that offers them. */
export const AUDIO_SUBPROTOCOLS: readonly string[] = dialects.flatMap(({ subprotocols }) => subprotocols)

/** Largest binary frame that is looked at as JSON, in bytes. */
export const MAX_BINARY_JSON_BYTES = 4_096

/** The row an upgrade fits. A page (an Origin of http or https) speaks the document's dialect wherever it connects. */
export function dialectOf(upgrade: {
  readonly path: string
  readonly origin?: string
  readonly subprotocol?: string
  readonly userAgent?: string
}): Dialect {
  const [document] = dialects as readonly [Dialect, ...Dialect[]]
  if (isPage(upgrade.origin)) return document
  const { path, subprotocol, userAgent = '' } = upgrade
  return (
    dialects.find(
      (row) =>
        row.paths.includes(path) ||
        (subprotocol !== undefined && row.subprotocols.includes(subprotocol)) ||
        row.userAgents.some((start) => userAgent.startsWith(start)),
    ) ?? document
  )
}

/** The row of a device that showed itself by its messages. */
export const deviceDialect: Dialect = dialects.find(({ name }) => name === 'arduino') as Dialect

/** Whether an Origin is a web page's. */
export function isPage(origin: string | undefined): boolean {
  return origin !== undefined && /^https?:/i.test(origin)
}

/** A control message sent as binary, as text; undefined when the frame is audio. PCM can begin with `{` as well. */
export function jsonInBinary(frame: Uint8Array): string | undefined {
  if (frame.length === 0 || frame.length > MAX_BINARY_JSON_BYTES || frame[0] !== 0x7b) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(frame)
    const value: unknown = JSON.parse(text)
    return typeof (value as { type?: unknown } | null)?.type === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

/** Cuts a text so that its UTF-8 form fits, at a character, with an ellipsis. */
export function cutText(text: string, maxBytes: number): string {
  const encoder = new TextEncoder()
  if (encoder.encode(text).length <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes - 3)))
  return `${text.slice(0, read)}…`
}
