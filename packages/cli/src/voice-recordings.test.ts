import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog, systemClock } from '@domos/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from './load-settings.ts'
import { createVoiceRecordings, readVoiceRecording, type VoiceRecordings } from './voice-recordings.ts'

let folder = ''
let recordings: VoiceRecordings
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'domos-recordings-')), 'kept')
  recordings = createVoiceRecordings({ directory: folder, retentionMs: 86_400_000, clock: systemClock, log: silentLog })
})
afterEach(async () => {
  await recordings.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const SOUND = Int16Array.from({ length: 320 }, (_, index) => index * 100 - 16_000)

describe('recordings on disk', () => {
  it('come back as they were, in files that only their owner can read', async () => {
    const writer = recordings.open({ id: 'voice-0a', sessionId: 's1' })
    writer?.event('config', { config: { endpointMs: 500 } })
    writer?.audio(SOUND)
    writer?.event('transcript', { role: 'user', text: 'what time is it' })
    writer?.close()
    writer?.audio(SOUND)
    await recordings.close()
    const [name = ''] = readdirSync(folder)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const { id, entries } = await readVoiceRecording(join(folder, name))
    expect(id).toBe('voice-0a')
    expect(entries.map((entry) => (entry.type === 'audio' ? [...entry.samples] : [entry.name, entry.data]))).toEqual([
      ['config', { config: { endpointMs: 500 } }],
      [...SOUND],
      ['transcript', { role: 'user', text: 'what time is it' }],
    ])
  })

  it('go after their time, and nothing else in the directory does', async () => {
    await recordings.prune()
    const day = 86_400_000
    const names = [`${Date.now() - 2 * day}-voice-0b.jsonl`, `${Date.now() - day / 2}-voice-0c.jsonl`, 'notes.txt']
    for (const name of names) writeFileSync(join(folder, name), '')
    await recordings.prune()
    expect(names.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true])
  })

  it('refuse to be read from what is no recording, by name', async () => {
    await recordings.prune()
    const path = join(folder, 'notes.jsonl')
    writeFileSync(path, '{"a": 1}\n')
    await expect(readVoiceRecording(path)).rejects.toThrow('notes.jsonl is not a recording')
  })

  it('are off unless a directory is named; the days are a whole number', async () => {
    const load = (env: Record<string, string>) => loadSettings({ flags: {}, env, directory: join(folder, '..') })
    expect(await load({})).toMatchObject({ voiceRecordings: undefined, voiceRecordingDays: 7 })
    expect(await load({ DOMOS_VOICE_RECORDINGS: 'kept', DOMOS_VOICE_RECORDING_DAYS: '2' })).toMatchObject({
      voiceRecordings: folder,
      voiceRecordingDays: 2,
    })
    for (const days of ['0', '1.5', 'long']) {
      await expect(load({ DOMOS_VOICE_RECORDING_DAYS: days })).rejects.toThrow('DOMOS_VOICE_RECORDING_DAYS')
    }
  })
})
