import { createResampler } from '../../resampler.ts'
import { loadWorklet } from './load-worklet.ts'
import { CAPTURE_PROCESSOR } from './processors.ts'

/** Why there is no microphone: the person or the browser said no; there is none; it does not work (in use, unplugged). */
export type MicrophoneErrorKind = 'denied' | 'missing' | 'failed'

/** A microphone that could not be opened or was lost, with a sentence for the person. */
export class MicrophoneError extends Error {
  readonly kind: MicrophoneErrorKind

  constructor(kind: MicrophoneErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MicrophoneError'
    this.kind = kind
  }
}

/** Options of {@link openMicrophone}. */
export interface MicrophoneOptions {
  /** Takes 16 kHz mono samples, some 20 ms at a time. */
  readonly onAudio: (samples: Int16Array<ArrayBuffer>) => void
  /** Loudness of what was just recorded, 0 to 1 (root mean square). */
  readonly onLevel?: (level: number) => void
  /** The microphone was lost, e.g. unplugged. */
  readonly onError?: (error: MicrophoneError) => void
  /** A device of `navigator.mediaDevices.enumerateDevices()`. @default the browser's choice */
  readonly inputId?: string
  /** Where `@domos/audio/worklet` is served from the page's own origin. @default a blob URL */
  readonly workletUrl?: string
}

/** An open microphone. */
export interface Microphone {
  /** While muted, nothing is recorded or told. */
  isMuted: boolean
  close(): Promise<void>
}

/**
 * Opens the microphone, with the browser's echo cancellation, in an AudioWorklet.
 * @throws {@link MicrophoneError}
 */
export async function openMicrophone(options: MicrophoneOptions): Promise<Microphone> {
  const { mediaDevices } = navigator
  if (mediaDevices === undefined) {
    throw new MicrophoneError('denied', 'Browsers give a microphone only to pages from https or localhost.')
  }
  let stream: MediaStream
  try {
    stream = await mediaDevices.getUserMedia({
      audio: {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        channelCount: 1,
        ...(options.inputId === undefined ? {} : { deviceId: { exact: options.inputId } }),
      },
    })
  } catch (thrown) {
    throw toMicrophoneError(thrown)
  }
  // The context keeps the device's own rate: not every browser joins a microphone to a context of another one.
  const context = new AudioContext()
  try {
    await loadWorklet(context, options.workletUrl)
    if (context.state === 'suspended') await context.resume()
  } catch (thrown) {
    for (const track of stream.getTracks()) track.stop()
    await context.close()
    throw new MicrophoneError('failed', 'The page could not start recording; see workletUrl.', thrown)
  }
  const resampler = createResampler(context.sampleRate, 16_000)
  const source = context.createMediaStreamSource(stream)
  const node = new AudioWorkletNode(context, CAPTURE_PROCESSOR, { numberOfOutputs: 0 })
  let isClosed = false
  const microphone: Microphone = {
    isMuted: false,
    async close() {
      if (isClosed) return
      isClosed = true
      node.port.postMessage('close')
      node.port.onmessage = null
      source.disconnect()
      for (const track of stream.getTracks()) track.stop()
      await context.close()
    },
  }
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    if (isClosed || microphone.isMuted) return
    options.onLevel?.(rootMeanSquare(data))
    const samples = resampler.process(toInt16(data))
    if (samples.length > 0) options.onAudio(samples.slice())
  }
  for (const track of stream.getAudioTracks()) {
    track.onended = () => {
      if (isClosed) return
      options.onError?.(new MicrophoneError('failed', 'The microphone is gone.'))
      void microphone.close()
    }
  }
  source.connect(node)
  return microphone
}

function toMicrophoneError(thrown: unknown): MicrophoneError {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return new MicrophoneError('denied', 'The microphone is not allowed for this page; see the site settings.', thrown)
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new MicrophoneError('missing', 'No microphone was found.', thrown)
  }
  return new MicrophoneError('failed', 'The microphone does not work; another program may be using it.', thrown)
}

function toInt16(samples: Float32Array): Int16Array {
  const converted = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    converted[index] = Math.max(-32_768, Math.min(32_767, Math.round((samples[index] ?? 0) * 32_767)))
  }
  return converted
}

function rootMeanSquare(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.min(1, Math.sqrt(sum / samples.length))
}
