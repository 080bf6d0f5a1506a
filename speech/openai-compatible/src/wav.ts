/** A RIFF file with these samples, 16-bit mono. */
export function toWav(samples: Int16Array, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(44 + samples.length * 2)
  const view = new DataView(file.buffer)
  const tag = (at: number, text: string): void => file.set(new TextEncoder().encode(text), at)
  tag(0, 'RIFF')
  view.setUint32(4, file.length - 8, true)
  tag(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRateHz, true)
  view.setUint32(28, sampleRateHz * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  tag(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries()) view.setInt16(44 + index * 2, sample, true)
  return file
}
