import type { JsonValue } from '@domos/spec'
import { parseJson } from '@domos/wire'
import { Packr, Unpackr } from 'msgpackr'

/** The encodings of the document ("Encoding"). */
export type Encoding = 'json' | 'msgpack'

/** The compressions of the document ("Compression"). */
export type CompressionName = 'none' | 'zstd'

/** zstd, from whoever has it: Node's own at the server; a browser client goes without. */
export interface Zstd {
  compress(bytes: Uint8Array): Uint8Array
  /** Must stop, by throwing, as soon as the output would pass `maxBytes`. */
  decompress(bytes: Uint8Array, maxBytes: number): Uint8Array
}

/** How one connection writes and what it accepts. Text frames are JSON and binary frames MessagePack, always. */
export interface WireFormat {
  readonly encoding: Encoding
  readonly compression: CompressionName
}

/** Bounds of a message. */
export interface CodecBounds {
  readonly maxDepth: number
  /** Largest frame this end writes. */
  readonly maxFrameBytes: number
  /** Largest message before compression or after decompression, in both directions. */
  readonly maxInflatedBytes: number
  readonly compressFromBytes: number
}

/** What {@link createFrameCodec} gives back for a frame. */
export type DecodedFrame =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** What became of a message to send: a frame, or why it is none. */
export type EncodedFrame =
  | { readonly ok: true; readonly frame: string | Uint8Array }
  | { readonly ok: false; readonly code: 'too_large' | 'unencodable'; readonly bytes: number }

/** Turns frames into plain values and back. Neither direction throws. */
export interface FrameCodec {
  decode(frame: string | Uint8Array): DecodedFrame
  encode(value: unknown, format: WireFormat): EncodedFrame
}

/** `__proto_` is what the decoder makes of `__proto__`. */
const FORBIDDEN_KEYS = new Set(['__proto__', '__proto_', 'constructor', 'prototype'])
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const

/** Creates the codec. Without `zstd`, compressed frames are refused with a code. */
export function createFrameCodec(bounds: CodecBounds, zstd: Zstd | undefined): FrameCodec {
  const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' })
  // As in JSON: members that are undefined are left out, and list items that are undefined become null.
  const packing = { useRecords: false, variableMapSize: true, skipValues: [undefined], encodeUndefinedAsNil: true }
  const packr = new Packr(packing)

  return {
    decode(frame) {
      if (typeof frame === 'string') return decodeJson(frame, bounds)
      let bytes = frame
      if (isZstd(frame)) {
        if (zstd === undefined) return refused('compression_unsupported', 'This end does not take zstd.')
        try {
          bytes = zstd.decompress(frame, bounds.maxInflatedBytes)
        } catch {
          return refused('invalid_compression', 'The zstd frame is damaged or grows over the size limit.')
        }
      }
      // A MessagePack array or map header can claim 2³² entries; the depth and count are read before anything is built.
      const shape = checkMsgpack(bytes, bounds.maxDepth)
      if (shape !== undefined) return shape
      try {
        return sanitize(unpackr.unpack(bytes))
      } catch {
        return refused('invalid_msgpack', 'The frame is not valid MessagePack.')
      }
    },
    encode(value, format) {
      try {
        const frame = format.encoding === 'json' ? JSON.stringify(value) : packr.pack(value)
        const bytes = typeof frame === 'string' ? utf8Length(frame, bounds.maxFrameBytes) : frame.byteLength
        const compresses =
          typeof frame !== 'string' &&
          format.compression === 'zstd' &&
          zstd !== undefined &&
          bytes >= bounds.compressFromBytes
        if (!compresses) return checkSize(frame, bytes, bounds.maxFrameBytes)
        // What the far end may not inflate is not sent, however small it would be on the way.
        if (bytes > bounds.maxInflatedBytes) return { ok: false, code: 'too_large', bytes }
        const compressed = zstd.compress(frame)
        return checkSize(compressed, compressed.byteLength, bounds.maxFrameBytes)
      } catch {
        return { ok: false, code: 'unencodable', bytes: 0 }
      }
    },
  }
}

function checkSize(frame: string | Uint8Array, bytes: number, maxBytes: number): EncodedFrame {
  return bytes > maxBytes ? { ok: false, code: 'too_large', bytes } : { ok: true, frame }
}

