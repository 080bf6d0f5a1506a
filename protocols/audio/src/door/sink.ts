import type { RecognizedWord, VoiceSink } from '@domos/spec'
import type { ToClient } from '../messages.ts'
import type { PeerPort } from './peer-port.ts'
import type { SpeechOutput } from './speech-output.ts'

/** What the sink needs of its connection. */
export interface SinkPort extends Pick<PeerPort, 'send' | 'error' | 'dialect' | 'connectionConfig' | 'voiceConfig'> {
  readonly output: SpeechOutput
  /** An answer has ended. */
  onSpeechOver(): void
}

/**
 * The conversation's far end on a connection, for the session spelled `sessionId`. What comes after the session was left is
 * discarded.
 */
export function createSink(port: SinkPort, sessionId: string, isCurrent: () => boolean): VoiceSink {
  const turnOf = (turn: number | undefined): { readonly turn?: number } =>
    port.connectionConfig.turns && turn !== undefined ? { turn } : {}
  return {
    get bufferedMs() {
      return port.output.bufferedMs
    },
    onTranscript({ role, text, isFinal, turn, words }) {
      if (!isCurrent()) return
      const { mirrorsTranscripts } = port.dialect
      const wantsPartials = port.voiceConfig['partials'] === true && !mirrorsTranscripts
      if (!isFinal && !wantsPartials) return
      port.send({
        type: 'transcript',
        sessionId,
        text,
        role,
        ...(role === 'user' && isFinal && words !== undefined && words.length > 0
          ? { words: words.map(wireWord) }
          : {}),
        ...(wantsPartials ? { final: isFinal } : {}),
        ...turnOf(turn),
      })
      if (mirrorsTranscripts) port.send({ type: role === 'user' ? 'transcription' : 'response', text })
    },
    onSpeechStart({ turn }) {
      if (isCurrent()) port.output.start(turn)
    },
    onAudio(samples) {
      if (isCurrent()) port.output.audio(samples)
    },
    onSpeechEnd(facts) {
      if (!isCurrent()) return
      port.output.end(facts)
      port.onSpeechOver()
    },
    onState(state) {
      if (isCurrent() && port.connectionConfig.states) port.send({ type: 'state', sessionId, state })
    },
    onNothingHeard({ reason }) {
      if (isCurrent() && port.connectionConfig.states) port.send({ type: 'nothing_heard', sessionId, reason })
    },
    onError({ code, message, turn }) {
      if (isCurrent()) port.error({ code, message, ...turnOf(turn) })
    },
    onLatency({ turn, ...times }) {
      if (!isCurrent() || !port.connectionConfig.latency) return
      port.send({ type: 'latency', sessionId, turn, details: times })
    },
  }
}

/** Whole milliseconds from the first sample of the utterance. */
function wireWord({ word, startMs, endMs }: RecognizedWord): NonNullable<ToClient<'transcript'>['words']>[number] {
  return { word, start: Math.round(startMs), end: Math.round(endMs) }
}
