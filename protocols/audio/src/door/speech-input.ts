import type { Clock } from '@domos/spec'
import { type AudioFormat, bytesPerSampleFrame, documentFormat, isSupportedRate } from '../audio-format.ts'
import type { AudioDoorLimits } from '../limits.ts'
import { createPcmDecoder } from '../pcm.ts'
import { createRateWatch } from '../rate-watch.ts'
import { createSampleBytes } from '../sample-bytes.ts'
import { readWavHeader } from '../wav-header.ts'

/** What stands out in a stream of audio frames. */
export type InputNotice =
  | { readonly kind: 'realigned' | 'odd' | 'wav-header' }
  | { readonly kind: 'wrong-rate'; readonly likely: AudioFormat }
  | { readonly kind: 'unsupported'; readonly message: string }

/** One connection's way in for audio: bytes of the client's format become 16 kHz samples. */
export interface SpeechInput {
  /** Takes one binary frame that is not empty. */
  take(frame: Uint8Array): Int16Array
  /** Forgets half a sample and the resampler's memory, as at the start of a session. */
  reset(): void
}

/** Makes the way in. `notice` is told what stands out; the audio is taken as well as can be. */
export function createSpeechInput(
  format: AudioFormat,
  limits: AudioDoorLimits,
  clock: Clock,
  notice: (notice: InputNotice) => void,
): SpeechInput {
  let current = format
  let decoder = createPcmDecoder(current)
  let cutter = createSampleBytes(bytesPerSampleFrame(current))
  let watch = createRateWatch(current)
  let lastAt = Number.NEGATIVE_INFINITY

  const setFormat = (next: AudioFormat): void => {
    current = next
    decoder = createPcmDecoder(current)
    cutter = createSampleBytes(bytesPerSampleFrame(current))
    watch = createRateWatch(current)
  }

  return {
    take(frame) {
      const now = clock.now()
      if (now - lastAt >= limits.carryTimeoutMs) cutter.reset()
      lastAt = now
      let bytes = frame
      const header = readWavHeader(frame)
      if (header !== undefined) {
        notice({ kind: 'wav-header' })
        bytes = frame.subarray(header.dataOffset)
        const isPcm = (header.encoding === 1 || header.encoding === 65_534) && header.bitDepth === 16
        const { sampleRateHz, channels } = header
        if (!isPcm || (channels !== 1 && channels !== 2) || !isSupportedRate(sampleRateHz)) {
          const message =
            'The WAV header announces audio this door cannot read: send 16-bit PCM, 1 or 2 channels, at a usual rate.'
          notice({ kind: 'unsupported', message })
        } else if (sampleRateHz !== current.sampleRateHz || channels !== current.channels) {
          setFormat({ sampleRateHz, channels })
        } else cutter.reset()
      }
      const likely = watch.take(frame.length, now)
      if (likely !== undefined) notice({ kind: 'wrong-rate', likely })
      if (bytes.length % 2 === 1) notice({ kind: 'odd' })
      const taken = cutter.take(bytes)
      if (taken.wasRealigned) notice({ kind: 'realigned' })
      return decoder.decode(taken.bytes)
    },
    reset() {
      if (current === format) {
        cutter.reset()
        decoder.reset()
      } else setFormat(format)
      lastAt = Number.NEGATIVE_INFINITY
    },
  }
}

/** The sentence for a client whose audio arrives at another rate than it should. */
export function wrongRateSentence(likely: AudioFormat, expected: AudioFormat): string {
  const name = (format: AudioFormat) => `${format.sampleRateHz} Hz${format.channels === 2 ? ' stereo' : ' mono'}`
  const remedy =
    expected.sampleRateHz === documentFormat.sampleRateHz
      ? 'Record at that rate (new AudioContext({ sampleRate: 16000 })), or declare yours in session_start.audio.'
      : 'Declare the true rate in session_start.audio.'
  return `The audio seems to be ${name(likely)}, but ${name(expected)} is expected. ${remedy}`
}
