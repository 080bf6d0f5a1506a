import { serveEngine, type WorkerEngine } from '@domos/speech-worker/serve'
import type { RecognitionModel, SynthesisModel } from './model-files.ts'
import { loadSherpa, type SherpaApi, type SherpaResult, type SherpaStream } from './sherpa-api.ts'
import type { AudioParams, PartialEvent, SherpaInit, SpeakParams, SpokenSentence } from './worker-messages.ts'

const RATE = 16_000
/** Silence a streaming model needs after the last word to give it out. */
const TAIL = new Float32Array(RATE * 0.4)

serveEngine(async (init, emit) => {
  // The parent is our own module, so the shape is known.
  const request = init as SherpaInit
  const sherpa = loadSherpa()
  if (request.type === 'synthesis') return synthesis(sherpa, request.model)
  return request.model.kind === 'online-transducer'
    ? streaming(sherpa, request.model, emit)
    : wholeUtterances(sherpa, request.model)
})

const FEATURES = { sampleRate: RATE, featureDim: 80 }

function streaming(
  sherpa: SherpaApi,
  { modelConfig }: RecognitionModel,
  emit: (event: PartialEvent) => void,
): WorkerEngine {
  const recognizer = new sherpa.OnlineRecognizer({ featConfig: FEATURES, modelConfig, enableEndpoint: 0 })
  const open = new Map<number, { readonly stream: SherpaStream; text: string }>()
  const decode = (stream: SherpaStream): SherpaResult => {
    while (recognizer.isReady(stream)) recognizer.decode(stream)
    return recognizer.getResult(stream)
  }
  return {
    methods: {
      audio(params) {
        const { utterance, samples } = params as AudioParams
        const entry = open.get(utterance) ?? { stream: recognizer.createStream(), text: '' }
        open.set(utterance, entry)
        entry.stream.acceptWaveform({ samples: toFloats(samples), sampleRate: RATE })
        const text = decode(entry.stream).text.trim()
        if (text !== entry.text) emit({ utterance, text })
        entry.text = text
      },
      finish(utterance) {
        const stream = open.get(utterance as number)?.stream
        open.delete(utterance as number)
        if (!stream) throw new Error('That utterance is not open.')
        stream.acceptWaveform({ samples: TAIL, sampleRate: RATE })
        stream.inputFinished()
        return plain(decode(stream))
      },
      abandon: (utterance) => void open.delete(utterance as number),
    },
  }
}

function wholeUtterances(sherpa: SherpaApi, { modelConfig }: RecognitionModel): WorkerEngine {
  const recognizer = new sherpa.OfflineRecognizer({ featConfig: FEATURES, modelConfig })
  const open = new Map<number, Int16Array[]>()
  return {
    methods: {
      audio(params) {
        const { utterance, samples } = params as AudioParams
        const pieces = open.get(utterance) ?? []
        open.set(utterance, pieces)
        pieces.push(samples)
      },
      finish(utterance) {
        const pieces = open.get(utterance as number)
        open.delete(utterance as number)
        if (!pieces) throw new Error('That utterance is not open.')
        const stream = recognizer.createStream()
        for (const samples of pieces) stream.acceptWaveform({ samples: toFloats(samples), sampleRate: RATE })
        recognizer.decode(stream)
        return plain(recognizer.getResult(stream))
      },
      abandon: (utterance) => void open.delete(utterance as number),
    },
  }
}

function synthesis(sherpa: SherpaApi, { modelConfig }: SynthesisModel): WorkerEngine {
  const engine = new sherpa.OfflineTts({ model: modelConfig, maxNumSentences: 1 })
  return {
    info: { speakers: engine.numSpeakers },
    methods: {
      speak(params): SpokenSentence {
        const { text, speaker, speed } = params as SpeakParams
        const { samples, sampleRate } = engine.generate({ text, sid: speaker, speed, enableExternalBuffer: false })
        return { samples: toIntegers(samples), sampleRateHz: sampleRate }
      },
    },
  }
}

/** The parts of a result that can be sent on. */
function plain({ text, tokens, timestamps }: SherpaResult): SherpaResult {
  return { text, ...(tokens && { tokens: [...tokens] }), ...(timestamps && { timestamps: [...timestamps] }) }
}

function toFloats(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768)
}

function toIntegers(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))))
}
