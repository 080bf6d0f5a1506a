import { describe, expect, it } from 'vitest'
import { createBackOff } from './back-off.ts'
import { type KeepaliveEvent, type KeepaliveState, keepalive } from './keepalive-state.ts'
import { createLinkedConnections } from './linked-connections.ts'

describe('back-off', () => {
  it('doubles its ceiling up to the cap, spreads over all of it, and starts again after reset', () => {
    const highest = createBackOff({ initialMs: 100, maxMs: 1_000, random: () => 0.999 })
    expect(Array.from({ length: 6 }, () => highest.next())).toEqual([99, 199, 399, 799, 999, 999])
    expect(highest.attempts).toBe(6)
    highest.reset()
    expect(highest.next()).toBe(99)
    expect(createBackOff({ random: () => 0 }).next()).toBe(0)
  })
})

describe('keepalive, every state with every event', () => {
  const expected: Readonly<Record<KeepaliveState, Readonly<Record<KeepaliveEvent, string>>>> = {
    alive: { tick: 'quiet ping', 'sign-of-life': 'alive nothing' },
    quiet: { tick: 'dead terminate', 'sign-of-life': 'alive nothing' },
    dead: { tick: 'dead nothing', 'sign-of-life': 'dead nothing' },
  }
  for (const state of Object.keys(expected) as KeepaliveState[]) {
    for (const event of Object.keys(expected[state]) as KeepaliveEvent[]) {
      it(`${state} + ${event}`, () => expect(keepalive(state, event).join(' ')).toBe(expected[state][event]))
    }
  }
})

describe('linked connections', () => {
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

  it('carry frames in order, later, and to a receiver that comes late', async () => {
    const [a, b] = createLinkedConnections()
    const seen: unknown[] = []
    a.send('one')
    a.send(new Uint8Array([2]))
    expect(a.bufferedBytes).toBe(4)
    b.onFrame((frame) => seen.push(frame))
    expect(seen).toEqual([])
    await turn()
    expect(seen).toEqual(['one', new Uint8Array([2])])
    expect(a.bufferedBytes).toBe(0)
  })

  it('close both ends after what was sent, once, and tell it also to who asks later', async () => {
    const [a, b] = createLinkedConnections()
    const seen: unknown[] = []
    b.onFrame((frame) => seen.push(frame))
    b.onClose((code, reason) => seen.push([code, reason]))
    a.send('last')
    a.close(1001, 'bye')
    a.close(1000, 'again')
    a.send('lost')
    await turn()
    expect(seen).toEqual(['last', [1001, 'bye']])
    expect([a.isOpen, b.isOpen]).toEqual([false, false])
    let late: unknown
    a.onClose((code) => {
      late = code
    })
    expect(late).toBe(1001)
  })

  it('close with 1009 when nobody takes the frames', () => {
    const [a, b] = createLinkedConnections({ maxQueuedFrames: 2 })
    for (const text of ['1', '2', '3']) a.send(text)
    expect(b.isOpen).toBe(false)
  })
})
