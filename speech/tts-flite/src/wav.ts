/** The samples of a 16-bit mono RIFF file and their rate. Throws when it is something else. */
export function readWav(file: Uint8Array): { readonly samples: Int16Array; readonly sampleRateHz: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tag = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4))
  if (file.byteLength < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw new Error('This is no RIFF WAVE file.')
  let sampleRateHz = 0
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const size = view.getUint32(at + 4, true)
    if (tag(at) === 'fmt ') {
      if (
        view.getUint16(at + 8, true) !== 1 ||
        view.getUint16(at + 10, true) !== 1 ||
        view.getUint16(at + 22, true) !== 16
      ) {
        throw new Error('Only 16-bit mono PCM can be read.')
      }
      sampleRateHz = view.getUint32(at + 12, true)
    } else if (tag(at) === 'data') {
      const bytes = file.slice(at + 8, at + 8 + Math.min(size, file.byteLength - at - 8))
      return { samples: new Int16Array(bytes.buffer, 0, bytes.byteLength >> 1), sampleRateHz }
    }
    at += 8 + size + (size & 1)
  }
  throw new Error('The WAVE file has no data.')
}
