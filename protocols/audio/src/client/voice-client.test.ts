import type { Connection, Door } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import { describe, expect, it } from 'vitest'
import { settle } from '../test/manual-clock.ts'
import { openVoice } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'
import type { VoiceClientEvents } from './events.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'
import { createVoiceClient, type SocketLike } from './voice-client.ts'

/** The client's sockets end at the door itself: both ends of the wire are ours, and neither is pretended. */
function socketsTo(door: Door): {
  readonly open: (url: string) => SocketLike
  readonly sockets: (SocketLike & { drop(code: number): void; backlog: number })[]
} {
  const sockets: (SocketLike & { drop(code: number): void; backlog: number })[] = []
  return {
    sockets,
    open() {
      const [near, far] = createLinkedConnections()
      const socket = linkedSocket(near, (code) => far.close(code, ''))
      sockets.push(socket)
      queueMicrotask(() => {
        door.accept(far, {
          path: '/audio',
          query: new URLSearchParams(),
          remoteAddress: '127.0.0.1',
          isLoopback: true,
        })
        ;(socket.onopen as (() => void) | null)?.()
      })
      return socket
    },
  }
}

function linkedSocket(
  near: Connection,
  drop: (code: number) => void,
): SocketLike & { drop(code: number): void; backlog: number } {
  const socket: SocketLike & { drop(code: number): void; backlog: number } = {
    binaryType: 'blob',
    backlog: 0,
    drop,
    get bufferedAmount() {
      return socket.backlog
    },
    get readyState() {
      return near.isOpen ? 1 : 3
    },
    send: (data) =>
      near.send(typeof data === 'string' ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
    close: (code, reason) => near.close(code ?? 1000, reason ?? ''),
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  near.onFrame((frame) => {
    const data = typeof frame === 'string' ? frame : frame.slice().buffer
    ;(socket.onmessage as ((event: { data: unknown }) => void) | null)?.({ data })
  })
  near.onClose((code, reason) => {
    ;(socket.onclose as ((event: { code: number; reason: string }) => void) | null)?.({ code, reason })
  })
  return socket
}

async function connected(options: Parameters<typeof createVoiceClient>[0] = {}) {
  const world = createWorld()
  const sockets = socketsTo(world.door)
  const client = createVoiceClient({ openSocket: sockets.open, clock: world.clock, ...options })
  const links: VoiceClientEvents['link'][] = []
  client.on('link', (event) => links.push(event))
  client.connect()
  await settle()
  return { ...world, ...sockets, client, links }
}

describe('a voice client', () => {
  it('connects, names its device, switches its extensions on, and speaks and hears', async () => {
    const { client, voice } = await connected({ deviceId: 'cli-1' })
    const seen: string[] = []
    client.on('transcript', ({ role, text, isFinal }) => seen.push(`${role} ${text} ${isFinal}`))
    client.on('speech-start', ({ turn }) => seen.push(`start ${turn}`))
    client.on('audio', (samples) => seen.push(`audio ${samples.length} ${samples[0]}`))
    client.on('speech-end', ({ interrupted }) => seen.push(`end ${interrupted}`))
    expect(client.link).toBe('ready')
    expect(client.sessionId).toMatch(/^session-[0-9a-f]{32}$/)
    expect(voice.last.config.partials).toBe(true)
    expect(client.sendAudio(Int16Array.of(1, -2))).toBe(true)
    voice.last.answer('hi', 'Hello.', 20)
    await settle()
    expect(voice.last.heard).toEqual([1, -2])
    expect(seen).toEqual(['user hi true', 'assistant Hello. true', 'start 1', 'audio 320 1', 'end false'])
  })

  it('AUDIO-RETRY-1, AUDIO-RETRY-2, AUDIO-RETRY-3: waits 1, 2, 4, 8, 16, then 30 seconds', () => {
    const delays = Array.from({ length: 9 }, (_, index) => reconnectDelayMs(index + 1))
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  it('AUDIO-RETRY-4, AUDIO-ESP-2: doubles while refused, and starts over after a connection that worked', async () => {
    const { client, links, clock, sockets, door } = await connected()
    const waits = () => links.filter(({ state }) => state === 'waiting').map(({ retryInMs }) => retryInMs)
    const others = await Promise.all(Array.from({ length: 9 }, () => openVoice(door)))
    sockets.at(-1)?.drop(1006)
    await settle()
    // The tenth place is taken meanwhile: the client is accepted and closed with 1013, which is no success.
    const intruder = await openVoice(door)
    for (const wait of [1_000, 2_000, 4_000]) await clock.advance(wait)
    expect(waits()).toEqual([1_000, 2_000, 4_000, 8_000])
    intruder.connection.close(1000, '')
    await clock.advance(8_000)
    expect(client.link).toBe('ready')
    sockets.at(-1)?.drop(1006)
    await settle()
    expect(waits().at(-1)).toBe(1_000)
    client.close()
    expect(client.link).toBe('closed')
    expect(others.every(({ closed }) => closed === undefined)).toBe(true)
  })

  it('takes its session up again after a drop', async () => {
    const { client, clock, sockets, voice } = await connected()
    const sessions: boolean[] = []
    client.on('session', ({ resumed }) => sessions.push(resumed))
    const first = client.sessionId
    sockets.at(-1)?.drop(1006)
    await settle()
    await clock.advance(1_000)
    expect(client.sessionId).toBe(first)
    expect(sessions).toEqual([false, true])
    expect(client.sendAudio(Int16Array.of(5))).toBe(true)
    await settle()
    expect(voice.last.heard).toEqual([5])
  })

  it('joins by a token once, comes back to where it joined, and says when that cannot be had back', async () => {
    const world = createWorld({
      redeemJoinToken: (token) => (token === 'join-1' ? world.house.sessions[0] : undefined),
    })
    const { door, clock, house } = world
    await openVoice(door)
    const { open, sockets } = socketsTo(door)
    const client = createVoiceClient({ openSocket: open, clock, joinToken: 'join-1' })
    const sessions: VoiceClientEvents['session'][] = []
    client.on('session', (session) => sessions.push(session))
    client.connect()
    await settle()
    expect(sessions).toMatchObject([{ joined: false }, { joined: true, resumed: false, lost: false }])
    expect(client.sessionId).toBe(`session-${house.sessions[0]?.id}`)
    sockets.at(-1)?.drop(1006)
    await settle()
    await clock.advance(1_000)
    expect(sessions.slice(2)).toMatchObject([{ lost: false }, { joined: true, resumed: true, lost: false }])
    sockets.at(-1)?.drop(1006)
    await settle()
    house.sessions[0]?.close('over')
    await clock.advance(1_000)
    expect(sessions.at(-1)).toMatchObject({ joined: false, resumed: false, lost: true })
  })

  it.each([1008, 4001])('does not come back after %i', async (code) => {
    const { client, links, sockets, clock } = await connected()
    sockets.at(-1)?.drop(code)
    await settle()
    expect(links.at(-1)).toMatchObject({ state: 'closed', code })
    await clock.advance(60_000)
    expect(sockets).toHaveLength(1)
    expect(client.sendAudio(Int16Array.of(1))).toBe(false)
  })

  it('leaves audio out while the network is too slow, says so once, and goes on', async () => {
    const { client, sockets } = await connected()
    const errors: string[] = []
    client.on('error', ({ code }) => errors.push(code))
    const [socket] = sockets
    if (socket === undefined) throw new Error('no socket')
    socket.backlog = 200_000
    expect([client.sendAudio(Int16Array.of(1)), client.sendAudio(Int16Array.of(2))]).toEqual([false, false])
    socket.backlog = 0
    expect(client.sendAudio(Int16Array.of(3))).toBe(true)
    expect(errors).toEqual(['client'])
  })

  it('asks for status, changes settings, and tells what the server says is wrong', async () => {
    const { client, voice } = await connected()
    const errors: string[] = []
    client.on('error', ({ code }) => errors.push(code))
    client.configure({ speed: 1.25 })
    client.configure({ speed: 99 })
    client.say('hello')
    expect(await client.requestStatus()).toMatchObject({ bytesReceived: 0, bytesSent: 0 })
    expect(voice.last.config.speed).toBe(1.25)
    expect(voice.last.calls).toEqual(['say hello'])
    expect(errors).toEqual(['invalid_config'])
  })

  it('a listener that is taken off hears nothing more, and close may be called twice', async () => {
    const { client, voice } = await connected()
    let heard = 0
    const off = client.on('transcript', () => heard++)
    off()
    voice.last.answer('hi', 'Hello.', 20)
    await settle()
    client.close()
    client.close()
    expect(heard).toBe(0)
    await expect(client.requestStatus()).rejects.toThrow('not connected')
  })
})
