import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { createFlite } from '@domos/tts-flite'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openVoiceHouse, type VoiceHouse } from './voice-house.ts'
import { agreement, joined, missingHere, say, silence } from './world.ts'

const recognition = createPocketsphinx({ limits: { maxWorkers: 2 } })
const synthesis = createFlite({ voice: 'kal16' })
const missing = await missingHere(recognition)
if (missing !== undefined) console.warn(`Frames with real engines are not tested here: ${missing}`)

const LONG =
  ' Red, then orange, then yellow, then green, then blue, then indigo, and at the very end of the bow there is violet.'

describe.skipIf(missing !== undefined)('frames of a whole server with real engines', { timeout: 90_000 }, () => {
  let house: VoiceHouse
  afterEach(() => house.close())
  afterAll(() => Promise.all([recognition.close(), synthesis.close()]))

  async function openSilent() {
    return await house.open({ speak: true }, { hasMicrophone: false })
  }
  const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

  it('frames cut at any byte give the transcript of whole ones, and no byte is lost (case 34)', async () => {
    house = await openVoiceHouse({ recognition, synthesis })
    const speech = bytesOf(joined(silence(300), await say('Please open the garage door'), silence(1_500)))
    let state = 7
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return 1 + (state % 999)
    }
    const heard: string[] = []
    for (const nextLength of [() => 640, () => 641, random]) {
      const client = await openSilent()
      house.provider.queue({ type: 'text', text: 'It is open.' })
      for (let at = 0; at < speech.length; ) {
        const frame = speech.slice(at, at + nextLength())
        at += frame.length
        client.socket.send(frame)
      }
      for (const length of [0, 1]) client.socket.send(new Uint8Array(length))
      await client.until(() => client.of('tts_end').length === 1)
      client.send({ type: 'status' })
      await client.until(() => client.of('status').length === 1)
      expect(client.of('status')[0]?.['details']).toMatchObject({ bytesReceived: speech.length + 1 })
      expect(client.of('error')).toEqual([])
      heard.push(...client.users())
      client.close()
    }
    expect(heard).toHaveLength(3)
    expect(new Set(heard).size).toBe(1)
  })

  it('text in the middle of speech is answered and does not harm it; JSON in a binary frame is sound (case 38)', async () => {
    house = await openVoiceHouse({ recognition, synthesis })
    const speech = bytesOf(joined(silence(300), await say('Please open the garage door'), silence(1_500)))
    const half = 640 * Math.floor(speech.length / 1_280)
    const heard: string[] = []
    for (const isDisturbed of [false, true]) {
      const client = await openSilent()
      house.provider.queue({ type: 'text', text: 'It is open.' })
      client.socket.send(speech.slice(0, half))
      if (isDisturbed) {
        client.send({ type: 'status' })
        client.send({ type: 'config', config: { language: 'en' } })
        client.socket.send(new TextEncoder().encode('{"type":"status"} '))
        for (const bad of ['not JSON', '{"type":"nope"}', '{}']) client.socket.send(bad)
        await client.until(() => client.of('error').length === 3)
        expect(client.of('status')).toHaveLength(1)
        expect(client.of('status')[0]?.['details']).toMatchObject({ bytesReceived: half })
      }
      client.socket.send(speech.slice(half))
      await client.until(() => client.of('tts_end').length === 1)
      expect(client.socket.readyState).toBe(1)
      expect(client.users()).toHaveLength(1)
      heard.push(...client.users())
      client.close()
    }
    expect(agreement(heard[1] ?? '', heard[0] ?? '')).toBeGreaterThanOrEqual(0.6)
  })

  it('two who speak at once get the answer to their own words, and its sound (case 37)', async () => {
    house = await openVoiceHouse({ recognition, synthesis })
    const [a, b] = [await house.open(), await house.open()]
    const [short, long] = [
      await say('Stop the music'),
      await say('Tell me about the colours of the rainbow in the sky'),
    ]
    const shownBefore = new Map<object, number>()
    const soundBefore = new Map<object, number>()
    for (let round = 1; round <= 2; round++) {
      const repeat = async (index: number): Promise<void> => {
        const { body } = await house.provider.waitForRequest(index)
        const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]
        const { content } = messages.findLast(({ role }) => role === 'user') ?? {}
        const text = typeof content === 'string' ? content : (content as readonly { text: string }[])[0]?.text
        house.provider.queue({ type: 'text', text: `You said ${text}.${index % 2 === 0 ? '' : LONG}` })
      }
      const replies = repeat((round - 1) * 2).then(() => repeat((round - 1) * 2 + 1))
      a.say(short)
      b.say(long)
      await Promise.all([a, b].map((each) => each.until(() => each.of('tts_end').length === round)))
      await replies
      const lengths = new Map<number, number>()
      for (const each of [a, b]) {
        const shown = each.of('transcript').filter(({ role }) => role === 'assistant')
        expect(each.users()).toHaveLength(round)
        const answer = shown
          .map(({ text }) => text)
          .slice(shownBefore.get(each))
          .join(' ')
        shownBefore.set(each, shown.length)
        expect([`You said ${each.users().at(-1)}.`, `You said ${each.users().at(-1)}.${LONG}`]).toContain(answer)
        lengths.set(answer.length, each.soundBytes - (soundBefore.get(each) ?? 0))
        soundBefore.set(each, each.soundBytes)
        await each.until(() => each.state === 'idle')
      }
      const [shorter = 0, longer = 0] = [...lengths].sort(([one], [other]) => one - other).map(([, bytes]) => bytes)
      expect(longer).toBeGreaterThan(2 * shorter)
    }
    const sessions = [a, b].map((each) => new Set(each.of('transcript').map(({ sessionId }) => sessionId)))
    expect(sessions.map(({ size }) => size)).toEqual([1, 1])
    expect([...(sessions[0] ?? [])]).not.toEqual([...(sessions[1] ?? [])])
  })
})
