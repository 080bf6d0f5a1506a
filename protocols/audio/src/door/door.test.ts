import { describe, expect, it } from 'vitest'
import { openVoice, pcm } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'

describe('the lifecycle', () => {
  it('goes from connect to tts_end in the order of the document', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId: 'esp32-kitchen-01' })
    await client.send(pcm(1, -2, 300))
    expect(voice.last.heard).toEqual([1, -2, 300])
    voice.last.answer('Turn on the kitchen lights', 'Done.', 100)
    await client.send({ type: 'session_end' })
    expect(client.order()).toEqual(['session_ack', 'transcript', 'transcript', 'tts_start', 'audio', 'tts_end'])
    expect(client.closed).toBeUndefined()
  })
})
