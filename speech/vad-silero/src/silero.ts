import {
  DomosError,
  describeThrown,
  type SpeechEngineHealth,
  type VoiceActivityDetector,
  type VoiceActivityStream,
} from '@domos/spec'
import { loadModel, type SileroModel } from './model.ts'
import { clearState, createState, forward } from './network.ts'

const FRAME_SAMPLES = 512

/**
 * The Silero v6 detector for 16 kHz. Frames hold 512 samples (32 ms); a probability from 0.5 on means speech. All streams
 * share one copy of the weights; each keeps about 1.3 kB.
 */
export function createSileroVad(): VoiceActivityDetector {
  return {
    id: 'silero',
    frameSamples: FRAME_SAMPLES,
    openStream: () => openStream(model()),
    async health(signal): Promise<SpeechEngineHealth> {
      signal.throwIfAborted()
      try {
        model()
        return { state: 'ready', detail: 'Silero v6, 16 kHz, in WebAssembly.', missing: [] }
      } catch (thrown) {
        return {
          state: 'unavailable',
          detail: describeThrown(thrown),
          missing: ['@domos/vad-silero: weights and kernel'],
        }
      }
    },
    async close() {},
  }
}

function model(): SileroModel {
  try {
    return loadModel()
  } catch (cause) {
    throw new DomosError(
      'unavailable',
      'The weights of the Silero detector cannot be read; install @domos/vad-silero again.',
      { cause },
    )
  }
}

function openStream(model: SileroModel): VoiceActivityStream {
  const state = createState()
  const floats = new Float32Array(FRAME_SAMPLES)
  return {
    process(frame) {
      if (frame.length !== FRAME_SAMPLES) {
        throw new DomosError('invalid_request', `A frame holds ${FRAME_SAMPLES} samples, this one ${frame.length}.`)
      }
      const scale = frame instanceof Float32Array ? 1 : 1 / 32_768
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const sample = (frame[i] as number) * scale
        // One sample that is no number would stay in the recurrent state for ever.
        floats[i] = Number.isFinite(sample) ? sample : 0
      }
      return forward(model, state, floats)
    },
    reset: () => clearState(state),
  }
}
