import { describe, expect, it } from 'vitest'
import { openVoice, pcm } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'

describe('what a client may switch on', () => {
  it('partial transcripts say whether they are final', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const { sink } = voice.last
    sink.onTranscript({ role: 'user', text: 'tur', isFinal: false, turn: 1 })
    await client.send({ type: 'config', config: { partials: true } })
    expect(client.of('transcript')).toEqual([])
    sink.onTranscript({ role: 'user', text: 'turn', isFinal: false, turn: 1 })
    sink.onTranscript({ role: 'user', text: 'turn on', isFinal: true, turn: 1 })
    await client.send({ type: 'status' })
    expect(client.of('transcript')).toMatchObject([
      { text: 'turn', final: false },
      { text: 'turn on', final: true },
    ])
  })

  it('turn ids, interruption notices, states and latency reports', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config', config: { turns: true, interruptions: true, states: true, latency: true } })
    const { sink } = voice.last
    sink.onState('speaking')
    sink.onNothingHeard?.({ reason: 'no-words' })
    sink.onTranscript({ role: 'user', text: 'hi', isFinal: true, turn: 3 })
    sink.onSpeechStart({ turn: 3 })
    sink.onAudio(new Int16Array(1_600))
    sink.onSpeechEnd({ turn: 3, audioMs: 100, interrupted: true, playedMs: 60 })
    sink.onError({ code: 'timeout', message: 'Slow.', turn: 3 })
    sink.onLatency({ turn: 3, endpointMs: 250, transcriptMs: 20, voiceToVoiceMs: 400, interrupted: true })
    await client.send({ type: 'status' })
    expect(client.last('state')).toMatchObject({ state: 'speaking' })
    expect(client.last('nothing_heard')).toMatchObject({ reason: 'no-words' })
    expect(client.last('transcript')['turn']).toBe(3)
    expect(client.last('tts_start')['turn']).toBe(3)
    expect(client.last('tts_end')).toMatchObject({ turn: 3, details: { interrupted: true, audioMs: 100 } })
    expect((client.last('tts_end')['details'] as { playedMs: number }).playedMs).toBeLessThanOrEqual(60)
    expect(client.last('error')['turn']).toBe(3)
    expect(client.last('latency')).toMatchObject({ turn: 3, details: { endpointMs: 250, voiceToVoiceMs: 400 } })
  })

  it('is off for a client of the document: it gets the document alone', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const { sink } = voice.last
    sink.onState('speaking')
    sink.onNothingHeard?.({ reason: 'no-words' })
    sink.onSpeechStart({ turn: 1 })
    sink.onSpeechEnd({ turn: 1, audioMs: 0, interrupted: true, playedMs: 0 })
    sink.onLatency({ turn: 1, endpointMs: 250, transcriptMs: 20, interrupted: false })
    await client.send({ type: 'status' })
    const { sessionId } = client.last('session_ack')
    expect(client.messages.slice(1, -1)).toEqual([
      { type: 'tts_start', sessionId },
      { type: 'tts_end', sessionId },
    ])
  })

  it('push to talk, typed text and interruption reach the conversation', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config', config: { pushToTalk: true } })
    await client.send({ type: 'listen' })
    await client.send(pcm(1))
    await client.send({ type: 'commit' })
    await client.send({ type: 'text', text: '  what time is it ' })
    await client.send({ type: 'interrupt' })
    expect(voice.last.config.pushToTalk).toBe(true)
    expect(voice.last.calls).toEqual(['arm', 'commit', 'say what time is it', 'interrupt asked by the client'])
    await client.send({ type: 'text', text: 'x'.repeat(5_000) })
    expect(client.last('error')).toMatchObject({ code: 'too_large', path: 'text' })
  })
})

describe('coming back with a resume token', () => {
  async function withToken(world: ReturnType<typeof createWorld>) {
    const client = await openVoice(world.door)
    await client.send({ type: 'config', config: { resume: true, speed: 1.5 } })
    const details = client.last('config')['details'] as { resumeToken: string; resumeTtlMs: number }
    expect(details.resumeTtlMs).toBe(60_000)
    return { client, token: details.resumeToken }
  }

  it('takes the session up within a minute, with its settings and a new token', async () => {
    const world = createWorld()
    const { client, token } = await withToken(world)
    client.connection.close(1006, '')
    await world.clock.advance(59_000)
    const back = await openVoice(world.door)
    await back.send({ type: 'session_start', resumeToken: token })
    const ack = back.last('session_ack') as unknown as {
      sessionId: string
      details: { resumed: boolean; resumeToken: string }
    }
    expect(ack.sessionId).toBe(client.last('session_ack')['sessionId'])
    expect(ack.details.resumed).toBe(true)
    expect(ack.details.resumeToken).not.toBe(token)
    expect(world.voice.last.config.speed).toBe(1.5)
    expect(world.house.sessions.map(({ closedWith }) => closedWith)).toEqual([undefined, 'session-changed'])
  })

  it('works while the server has not noticed that the old connection is dead', async () => {
    const world = createWorld()
    const { client, token } = await withToken(world)
    const back = await openVoice(world.door)
    await back.send({ type: 'session_start', resumeToken: token })
    expect(back.last('session_ack')).toMatchObject({ sessionId: client.last('session_ack')['sessionId'] })
    expect(client.closed?.code).toBe(4001)
    expect(world.door.health()['clients']).toBe(1)
  })

  it('a token works once, and not after a minute: then a fresh session is kept', async () => {
    const world = createWorld()
    const { client, token } = await withToken(world)
    client.connection.close(1006, '')
    await world.clock.advance(60_000)
    expect(world.house.sessions[0]?.closedWith).toBe('client-did-not-return')
    const back = await openVoice(world.door)
    await back.send({ type: 'session_start', resumeToken: token })
    expect(back.of('session_ack')).toMatchObject([{}, { details: { resumed: false } }])
    expect(back.of('session_ack')[0]?.['sessionId']).toBe(back.of('session_ack')[1]?.['sessionId'])
  })

  it('who says goodbye is not waited for', async () => {
    const world = createWorld()
    const { client } = await withToken(world)
    client.connection.close(1000, 'Done')
    await world.clock.advance(0)
    expect(world.door.health()['waitingForReturn']).toBe(0)
    expect(world.house.sessions[0]?.closedWith).toBe('connection-closed')
  })

  it('without a token a broken connection closes its session at once', async () => {
    const { door, house } = createWorld()
    const client = await openVoice(door)
    client.connection.close(1006, '')
    await client.send('')
    expect(house.sessions[0]?.closedWith).toBe('connection-closed')
  })

  it('keeps a bounded number of sessions waiting', async () => {
    const world = createWorld({ limits: { maxResumable: 2 } })
    for (let index = 0; index < 3; index++) (await withToken(world)).client.connection.close(1006, '')
    await world.clock.advance(0)
    expect(world.door.health()['waitingForReturn']).toBe(2)
    expect(world.house.sessions[0]?.closedWith).toBe('client-did-not-return')
  })
})
