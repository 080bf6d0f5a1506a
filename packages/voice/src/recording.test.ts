import { describe, expect, it } from 'vitest'
import { createRecordings, replayRecording } from './recording.ts'
import { createManualClock } from './test/manual-clock.ts'
import { silence, speech } from './test/scripted-engines.ts'
import { openWorld, scriptedModel, text } from './test/world.ts'

describe('recordings', () => {
  it('hold sound and events of a conversation, and replay to the same transcripts', async () => {
    const recordings = createRecordings(createManualClock(), { retentionMs: 100_000_000 })
    const world = await openWorld(scriptedModel(text('It is noon.')), { voice: { record: recordings.open } })
    world.conversation.configure({ endpointMs: 500 })
    world.recognition.script.push({ text: 'what time is it' })
    await world.hear(silence(300), speech(800), silence(700))
    await world.conversation.close()
    const [recording] = recordings.list()
    expect(recording?.entries.filter(({ type }) => type === 'audio')).toHaveLength(1_800 / 20)
    const names = recording?.entries.flatMap((entry) => (entry.type === 'event' ? [entry.name] : []))
    expect(names).toEqual(expect.arrayContaining(['config', 'state', 'endpoint', 'transcript']))

    const again = await openWorld(scriptedModel(text('It is noon.')))
    again.recognition.script.push({ text: 'what time is it' })
    let done = false
    if (recording === undefined) throw new Error('nothing was recorded')
    void replayRecording(recording, again.conversation, again.clock).then(() => {
      done = true
    })
    await again.clock.advance(4_000)
    expect(done).toBe(true)
    expect(again.of('transcript').map(({ text: said }) => said)).toEqual(
      world.of('transcript').map(({ text: said }) => said),
    )
    expect(again.conversation.config.endpointMs).toBe(500)
  })

  it('are not made unless asked for, go after their time, and are bounded', async () => {
    const clock = createManualClock()
    const recordings = createRecordings(clock, { retentionMs: 1_000, recordingsMax: 2, audioMaxMs: 100 })
    for (const id of ['a', 'b', 'c']) {
      const writer = recordings.open({ id, sessionId: 's' })
      for (let count = 0; count < 10; count += 1) writer?.audio(speech(50))
      writer?.close()
    }
    expect(recordings.list().map(({ id }) => id)).toEqual(['b', 'c'])
    expect(recordings.list()[0]?.entries).toHaveLength(2)
    recordings.remove('b')
    expect(recordings.list().map(({ id }) => id)).toEqual(['c'])
    await clock.advance(1_000)
    expect(recordings.list()).toEqual([])
    const world = await openWorld(scriptedModel())
    expect(world.voice.health()).toMatchObject({ recording: false })
  })
})
