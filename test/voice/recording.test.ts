import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog, systemClock } from '@domos/spec'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { replayRecording } from '@domos/voice'
import { createVoiceRecordings, readVoiceRecording } from 'domos'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { joined, missingHere, openRealWorld, type RealWorld, sayClearly, silence } from './world.ts'

const recognition = createPocketsphinx({ limits: { maxWorkers: 1 } })
const missing = await missingHere(recognition)
if (missing !== undefined) console.warn(`Recordings are not replayed here: ${missing}`)
const directory = mkdtempSync(join(tmpdir(), 'domos-recording-'))
afterAll(async () => {
  await recognition.close()
  rmSync(directory, { recursive: true, force: true })
})

describe.skipIf(missing !== undefined)('a recording of a conversation', { timeout: 60_000 }, () => {
  const worlds: RealWorld[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })

  it('replayed from its file into new engines gives the same transcripts', async () => {
    const recordings = createVoiceRecordings({ directory, retentionMs: 60_000, clock: systemClock, log: silentLog })
    const replies = ['It is noon.', 'At six.']
    const first = await openRealWorld({ recognition, replies }, { record: recordings.open })
    worlds.push(first)
    for (const [index, sentence] of ['What time is it', 'When does the museum open'].entries()) {
      await first.listen(joined(await sayClearly(sentence), silence(1_500)))
      await first.until(() => first.count('latency') === index + 1)
    }
    await first.conversation.close()
    await recordings.close()
    const [name = ''] = readdirSync(directory)
    const recording = await readVoiceRecording(join(directory, name))

    const second = await openRealWorld({ recognition, replies })
    worlds.push(second)
    await replayRecording(recording, second.conversation, systemClock)
    await second.until(() => second.count('latency') === 2)
    expect(first.users()).toHaveLength(2)
    expect(second.users()).toEqual(first.users())
    expect(second.requests).toHaveLength(2)
  })
})
