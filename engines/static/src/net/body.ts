import { Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { DomosError } from '@domos/spec'

/** What this engine can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Bounds of one body. */
export interface BodyBounds {
  /** Bytes on the wire. */
  readonly maxResponseBytes: number
  /** Bytes after decompression. */
  readonly maxDecodedBytes: number
}

/**
 * The decoded bytes of a body, chunk by chunk. Counts on both sides of the decompressor and stops there, so that a small
 * body that grows without end costs no more than the bound.
 * @throws DomosError `too_large`; `navigation_failed` when an encoding is unknown or damaged
 */
export async function* readBody(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  bounds: BodyBounds,
  onWireBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const encodings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > 3) throw damaged(`${encodings.length} encodings on top of each other`)
  let stream: AsyncIterable<Uint8Array> = countWire(source, bounds, onWireBytes)
  for (const encoding of encodings.reverse()) stream = decompress(stream, encoding)
  let total = 0
  try {
    for await (const chunk of stream) {
      total += chunk.length
      if (total > bounds.maxDecodedBytes) throw tooLarge(bounds.maxDecodedBytes)
      yield chunk
    }
  } catch (thrown) {
    if (thrown instanceof DomosError || !isZlibError(thrown)) throw thrown
    throw damaged(encodings.join(', '), thrown)
  }
}

async function* countWire(
  source: AsyncIterable<Uint8Array>,
  bounds: BodyBounds,
  onWireBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of source) {
    total += chunk.length
    onWireBytes(chunk.length)
    if (total > bounds.maxResponseBytes) throw tooLarge(bounds.maxResponseBytes)
    yield chunk
  }
}

async function* decompress(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator }
  const whole = (async function* () {
    yield first.value
    yield* rest
  })()
  const transform = decompressor(encoding, first.value)
  const readable = Readable.from(whole, { objectMode: false })
  readable.on('error', (error) => transform.destroy(error))
  readable.pipe(transform)
  try {
    for await (const chunk of transform) yield chunk as Uint8Array
  } finally {
    readable.destroy()
    transform.destroy()
  }
}

function decompressor(encoding: string, first: Uint8Array): Transform {
  // Servers cut streams short; what arrived is shown, as browsers do.
  const lenient = { finishFlush: constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(lenient)
    case 'deflate':
      // Half of the world means the raw stream by it; a zlib header says which one it is.
      return ((first[0] ?? 0) & 0x0f) === 8 && (((first[0] ?? 0) << 8) | (first[1] ?? 0)) % 31 === 0
        ? createInflate(lenient)
        : createInflateRaw(lenient)
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return createZstdDecompress({
        finishFlush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_d_windowLogMax]: 23 },
      })
    default:
      throw damaged(encoding)
  }
}

function isZlibError(thrown: unknown): boolean {
  const code = thrown instanceof Error ? ((thrown as NodeJS.ErrnoException).code ?? '') : ''
  return /^(Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(code) || /^ERR_.*(DECOMPRESSION|PADDING|FORMAT)/.test(code)
}

function damaged(encoding: string, cause?: unknown): DomosError {
  return new DomosError('navigation_failed', `The body cannot be decoded (${encoding}).`, {
    details: { reason: 'BAD_ENCODING' },
    cause,
  })
}

function tooLarge(maxBytes: number): DomosError {
  return new DomosError('too_large', `The response is larger than ${maxBytes} bytes.`, {
    details: { maxBytes, reason: 'RESPONSE_TOO_LARGE' },
  })
}
