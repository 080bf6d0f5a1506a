import { DomosError } from '@domos/spec'
import { type AudioFormat, bytesPerSecond, documentFormat } from '../audio-format.ts'
import { closeCodes, closeReasons } from '../limits.ts'
import { createFloodGuard, type FloodGuard } from './flood-guard.ts'
import type { PeerPort } from './peer-port.ts'
import { createSpeechInput, type SpeechInput, wrongRateSentence } from './speech-input.ts'
import { SpeechOutput } from './speech-output.ts'
import { spell } from './spell.ts'

/** Times a connection may change its format. */
const MAX_FORMAT_CHANGES = 8

/** A connection's audio, in and out, in the format its client records and plays. */
export class AudioPath {
  output: SpeechOutput
  flood: FloodGuard
  readonly #peer: PeerPort
  #format: AudioFormat = documentFormat
  #input: SpeechInput
  #changes = 0

  constructor(peer: PeerPort) {
    this.#peer = peer
    this.#input = this.#createInput()
    this.output = this.#createOutput()
    this.flood = this.#createFlood()
  }

  /** @throws DomosError `rate_limited` after {@link MAX_FORMAT_CHANGES}: each change starts the rate of arrival anew */
  setFormat(format: AudioFormat): void {
    const isSame = format.sampleRateHz === this.#format.sampleRateHz && format.channels === this.#format.channels
    if (isSame) return
    this.#changes += 1
    if (this.#changes > MAX_FORMAT_CHANGES) {
      throw new DomosError('rate_limited', 'The audio format has changed too often; open another connection.', {
        details: { path: 'audio' },
      })
    }
    this.output.stop()
    this.output.dispose()
    this.#format = format
    this.#input = this.#createInput()
    this.output = this.#createOutput()
    this.flood = this.#createFlood()
  }

  /** Samples of a binary frame, 16 kHz mono. */
  take(frame: Uint8Array): Int16Array {
    return this.#input.take(frame)
  }

  resetInput(): void {
    this.#input.reset()
  }

  #createFlood(): FloodGuard {
    const { limits, host } = this.#peer.context
    return createFloodGuard(limits, bytesPerSecond(this.#format), host.clock.now())
  }

  #createInput(): SpeechInput {
    const peer = this.#peer
    const { limits, host } = peer.context
    const format = this.#format
    return createSpeechInput(format, limits, host.clock, (notice) => {
      host.metrics.count('voice_input_notices', { kind: notice.kind })
      if (notice.kind === 'wrong-rate') {
        peer.error({ code: 'wrong_sample_rate', message: wrongRateSentence(notice.likely, format) })
      } else if (notice.kind === 'unsupported') peer.error({ code: 'unsupported_audio', message: notice.message })
      else if (notice.kind === 'realigned') host.log.warn('audio-realigned', { connection: peer.connection.id })
    })
  }

  #createOutput(): SpeechOutput {
    const peer = this.#peer
    const { limits, host } = peer.context
    const ids = (turn: number) => ({
      sessionId: peer.voiceSession?.id ?? '',
      ...(peer.connectionConfig.turns ? { turn } : {}),
    })
    return new SpeechOutput({
      connection: peer.connection,
      clock: host.clock,
      limits: { ...limits, maxAudioFrameBytes: Math.min(limits.maxAudioFrameBytes, peer.dialect.maxAudioFrameBytes) },
      format: this.#format,
      startText: (turn) => spell({ type: 'tts_start', ...ids(turn) }, peer.dialect),
      endText: (turn, details) =>
        spell(
          { type: 'tts_end', ...ids(turn), ...(peer.connectionConfig.interruptions ? { details } : {}) },
          peer.dialect,
        ),
      onSent: (bytes) => {
        peer.counters.bytesSent += bytes
        host.metrics.count('voice_bytes_sent', {}, bytes)
      },
      onBehind: (step) => {
        host.metrics.count('voice_slow_clients', { step })
        if (step === 'cancel') peer.voiceSession?.conversation.interrupt('slow-client')
        else peer.dismiss(closeCodes.tryLater, closeReasons.tooSlow)
      },
      onStray: () => host.metrics.count('voice_stray_audio'),
    })
  }
}
