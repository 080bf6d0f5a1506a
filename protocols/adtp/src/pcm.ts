/** Sound of a frame, or what is wrong with it. */
export type ReadSound =
  | { readonly samples: Int16Array; readonly sampleRateHz: number }
  | { readonly problem: string; readonly path: string }

const RATES: readonly number[] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

/**
 * Reads base64 sound: signed 16-bit little-endian, 16 kHz, mono unless the type says otherwise with `rate=` and `channels=`. More
 * channels are averaged; a byte too many at the end is left out.
 */
export function readPcm(base64: string, mimeType = 'audio/pcm'): ReadSound {
  const [kind = '', ...parameters] = mimeType.toLowerCase().split(';')
  if (!/^audio\/(pcm|raw|x-raw|x-pcm)$/.test(kind.trim())) {
    const problem = 'Sound must be raw PCM: audio/pcm;rate=16000, signed 16-bit little-endian.'
    return { problem, path: 'payload.mimeType' }
  }
  const sampleRateHz = parameter(parameters, 'rate') ?? 16_000
  const channels = parameter(parameters, 'channels') ?? 1
  if (!RATES.includes(sampleRateHz) || (channels !== 1 && channels !== 2)) {
    const problem = `Sound must have 1 or 2 channels and one of the rates ${RATES.join(', ')}.`
    return { problem, path: 'payload.mimeType' }
  }
  const bytes = decode(base64)
  if (bytes === undefined) return { problem: 'The sound is no base64 text.', path: 'payload.content' }
  const view = new DataView(bytes.buffer)
  const samples = new Int16Array(Math.floor(bytes.length / 2 / channels))
  if (samples.length === 0) return { problem: 'The sound is empty.', path: 'payload.content' }
  for (let index = 0; index < samples.length; index += 1) {
    let sum = 0
    for (let channel = 0; channel < channels; channel += 1) sum += view.getInt16((index * channels + channel) * 2, true)
    samples[index] = Math.trunc(sum / channels)
  }
  return { samples, sampleRateHz }
}

/** Writes samples as base64, signed 16-bit little-endian. */
export function writePcm(samples: Int16Array): string {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < samples.length; index += 1) view.setInt16(index * 2, samples[index] as number, true)
  let text = ''
  for (let from = 0; from < bytes.length; from += 8_192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  }
  return btoa(text)
}

function parameter(parameters: readonly string[], name: string): number | undefined {
  for (const each of parameters) {
    const [key = '', value = ''] = each.split('=')
    if (key.trim() === name) return /^\d{1,6}$/.test(value.trim()) ? Number(value) : Number.NaN
  }
  return undefined
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
    return bytes
  } catch {
    return undefined
  }
}
