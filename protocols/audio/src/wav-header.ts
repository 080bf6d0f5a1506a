/** What a WAV header in front of the samples says. */
export interface WavHeader {
  /** Where the samples begin. */
  readonly dataOffset: number
  readonly sampleRateHz: number
  readonly channels: number
  readonly bitDepth: number
  /** 1 = PCM, 3 = float, 65534 = extensible. */
  readonly encoding: number
}

/** Reads the header of a RIFF/WAVE file, when the bytes begin with one and it is complete; undefined otherwise. */
export function readWavHeader(bytes: Uint8Array): WavHeader | undefined {
  if (bytes.length < 44 || ascii(bytes, 0) !== 'RIFF' || ascii(bytes, 8) !== 'WAVE') return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let format: Omit<WavHeader, 'dataOffset'> | undefined
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const id = ascii(bytes, offset)
    const size = view.getUint32(offset + 4, true)
    if (id === 'fmt ' && offset + 24 <= bytes.length) {
      format = {
        encoding: view.getUint16(offset + 8, true),
        channels: view.getUint16(offset + 10, true),
        sampleRateHz: view.getUint32(offset + 12, true),
        bitDepth: view.getUint16(offset + 22, true),
      }
    }
    if (id === 'data') return format === undefined ? undefined : { ...format, dataOffset: offset + 8 }
    offset += 8 + size + (size % 2)
  }
  return undefined
}

/** The 44 bytes in front of 16-bit samples. */
export function wavHeader(dataBytes: number, sampleRateHz: number, channels: number): Uint8Array {
  const header = new Uint8Array(44)
  const view = new DataView(header.buffer)
  const text = (offset: number, letters: string) => {
    for (let index = 0; index < letters.length; index++) header[offset + index] = letters.charCodeAt(index)
  }
  text(0, 'RIFF')
  view.setUint32(4, 36 + dataBytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRateHz, true)
  view.setUint32(28, sampleRateHz * channels * 2, true)
  view.setUint16(32, channels * 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, dataBytes, true)
  return header
}

function ascii(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}
