import type { Connection } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { settle } from '../test/manual-clock.ts'
import { openVoice, openVoiceNow, pcm } from '../test/voice-peer.ts'
import { createWorld, type World } from '../test/world.ts'

/** A connection whose socket buffer the test fills. */
function slowConnection(): { buffered: number; wrap(connection: Connection): Connection } {
  const slow = {
    buffered: 0,
    wrap(connection: Connection): Connection {
      return {
        id: connection.id,
        get bufferedBytes() {
          return slow.buffered
        },
        get isOpen() {
          return connection.isOpen
        },
        send(frame) {
          if (frame instanceof Uint8Array) slow.buffered += frame.length
          connection.send(frame)
        },
        close: (code, reason) => connection.close(code, reason),
        onFrame: (receive) => connection.onFrame(receive),
        onClose: (closed) => connection.onClose(closed),
      }
    },
  }
  return slow
}

async function speakTo(
  world: World,
): Promise<ReturnType<typeof slowConnection> & { client: ReturnType<typeof openVoiceNow> }> {
  const slow = slowConnection()
  const client = openVoiceNow(world.door, {}, slow.wrap)
  await settle()
  await client.send({ type: 'config', config: { interruptions: true } })
  world.voice.last.sink.onSpeechStart({ turn: 1 })
  for (let ms = 0; ms < 1_500; ms += 20) world.voice.last.sink.onAudio(new Int16Array(320))
  return Object.assign(slow, { client })
}

describe('a client that reads slowly', () => {
  it('is sent no more than a second ahead of what it takes, and gets the rest when it reads again, whole', async () => {
    const world = createWorld()
    const slow = await speakTo(world)
    await settle()
    expect(slow.buffered).toBeLessThanOrEqual(32_000 + 640)
    expect(world.voice.last.sink.bufferedMs).toBe(1_500)
    world.voice.last.sink.onSpeechEnd({ turn: 1, audioMs: 1_500, interrupted: false, playedMs: 1_500 })
    expect(slow.client.of('tts_end')).toEqual([])
    slow.buffered = 0
    await world.clock.advance(20)
    expect(Buffer.concat(slow.client.audio)).toHaveLength(48_000)
    expect(slow.client.order().slice(-3)).toEqual(['tts_start', 'audio', 'tts_end'])
    expect(world.voice.last.calls).toEqual([])
  })

  it('loses the answer after three seconds, whole from there on, with its tts_end', async () => {
    const world = createWorld()
    const slow = await speakTo(world)
    await world.clock.advance(2_100)
    expect(world.voice.last.calls).toEqual(['interrupt slow-client'])
    world.voice.last.sink.onSpeechEnd({ turn: 1, audioMs: 1_500, interrupted: true, playedMs: 1_500 })
    slow.buffered = 0
    await world.clock.advance(100)
    const sent = Buffer.concat(slow.client.audio).length
    expect(sent).toBeLessThanOrEqual(32_640)
    expect(slow.client.order().slice(-2)).toEqual(['audio', 'tts_end'])
    const details = slow.client.last('tts_end')['details'] as { interrupted: boolean; playedMs: number }
    expect(details.interrupted).toBe(true)
    expect(details.playedMs).toBeLessThanOrEqual(20)
  })

  it('is closed with 1013 after ten seconds, and others are not affected', async () => {
    const world = createWorld()
    const slow = await speakTo(world)
    const other = await openVoice(world.door)
    await world.clock.advance(9_200)
    expect(slow.client.closed).toEqual({ code: 1013, reason: 'Reading too slowly' })
    expect(world.voice.conversations[0]?.isClosed).toBe(true)
    await other.send(pcm(1))
    expect(world.voice.last.heard).toEqual([1])
    expect(world.door.health()['clients']).toBe(1)
  })
})
