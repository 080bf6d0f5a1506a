import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VoiceConversation } from '@domos/spec'
import { resolveVoiceLimits } from '@domos/voice'
import { loadSettings } from 'domos'
import { afterAll, expect, it } from 'vitest'
import { sayAgain } from './voice-replay.ts'

// The examples of docs/voice.md.

const directory = mkdtempSync(join(tmpdir(), 'domos-voice-docs-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('the configuration is one that a server starts with', async () => {
  const file = join(directory, 'domos.config.yml')
  copyFileSync(fileURLToPath(new URL('./voice.config.yml', import.meta.url)), file)
  const settings = await loadSettings({ flags: {}, env: {}, directory })
  expect(settings).toMatchObject({
    recognition: ['wyoming://127.0.0.1:10300', 'pocketsphinx'],
    voiceRecordings: join(directory, 'recordings'),
    voiceRecordingDays: 3,
  })
  expect(resolveVoiceLimits(settings.limits['voice'])).toMatchObject({ endpointTrailingMs: 1_500, leadMs: 300 })
})

it('a recording is said again as it was', async () => {
  const file = join(directory, 'recording.jsonl')
  const sound = Int16Array.of(1, -2, 3)
  const lines = [
    { id: 'voice-01', startedAt: 5 },
    { atMs: 0, name: 'config', data: { config: { endpointMs: 500 } } },
    { atMs: 1, audio: Buffer.from(sound.buffer).toString('base64') },
  ]
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  const told: unknown[] = []
  await sayAgain(file, {
    pushAudio: (samples: Int16Array) => told.push([...samples]),
    configure: (change: unknown) => told.push(change),
  } as unknown as VoiceConversation)
  expect(told).toEqual([{ endpointMs: 500 }, [1, -2, 3]])
})
