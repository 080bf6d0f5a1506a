import type { Metrics, VoiceSink } from '@domos/spec'

type Report = Parameters<VoiceSink['onLatency']>[0]

/** Times of one turn, in epoch milliseconds, as they become known. */
export interface TurnTimes {
  readonly speechEndedAt: number
  readonly endpointAt: number
  readonly transcriptAt: number
  firstTokenAt?: number
  firstAudioAt?: number
  firstSentAt?: number
}

/** The report of one finished turn, counted from the end of the person's speech. */
export function latencyReport(turn: number, times: TurnTimes, interrupted: boolean): Report {
  const since = (at: number): number => Math.max(0, Math.round(at - times.speechEndedAt))
  return {
    turn,
    endpointMs: since(times.endpointAt),
    transcriptMs: since(times.transcriptAt),
    ...(times.firstTokenAt === undefined ? {} : { firstTokenMs: since(times.firstTokenAt) }),
    ...(times.firstAudioAt === undefined ? {} : { firstAudioMs: since(times.firstAudioAt) }),
    ...(times.firstSentAt === undefined ? {} : { voiceToVoiceMs: since(times.firstSentAt) }),
    interrupted,
  }
}

/** Counts a report. Names: `voice_endpoint_seconds`, `voice_transcript_seconds`, `voice_first_token_seconds`, … */
export function observeLatency(metrics: Metrics, report: Report): void {
  const observe = (name: string, ms: number | undefined): void => {
    if (ms !== undefined) metrics.observe(`voice_${name}_seconds`, ms / 1000)
  }
  observe('endpoint', report.endpointMs)
  observe('transcript', report.transcriptMs)
  observe('first_token', report.firstTokenMs)
  observe('first_audio', report.firstAudioMs)
  observe('voice_to_voice', report.voiceToVoiceMs)
}
