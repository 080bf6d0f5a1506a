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

/**
 * Rates a client may declare. A closed list: the filter between two odd rates can be large, and a peer must not make the server
 * build one after the other.
 */
export const SUPPORTED_RATES_HZ = [
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000,
] as const

/** Whether a rate can be taken. */
export function isSupportedRate(sampleRateHz: number): boolean {
  return (SUPPORTED_RATES_HZ as readonly number[]).includes(sampleRateHz)
}
