import { createResampler } from '../../resampler.ts'
import { loadWorklet } from './load-worklet.ts'
import { PLAYBACK_PROCESSOR } from './processors.ts'

/** Options of {@link openSpeaker}. */
export interface SpeakerOptions {
  /** Sound gathered before an answer begins to play, in milliseconds. @default 60 */
  readonly prebufferMs?: number
  /** Where `@domos/audio/worklet` is served from the page's own origin. @default a blob URL */
  readonly workletUrl?: string
  /** Where sound goes. @default a context of its own */
  readonly context?: AudioContext
}

/** Plays 16 kHz mono samples as they come. */
export interface Speaker {
  /** What has been played since it was opened, in milliseconds, to some 50 ms. */
  readonly playedMs: number
  /** What waits to be played, in milliseconds. */
  readonly queuedMs: number
  /** An answer begins. */
  begin(): void
  play(samples: Int16Array): void
  /** The answer is complete: what is left is played out. */
  end(): void
  /** Silence at once: the answer was interrupted. */
  flush(): void
  close(): Promise<void>
}

/** Opens the speaker. Browsers want it to happen in answer to a click or key. */
export async function openSpeaker(options: SpeakerOptions = {}): Promise<Speaker> {
  const context = options.context ?? new AudioContext()
  await loadWorklet(context, options.workletUrl)
  if (context.state === 'suspended') await context.resume()
  const resampler = createResampler(16_000, context.sampleRate)
  const node = new AudioWorkletNode(context, PLAYBACK_PROCESSOR, { numberOfInputs: 0, outputChannelCount: [1] })
  const perMs = context.sampleRate / 1_000
  let played = 0
  let queued = 0
  node.port.onmessage = ({ data }: MessageEvent<{ readonly played: number; readonly queued: number }>) => {
    played = data.played
    queued = data.queued
  }
  node.connect(context.destination)
  return {
    get playedMs() {
      return played / perMs
    },
    get queuedMs() {
      return queued / perMs
    },
    begin() {
      resampler.reset()
      node.port.postMessage({ type: 'begin', prebuffer: (options.prebufferMs ?? 60) * perMs })
    },
    play(samples) {
      const resampled = resampler.process(samples)
      const floats = new Float32Array(resampled.length)
      for (let index = 0; index < floats.length; index++) floats[index] = (resampled[index] ?? 0) / 32_768
      queued += floats.length
      node.port.postMessage({ type: 'samples', samples: floats }, [floats.buffer])
    },
    end() {
      node.port.postMessage({ type: 'end' })
    },
    flush() {
      queued = 0
      node.port.postMessage({ type: 'flush' })
    },
    async close() {
      node.port.postMessage({ type: 'close' })
      node.disconnect()
      if (options.context === undefined && context.state !== 'closed') await context.close()
    },
  }
}
