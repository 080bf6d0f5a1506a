import { DomosError } from '@domos/spec'
import type { WyomingLimits } from './limits.ts'

/** One event of the protocol: a line of JSON, then the bytes its lengths announce. */
export interface WyomingEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly payload: Uint8Array
}

/** The bytes of an event. Data goes into the header line, as every server accepts. */
export function encodeEvent(type: string, data: Readonly<Record<string, unknown>>, payload?: Uint8Array): Uint8Array {
  const header = { type, data, ...(payload && { payload_length: payload.length }) }
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`)
  if (!payload) return line
  const bytes = new Uint8Array(line.length + payload.length)
  bytes.set(line)
  bytes.set(payload, line.length)
  return bytes
}

/** Cuts a stream of bytes into events. */
export interface EventDecoder {
  /** @throws with code `unavailable` when the bytes are no Wyoming or exceed a bound */
  push(bytes: Uint8Array): readonly WyomingEvent[]
}

interface Header {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly dataLength: number
  readonly payloadLength: number
}

const NEWLINE = 10

/** Makes a decoder for one connection. */
export function createEventDecoder(limits: Pick<WyomingLimits, 'maxHeaderBytes' | 'maxBlockBytes'>): EventDecoder {
  let pieces: Uint8Array[] = []
  let length = 0
  let header: Header | undefined
  let needed = 0

  const takeAll = (): Uint8Array => {
    const all = new Uint8Array(length)
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  }
  return {
    push(bytes) {
      pieces.push(bytes)
      length += bytes.length
      // Joining is put off until an event can be whole, so that a long payload in many pieces is copied once.
      if (length < needed) return []
      let rest = takeAll()
      const events: WyomingEvent[] = []
      for (;;) {
        if (!header) {
          const end = rest.indexOf(NEWLINE)
          if ((end < 0 ? rest.length : end) > limits.maxHeaderBytes) throw broken('a header beyond its bound')
          if (end < 0) break
          header = readHeader(rest.subarray(0, end), limits.maxBlockBytes)
          rest = rest.subarray(end + 1)
        }
        const { dataLength, payloadLength } = header
        if (rest.length < dataLength + payloadLength) break
        const extra = dataLength > 0 ? parseObject(rest.subarray(0, dataLength)) : {}
        const payload = rest.slice(dataLength, dataLength + payloadLength)
        events.push({ type: header.type, data: { ...header.data, ...extra }, payload })
        rest = rest.subarray(dataLength + payloadLength)
        header = undefined
      }
      pieces = rest.length > 0 ? [rest] : []
      length = rest.length
      needed = header ? header.dataLength + header.payloadLength : 0
      return events
    },
  }
}

function readHeader(line: Uint8Array, maxBlockBytes: number): Header {
  const { type, data, data_length: dataLength = 0, payload_length: payloadLength = 0 } = parseObject(line)
  if (typeof type !== 'string') throw broken('an event without a type')
  return {
    type,
    data: typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {},
    dataLength: checkLength(dataLength, maxBlockBytes),
    payloadLength: checkLength(payloadLength, maxBlockBytes),
  }
}

function checkLength(value: unknown, maxBytes: number): number {
  // Servers write null where there is nothing.
  const length = value ?? 0
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0 || length > maxBytes) {
    throw broken('a length beyond its bound')
  }
  return length
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below, the same for everything that is no object.
  }
  throw broken('a line that is no JSON object')
}

function broken(what: string): DomosError {
  return new DomosError('unavailable', `The Wyoming server sends ${what}; check host and port.`)
}
