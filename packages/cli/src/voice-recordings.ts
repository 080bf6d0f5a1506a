import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, DomosError, type JsonObject, type Log, toDomosError } from '@domos/spec'
import { type OpenRecording, RECORDING_LIMITS, type Recording, type RecordingEntry } from '@domos/voice'

/** How recordings are kept. Switching them on is the operator's consent; the people recorded have to be told by them. */
export interface VoiceRecordingsOptions {
  readonly directory: string
  readonly retentionMs: number
  readonly clock: Clock
  readonly log: Log
  /** Bytes of one recording that wait for the disk; beyond it the recording ends. @default 8388608 (8 MiB) */
  readonly waitingMaxBytes?: number
}

/** Recordings of conversations by voice, one file each, that only the owner of the server can read. */
export interface VoiceRecordings {
  readonly open: OpenRecording
  /** Removes what is past its retention, and the oldest beyond the largest number. */
  prune(): Promise<void>
  /** Settles when everything is on the disk. */
  close(): Promise<void>
}

/** Start in epoch milliseconds, then the conversation. Nothing else in the directory is touched. */
const FILE = /^(\d{13,16})-voice-[0-9a-f]+\.jsonl$/
const PRUNE_EVERY_MS = 3_600_000

/** Makes the keeper; what is too old goes at once, and then every hour. */
export function createVoiceRecordings(options: VoiceRecordingsOptions): VoiceRecordings {
  const { directory, retentionMs, clock, log, waitingMaxBytes = 8 * 1_024 * 1_024 } = options
  const ready = mkdir(directory, { recursive: true, mode: 0o700 }).then(
    () => undefined,
    (thrown: unknown) => log.warn('voice-recording-failed', { code: toDomosError(thrown).code }),
  )
  /** Each settles when its file is closed. */
  const files = new Map<Promise<WriteStream>, Promise<void>>()
  let stopTimer = (): void => {}
  let isClosed = false

  async function prune(): Promise<void> {
    await ready
    const names = (await readdir(directory).catch(() => [])).filter((name) => FILE.test(name)).sort()
    const startedAt = (name: string): number => Number(FILE.exec(name)?.[1])
    const tooMany = names.length - RECORDING_LIMITS.recordingsMax
    const old = names.filter((name, index) => index < tooMany || startedAt(name) <= clock.now() - retentionMs)
    await Promise.all(old.map((name) => rm(join(directory, name), { force: true })))
  }

  function pruneRegularly(): void {
    void prune().catch((thrown: unknown) => log.warn('voice-recording-failed', { code: toDomosError(thrown).code }))
    if (!isClosed) stopTimer = clock.schedule(PRUNE_EVERY_MS, pruneRegularly)
  }
  pruneRegularly()

  return {
    open({ id, sessionId }) {
      if (isClosed) return undefined
      const startedAt = clock.now()
      const lines = ready.then(() => {
        const file = createWriteStream(join(directory, `${startedAt}-${id}.jsonl`), { flags: 'wx', mode: 0o600 })
        file.on('error', () => {
          over = true
          log.warn('voice-recording-failed', { conversation: id })
        })
        return file
      })
      const closed = lines.then((file) => new Promise<void>((resolve) => file.once('close', resolve)))
      files.set(lines, closed)
      void closed.then(() => files.delete(lines))
      let over = false
      let audioMs = 0
      let events = 0
      const write = (line: JsonObject): void => {
        void lines.then((file) => {
          if (file.writableLength > waitingMaxBytes) over = true
          else if (!file.destroyed && !file.writableEnded) file.write(`${JSON.stringify(line)}\n`)
        })
      }
      write({ id, sessionId, startedAt })
      void lines.then(() => prune()).catch(() => {})
      return {
        audio(samples) {
          if (over || audioMs >= RECORDING_LIMITS.audioMaxMs) return
          audioMs += samples.length / 16
          const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
          write({ atMs: clock.now() - startedAt, audio: bytes.toString('base64') })
        },
        event(name, data) {
          if (over || events >= RECORDING_LIMITS.eventsMax) return
          events += 1
          write({ atMs: clock.now() - startedAt, name, data })
        },
        close() {
          over = true
          void lines.then((file) => file.end())
        },
      }
    },
    prune,
    async close() {
      isClosed = true
      stopTimer()
      await ready
      for (const lines of files.keys()) void lines.then((file) => file.end())
      await Promise.all(files.values())
    },
  }
}

/**
 * Reads a recording back, for `replayRecording` of `@domos/voice`. A last line that was cut by a crash is left out.
 * @throws DomosError `invalid_request` when the file is no recording
 */
export async function readVoiceRecording(path: string): Promise<Recording> {
  const [first, ...rest] = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  const header = parseLine(path, first ?? '')
  if (typeof header['id'] !== 'string' || typeof header['startedAt'] !== 'number') throw noRecording(path)
  return { id: header['id'], startedAt: header['startedAt'], entries: rest.map((line) => toEntry(path, line)) }
}

function toEntry(path: string, text: string): RecordingEntry {
  const { atMs, audio, name, data } = parseLine(path, text)
  if (typeof atMs !== 'number') throw noRecording(path)
  if (typeof audio === 'string') {
    const bytes = Uint8Array.from(Buffer.from(audio, 'base64'))
    return { type: 'audio', atMs, samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1) }
  }
  if (typeof name !== 'string' || !isObject(data)) throw noRecording(path)
  return { type: 'event', atMs, name, data }
}

function parseLine(path: string, text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed)) return parsed
  } catch {
    // Said below.
  }
  throw noRecording(path)
}

/** JSON that was just parsed. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function noRecording(path: string): DomosError {
  return new DomosError('invalid_request', `${path} is not a recording of the voice door.`)
}
