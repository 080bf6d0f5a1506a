import type { JsonObject, VoiceSink } from '@domos/spec'

type Report = Parameters<VoiceSink['onLatency']>[0]

/** Times of the newest spoken turns of a server, for a person who looks at its health. */
export interface RecentTurns {
  add(report: Report): void
  /** How many turns there were, how many of the kept ones were interrupted, and the medians of their times in milliseconds. */
  summary(): JsonObject
}

const KEPT = 100
const TIMES = ['endpointMs', 'transcriptMs', 'firstTokenMs', 'firstAudioMs', 'voiceToVoiceMs'] as const

/** Makes a keeper of the last 100 reports. */
export function createRecentTurns(): RecentTurns {
  let reports: Report[] = []
  let turns = 0
  return {
    add(report) {
      turns += 1
      reports = [...reports, report].slice(-KEPT)
    },
    summary() {
      const medians: Record<string, number> = {}
      for (const name of TIMES) {
        const values = reports.flatMap((report) => report[name] ?? []).sort((a, b) => a - b)
        const middle = values[Math.floor(values.length / 2)]
        if (middle !== undefined) medians[name] = middle
      }
      return { turns, interrupted: reports.filter(({ interrupted }) => interrupted).length, ...medians }
    },
  }
}
