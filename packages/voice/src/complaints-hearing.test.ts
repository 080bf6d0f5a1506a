import { describe, expect, it } from 'vitest'
import { HUM_AMPLITUDE, silence, speech } from './test/scripted-engines.ts'
import { openWorld, scriptedModel, text } from './test/world.ts'

const STORY = 'Once there was a harbour with nine old boats. Every morning the boats went out to sea and came back.'

describe('complaints about hearing', () => {
  it('gives recognition 200 ms from before the voice was noticed (livekit/agents-js#1572, sherpa-onnx#3035, ricky0123/vad#3)', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.recognition.script.push({ text: 'hello there' })
    await world.hear(silence(1_000), speech(500), silence(1_000))
    const samples = world.recognition.utterances[0]?.samples ?? []
    const all = samples.flatMap((part) => [...part])
    const onset = all.findIndex((sample) => sample !== 0)
    expect(onset / 16).toBeGreaterThanOrEqual(200)
    const spoken = speech(500)
    expect(all.slice(onset, onset + 1_000)).toEqual([...spoken.subarray(0, 1_000)])
  })

  it('understands a "stop" of 300 ms that is the first sound of a connection (home-assistant/core#181747, #122177)', async () => {
    const world = await openWorld(scriptedModel(text('Stopped.')))
    world.recognition.script.push({ text: 'stop', partials: [{ afterMs: 200, text: 'stop', complete: true }] })
    await world.hear(speech(300), silence(1_200))
    expect(world.of('transcript')[0]).toMatchObject({ role: 'user', text: 'stop' })
    expect(world.of('transcript')[0]?.atMs).toBeLessThanOrEqual(1_500)
  })

  it('ends a turn within 3 s when a television goes on 10 dB below (OHF-Voice/linux-voice-assistant#62)', async () => {
    const world = await openWorld(scriptedModel(text('The light is on.')))
    world.recognition.script.push({ text: 'turn on the light' })
    await world.hear(speech(1_000, 12_000), speech(6_000, 3_800))
    const [asked] = world.of('transcript')
    expect(asked).toMatchObject({ role: 'user', text: 'turn on the light' })
    expect((asked?.atMs ?? 0) - 1_000).toBeLessThanOrEqual(3_000)
    // The television is no second question, and does not interrupt the answer.
    expect(world.model.requests).toHaveLength(1)
    await world.hear(speech(2_000, 3_800), silence(1_500))
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
    world.recognition.script.push({ text: 'and the radio please' })
    await world.hear(speech(1_000, 12_000), silence(1_500))
    expect(world.model.requests).toHaveLength(2)
  })

  it('ends a turn when equally loud sound goes on without new words (OHF-Voice/linux-voice-assistant#62)', async () => {
    const world = await openWorld(scriptedModel(text('The light is on.')))
    world.recognition.script.push({
      text: 'turn on the light',
      partials: [{ afterMs: 900, text: 'turn on the light', complete: false }],
    })
    await world.hear(speech(6_000))
    expect(world.of('transcript')[0]?.atMs).toBeLessThanOrEqual(4_000)
  })

  it('does not answer its own voice; a person over it is heard (livekit/agents#315)', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    await world.speak({ text: 'tell me about the harbour' }, 800, 0)
    // Whatever is played comes back 80 ms later at a tenth of its strength.
    let position = 0
    const echo = async (ms: number, over?: Int16Array): Promise<void> => {
      for (let at = 0; at < ms; at += 20) {
        const mixed = new Int16Array(320)
        const played = world.of('audio')
        for (let index = 0; index < 320; index += 1) {
          const place = position - 80 * 16 + index
          mixed[index] = Math.round(sampleAt(played, place) / 10) + (over?.[at * 16 + index] ?? 0)
        }
        if (played.length > 0) position += 320
        world.conversation.pushAudio(mixed)
        await world.clock.advance(20)
      }
    }
    await echo(4_000)
    expect(world.of('start')).toHaveLength(1)
    expect(world.of('end')).toEqual([])
    expect(world.of('transcript').filter(({ role }) => role === 'user')).toHaveLength(1)
    expect(world.recognition.utterances.filter(({ finished }) => finished)).toHaveLength(1)
    world.recognition.script.push({
      text: 'when does the cinema open',
      partials: [{ afterMs: 500, text: 'when does', complete: false }],
    })
    await echo(1_200, speech(1_200, 9_000, 99))
    await echo(1_000)
    expect(world.of('end')[0]).toMatchObject({ turn: 1, interrupted: true })
    expect(world.model.requests).toHaveLength(2)
  })

  it.each([
    ['silence', silence(8_000), 'thank you'],
    ['a hum', speech(8_000, HUM_AMPLITUDE), 'thank you for watching'],
    ['clicks', clicks(), 'no'],
    ['a cough', burst(200), ''],
  ])('makes no words of %s (rpickz/jarvix#191, huggingface/transformers#24512)', async (_, sound, invented) => {
    const world = await openWorld(scriptedModel(text('You are welcome.')))
    world.recognition.script.push({ text: invented })
    await world.hear(sound)
    expect(world.of('transcript')).toEqual([])
    expect(world.of('start')).toEqual([])
    expect(world.of('error')).toEqual([])
    expect(world.model.requests).toEqual([])
    world.recognition.script = [{ text: 'turn on the light' }]
    await world.hear(speech(800), silence(1_000))
    expect(world.of('transcript')[0]).toMatchObject({ text: 'turn on the light' })
  })
})

function sampleAt(played: readonly { readonly samples: Int16Array }[], place: number): number {
  let left = place
  for (const { samples } of played) {
    if (left < 0) return 0
    if (left < samples.length) return samples[left] ?? 0
    left -= samples.length
  }
  return 0
}

function clicks(): Int16Array {
  const sound = new Int16Array(8_000 * 16)
  for (let at = 0; at < 8_000; at += 1_900) sound.set(speech(10, 12_000), at * 16)
  return sound
}

function burst(ms: number): Int16Array {
  const sound = new Int16Array(2_000 * 16)
  sound.set(speech(ms), 500 * 16)
  return sound
}