/** Bytes of a text in UTF-8. Exact only where the bound could be passed: a UTF-16 unit gives at most three bytes. */
function utf8Length(text: string, bound: number): number {
  if (text.length > bound || text.length * 3 <= bound) return text.length
  return new TextEncoder().encode(text).byteLength
}

function decodeJson(text: string, bounds: CodecBounds): DecodedFrame {
  const parsed = parseJson(text, { maxDepth: bounds.maxDepth })
  if (parsed.ok) return { ok: true, value: parsed.value }
  const at = parsed.path === '' ? '' : ` at ${parsed.path}`
  return refused(parsed.code, `The frame is not acceptable JSON (${parsed.code}${at}).`)
}

function refused(code: string, message: string): DecodedFrame {
  return { ok: false, code, message }
}

function isZstd(bytes: Uint8Array): boolean {
  return ZSTD_MAGIC.every((byte, index) => bytes[index] === byte)
}

/** Makes a decoded value plain JSON: byte arrays stay, dates and other extension types are refused. */
function sanitize(root: unknown): DecodedFrame {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (value === null || typeof value !== 'object') {
      if (typeof value === 'bigint') return refused('invalid_msgpack', 'Integers beyond 2^53 are not accepted.')
      continue
    }
    if (value instanceof Uint8Array) continue
    if (Array.isArray(value)) {
      for (const item of value) open.push(item)
      continue
    }
    const prototype = Object.getPrototypeOf(value) as unknown
    if (prototype !== Object.prototype && prototype !== null) {
      return refused('invalid_msgpack', 'Extension types are not accepted.')
    }
    for (const [key, inner] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) return refused('forbidden_key', `The key ${key} is not accepted.`)
      open.push(inner)
    }
  }
  return { ok: true, value: root as JsonValue }
}

/**
 * Walks the bytes without building anything: refuses nesting over the limit, containers that claim more entries than
 * bytes are left, and frames with anything behind the first value.
 */
function checkMsgpack(bytes: Uint8Array, maxDepth: number): DecodedFrame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bad = refused('invalid_msgpack', 'The frame is not valid MessagePack.')
  const remaining: number[] = [1]
  let at = 0
  try {
    while (remaining.length > 0) {
      const top = remaining.length - 1
      const left = remaining[top] as number
      if (left === 0) {
        remaining.pop()
        continue
      }
      remaining[top] = left - 1
      const head = view.getUint8(at++)
      let skip = 0
      let entries = -1
      if (head <= 0x7f || head >= 0xe0) skip = 0
      else if (head <= 0x8f) entries = (head & 0x0f) * 2
      else if (head <= 0x9f) entries = head & 0x0f
      else if (head <= 0xbf) skip = head & 0x1f
      else {
        switch (head) {
          case 0xc0:
          case 0xc2:
          case 0xc3:
            break
          case 0xc4:
          case 0xd9:
            skip = 1 + view.getUint8(at)
            break
          case 0xc5:
          case 0xda:
            skip = 2 + view.getUint16(at)
            break
          case 0xc6:
          case 0xdb:
            skip = 4 + view.getUint32(at)
            break
          case 0xca:
          case 0xce:
          case 0xd2:
            skip = 4
            break
          case 0xcb:
          case 0xcf:
          case 0xd3:
            skip = 8
            break
          case 0xcc:
          case 0xd0:
            skip = 1
            break
          case 0xcd:
          case 0xd1:
            skip = 2
            break
          case 0xdc:
            entries = view.getUint16(at)
            skip = 2
            break
          case 0xdd:
            entries = view.getUint32(at)
            skip = 4
            break
          case 0xde:
            entries = view.getUint16(at) * 2
            skip = 2
            break
          case 0xdf:
            entries = view.getUint32(at) * 2
            skip = 4
            break
          default:
            return refused('invalid_msgpack', 'Extension types are not accepted.')
        }
      }
      at += skip
      if (at > bytes.byteLength) return bad
      if (entries >= 0) {
        if (entries > bytes.byteLength - at) return bad
        if (remaining.length > maxDepth) return refused('too_deep', `Nested deeper than ${maxDepth}.`)
        remaining.push(entries)
      }
    }
  } catch {
    return bad
  }
  return at === bytes.byteLength ? undefined : bad
}
