import type { AudioFormat } from './audio-format.ts'
import { documentFormat } from './audio-format.ts'
import { createResampler } from './resampler.ts'

/** Turns 16 kHz mono samples into the bytes of a format, and back. Keeps state: one per stream and direction. */
export interface PcmEncoder {
  /** Whole sample frames of the format, little-endian. */
  encode(samples: Int16Array): Uint8Array
  reset(): void
}

/** The other direction. `bytes` must hold whole samples. */
export interface PcmDecoder {
  decode(bytes: Uint8Array): Int16Array
  reset(): void
}

/** Makes an encoder; a second channel repeats the first. */
export function createPcmEncoder(format: AudioFormat): PcmEncoder {
  const resampler = createResampler(documentFormat.sampleRateHz, format.sampleRateHz)
  return {
    encode(samples) {
      const resampled = format.sampleRateHz === documentFormat.sampleRateHz ? samples : resampler.process(samples)
      const bytes = new Uint8Array(resampled.length * format.channels * 2)
      const view = new DataView(bytes.buffer)
      for (let index = 0; index < resampled.length; index++) {
        for (let channel = 0; channel < format.channels; channel++) {
          view.setInt16((index * format.channels + channel) * 2, resampled[index] ?? 0, true)
        }
      }
      return bytes
    },
    reset: () => resampler.reset(),
  }
}

/** Makes a decoder; two channels are mixed into one. */
export function createPcmDecoder(format: AudioFormat): PcmDecoder {
  const resampler = createResampler(format.sampleRateHz, documentFormat.sampleRateHz)
  return {
    decode(bytes) {
      const mono = readMono(bytes, format.channels)
      return format.sampleRateHz === documentFormat.sampleRateHz ? mono : resampler.process(mono)
    },
    reset: () => resampler.reset(),
  }
}

function readMono(bytes: Uint8Array, channels: 1 | 2): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Int16Array(Math.floor(bytes.byteLength / (2 * channels)))
  for (let index = 0; index < samples.length; index++) {
    samples[index] =
      channels === 1
        ? view.getInt16(index * 2, true)
        : (view.getInt16(index * 4, true) + view.getInt16(index * 4 + 2, true)) >> 1
  }
  return samples
}
