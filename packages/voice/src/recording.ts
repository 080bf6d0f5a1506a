import type { Clock, JsonObject } from '@domos/spec'

/** One entry of a recording, in order of time. */
export type RecordingEntry =
  | { readonly type: 'audio'; readonly atMs: number; readonly samples: Int16Array }
  | { readonly type: 'event'; readonly atMs: number; readonly name: string; readonly data: JsonObject }

/** What was said in one conversation, with what the pipeline made of it: personal data, kept only where somebody asked for it. */
export interface Recording {
  readonly id: string
  /** Epoch milliseconds; entries count from here. */
  readonly startedAt: number
  readonly entries: readonly RecordingEntry[]
}

/** Takes what happens in one conversation. Must not throw. */
export interface RecordingWriter {
  audio(samples: Int16Array): void
  event(name: string, data: JsonObject): void
  close(): void
}

/** Opens a writer for a conversation, or none when it is not to be recorded. */
export type OpenRecording = (conversation: {
  readonly id: string
  readonly sessionId: string
}) => RecordingWriter | undefined

/** Bounds of {@link createRecordings}. */
export interface RecordingLimits {
  /** @default 86400000 (a day) */
  readonly retentionMs: number
  /** Recordings kept; the oldest goes first. @default 100 */
  readonly recordingsMax: number
  /** Sound of one recording; what follows is left out. @default 600000 */
  readonly audioMaxMs: number
  /** Events of one recording. @default 10000 */
  readonly eventsMax: number
}

/** Defaults of {@link RecordingLimits}. */
export const RECORDING_LIMITS: RecordingLimits = {
  retentionMs: 86_400_000,
  recordingsMax: 100,
  audioMaxMs: 600_000,
  eventsMax: 10_000,
}

/** Recordings kept in memory for a while. */
export interface Recordings {
  readonly open: OpenRecording
  /** Finished and running ones, oldest first; those past their retention are gone. */
  list(): readonly Recording[]
  remove(id: string): void
}

/** Makes a keeper of recordings. Passing its `open` to `createVoice` is the consent to record. */
export function createRecordings(clock: Clock, overrides: Partial<RecordingLimits> = {}): Recordings {
  const limits = { ...RECORDING_LIMITS, ...overrides }
  let kept: { id: string; startedAt: number; entries: RecordingEntry[] }[] = []

  function prune(): void {
    const oldest = clock.now() - limits.retentionMs
    kept = kept.filter((recording) => recording.startedAt > oldest).slice(-limits.recordingsMax)
  }

  return {
    open({ id }) {
      const recording = { id, startedAt: clock.now(), entries: [] as RecordingEntry[] }
      kept.push(recording)
      prune()
      let audioMs = 0
      let events = 0
      let closed = false
      const atMs = (): number => clock.now() - recording.startedAt
      return {
        audio(samples) {
          if (closed || audioMs >= limits.audioMaxMs) return
          audioMs += samples.length / 16
          recording.entries.push({ type: 'audio', atMs: atMs(), samples: samples.slice() })
        },
        event(name, data) {
          if (closed || events >= limits.eventsMax) return
          events += 1
          recording.entries.push({ type: 'event', atMs: atMs(), name, data })
        },
        close() {
          closed = true
        },
      }
    },
    list() {
      prune()
      return kept
    },
    remove(id) {
      kept = kept.filter((recording) => recording.id !== id)
    },
  }
}

/** Feeds a recording's sound to a conversation at the recorded times; settles when all of it has been pushed. */
export async function replayRecording(
  recording: Recording,
  conversation: { pushAudio(samples: Int16Array): void; configure(change: JsonObject): unknown },
  clock: Clock,
): Promise<void> {
  const startedAt = clock.now()
  for (const entry of recording.entries) {
    const waitMs = startedAt + entry.atMs - clock.now()
    if (waitMs > 0) await new Promise<void>((resolve) => clock.schedule(waitMs, resolve))
    if (entry.type === 'audio') conversation.pushAudio(entry.samples)
    else if (entry.name === 'config') conversation.configure(entry.data['config'] as JsonObject) // written by us as such
  }
}
