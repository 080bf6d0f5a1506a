import { AUDIO_FORMAT } from './limits.ts'

/** Raw PCM as a peer sends and plays it; always signed 16-bit little-endian, channels interleaved. */
export interface AudioFormat {
  readonly sampleRateHz: number
  readonly channels: 1 | 2
}

/** The document's format ("Audio Format"). */
export const documentFormat: AudioFormat = { sampleRateHz: AUDIO_FORMAT.sampleRate, channels: AUDIO_FORMAT.channels }

/** Bytes of one second in a format. */
export function bytesPerSecond(format: AudioFormat): number {
  return format.sampleRateHz * format.channels * 2
}

/** Bytes of one sample of all channels. */
export function bytesPerSampleFrame(format: AudioFormat): number {
  return format.channels * 2
}
