import type { JsonObject, Log, Metrics, SpeechToText, TextToSpeech, Voice } from '@domos/spec'
import { DomosError, systemClock } from '@domos/spec'
import { createSpeech, createTranscription } from '@domos/speech-openai-compatible'

import { createSherpaRecognition, createSherpaSynthesis } from '@domos/speech-sherpa'
import { createWyomingRecognition, createWyomingSynthesis } from '@domos/speech-wyoming'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { createFlite } from '@domos/tts-flite'
import { createSileroVad } from '@domos/vad-silero'
import { createRecognitionChain, createSynthesisChain, createVoice } from '@domos/voice'
import type { Settings } from './settings.ts'
import { createVoiceRecordings, type VoiceRecordings } from './voice-recordings.ts'

/** What a running voice is told besides the settings. */
export interface OpenVoiceOptions {
  readonly log: Log
  readonly metrics: Metrics
  /** Prepare answers early; only where the model runs in this process and costs nothing. */
  readonly isEager: boolean
}

/**
 * The voice of a server: engines in the order the settings name them, the next one taking over where one fails. Engines start
 * with the first conversation, or when somebody asks how they are; what is missing is said then.
 * @throws DomosError `invalid_request` naming the setting for an engine nobody knows
 */
export function openVoice(settings: Settings, options: OpenVoiceOptions): Voice {
  const recognition = settings.recognition.map((name) => parseEngine('stt', name, ['pocketsphinx']))
  const synthesis = settings.synthesis.map((name) => parseEngine('tts', name, ['flite']))
  const { log } = options
  let recordings: VoiceRecordings | undefined
  const open = (): Voice => {
    recordings = openRecordings(settings, log)
    const hearing = recognition.flatMap((spec) => tryOpen(log, spec, () => openRecognition(spec, settings, log)))
    const speaking = synthesis.flatMap((spec) => tryOpen(log, spec, () => openSynthesis(spec, settings)))
    return createVoice({
      detector: createSileroVad(),
      ...(hearing.length === 0 ? {} : { recognition: createRecognitionChain(hearing, { log }) }),
      ...(speaking.length === 0 ? {} : { synthesis: createSynthesisChain(speaking, { log }) }),
      ...(settings.limits['voice'] === undefined ? {} : { limits: settings.limits['voice'] }),
      ...(recordings === undefined ? {} : { record: recordings.open }),
      ...options,
    })
  }
  let voice: Voice | undefined
  const started = (): Voice => {
    voice ??= open()
    return voice
  }
  return {
    get canHear() {
      return voice?.canHear ?? recognition.length > 0
    },
    get canSpeak() {
      return voice?.canSpeak ?? synthesis.length > 0
    },
    open: (session, sink, config) => started().open(session, sink, config),
    health: (): JsonObject => started().health(),
    async close() {
      await voice?.close()
      await recordings?.close()
    },
  }
}

/** Only where the operator named a directory. */
function openRecordings(settings: Settings, log: Log): VoiceRecordings | undefined {
  const { voiceRecordings: directory, voiceRecordingDays } = settings
  if (directory === undefined) return undefined
  log.warn('voice-is-recorded', { days: voiceRecordingDays })
  return createVoiceRecordings({ directory, retentionMs: voiceRecordingDays * 86_400_000, clock: systemClock, log })
}

type EngineSpec =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'openai'; readonly baseUrl: string; readonly model: string | undefined }
  | { readonly kind: 'wyoming'; readonly host: string; readonly port: number }
  | { readonly kind: 'sherpa'; readonly modelDirectory: string }

function parseEngine(flag: 'stt' | 'tts', name: string, builtin: readonly string[]): EngineSpec {
  if (builtin.includes(name)) return { kind: 'builtin', name }
  if (name.startsWith('sherpa:') && name.length > 7) return { kind: 'sherpa', modelDirectory: name.slice(7) }
  if (URL.canParse(name)) {
    const url = new URL(name)
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      const model = url.hash === '' ? undefined : decodeURIComponent(url.hash.slice(1))
      url.hash = ''
      return { kind: 'openai', baseUrl: url.href, model }
    }
    if ((url.protocol === 'wyoming:' || url.protocol === 'tcp:') && url.hostname !== '' && url.port !== '') {
      return { kind: 'wyoming', host: url.hostname, port: Number(url.port) }
    }
  }
  throw new DomosError(
    'invalid_request',
    `--${flag} knows ${builtin.join(', ')}, sherpa:DIRECTORY, wyoming://HOST:PORT and http(s)://HOST/v1#MODEL, not ${JSON.stringify(name)}.`,
    { details: { setting: flag } },
  )
}

/** An engine that cannot be made costs its own place in the chain and no other. */
function tryOpen<Engine>(log: Log, spec: EngineSpec, open: () => Engine): Engine[] {
  try {
    return [open()]
  } catch (thrown) {
    log.warn('speech-engine-missing', {
      engine: spec.kind,
      code: thrown instanceof DomosError ? thrown.code : 'internal',
    })
    return []
  }
}

function openRecognition(spec: EngineSpec, settings: Settings, log: Log): SpeechToText {
  switch (spec.kind) {
    case 'builtin':
      return createPocketsphinx({ log })
    case 'openai':
      return createTranscription({ baseUrl: spec.baseUrl, ...endpointExtras(spec.model, settings) })
    case 'wyoming':
      return createWyomingRecognition(spec)
    case 'sherpa':
      return createSherpaRecognition(spec)
  }
}

function openSynthesis(spec: EngineSpec, settings: Settings): TextToSpeech {
  switch (spec.kind) {
    case 'builtin':
      return createFlite()
    case 'openai':
      return createSpeech({ baseUrl: spec.baseUrl, ...endpointExtras(spec.model, settings) })
    case 'wyoming':
      return createWyomingSynthesis(spec)
    case 'sherpa':
      return createSherpaSynthesis(spec)
  }
}

function endpointExtras(model: string | undefined, settings: Settings): { model?: string; apiKey?: string } {
  return {
    ...(model === undefined ? {} : { model }),
    ...(settings.speechApiKey === undefined ? {} : { apiKey: settings.speechApiKey }),
  }
}
