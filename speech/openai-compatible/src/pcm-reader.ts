import { DomosError } from '@domos/spec'

/** Little-endian 16-bit samples out of pieces of bytes that may end in the middle of one; a RIFF header is taken off. */
export interface PcmReader {
  push(bytes: Uint8Array): Int16Array
  /** The rate of the header once one was seen, else the one given. */
  readonly sampleRateHz: number
}

const MAX_HEADER_BYTES = 4_096

/** @param sampleRateHz the rate of bytes that come without a header */
export function createPcmReader(sampleRateHz: number): PcmReader {
  let rest: Uint8Array = new Uint8Array()
  let rate = sampleRateHz
  let inHeader = true
  return {
    get sampleRateHz() {
      return rate
    },
    push(bytes) {
      const all = new Uint8Array(rest.length + bytes.length)
      all.set(rest)
      all.set(bytes, rest.length)
      let start = 0
      if (inHeader) {
        const header = readHeader(all)
        if (header === 'unfinished') {
          rest = all
          if (all.length > MAX_HEADER_BYTES)
            throw new DomosError('unavailable', 'The speech has no usable WAVE header.')
          return new Int16Array()
        }
        inHeader = false
        start = header?.start ?? 0
        rate = header?.rate ?? rate
      }
      const end = all.length - ((all.length - start) % 2)
      rest = all.slice(end)
      return new Int16Array(all.slice(start, end).buffer)
    },
  }
}

/** Undefined for raw samples; `unfinished` when more bytes are needed to tell. */
function readHeader(bytes: Uint8Array): { readonly start: number; readonly rate: number } | 'unfinished' | undefined {
  const tag = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (!'RIFF'.startsWith(tag(0)) && tag(0) !== 'RIFF') return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let rate = 0
  for (let at = 12; at + 8 <= bytes.length; at += 8 + view.getUint32(at + 4, true)) {
    if (tag(at) === 'data') return { start: at + 8, rate }
    if (tag(at) === 'fmt ' && at + 24 <= bytes.length) {
      const [format, channels, bits] = [
        view.getUint16(at + 8, true),
        view.getUint16(at + 10, true),
        view.getUint16(at + 22, true),
      ]
      if (format !== 1 || channels !== 1 || bits !== 16) {
        throw new DomosError('unsupported', 'Only 16-bit mono PCM can be played; set responseFormat to pcm or wav.')
      }
      rate = view.getUint32(at + 12, true)
    }
  }
  return 'unfinished'
}
