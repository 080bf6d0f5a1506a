import type { Clock, EnginePage, EnginePageEvent, EnginePageState } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { waitUntil } from './waits.ts'

/** A clock that stands until it is moved; waiting promises get their turn in between. */
function manualClock() {
  let now = 0
  const tasks = new Set<{ at: number; run: () => void }>()
  const clock: Clock = {
    now: () => now,
    schedule(delayMs, run) {
      const task = { at: now + delayMs, run }
      tasks.add(task)
      return () => tasks.delete(task)
    },
  }
  return {
    clock,
    async advance(ms: number) {
      for (const end = now + ms; now < end; ) {
        now += 10
        for (const task of [...tasks]) {
          if (task.at > now || !tasks.delete(task)) continue
          task.run()
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

/** The part of an engine's page that waits look at, moved by the test. */
function scriptedPage(hasScript = true) {
  const listeners = new Set<(event: EnginePageEvent) => void>()
  const state = { ready: 'interactive', pendingRequests: [] as string[] } as unknown as {
    -readonly [K in keyof EnginePageState]: EnginePageState[K]
  }
  const time = manualClock()
  const page = {
    state: () => state,
    onEvent(listener: (event: EnginePageEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as EnginePage
  return {
    ...time,
    state,
    emit(event: EnginePageEvent) {
      for (const listener of [...listeners]) listener(event)
    },
    listeners,
    context: { page, clock: time.clock, limits: { networkIdleMs: 500, somStableMs: 300, pollMs: 50 }, hasScript },
  }
}

const never = new AbortController().signal
const settled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))])

describe('waits', () => {
  it('end with the state of the document they name (PAGES-WAIT-1)', async () => {
    const world = scriptedPage()
    world.state.ready = 'loading'
    const loaded = waitUntil('dom_content_loaded', world.context, never)
    const complete = waitUntil('load', world.context, never)
    await world.advance(100)
    world.state.ready = 'interactive'
    world.emit({ type: 'ready', ready: 'interactive' })
    await world.advance(10)
    expect([await settled(loaded), await settled(complete)]).toEqual([true, false])
    world.state.ready = 'complete'
    await world.advance(60)
    expect(await settled(complete)).toBe(true)
    expect(world.listeners.size).toBe(0)
  })

  it('som_stable waits for a quiet period that every change starts anew (PAGES-WAIT-3)', async () => {
    const world = scriptedPage()
    const stable = waitUntil('som_stable', world.context, never)
    for (let at = 0; at < 4; at++) {
      await world.advance(200)
      world.emit({ type: 'mutated' })
    }
    await world.advance(250)
    expect(await settled(stable)).toBe(false)
    await world.advance(60)
    expect(await settled(stable)).toBe(true)
  })

  it('network_idle waits for requests under way, and then for the quiet period (PAGES-WAIT-2)', async () => {
    const world = scriptedPage()
    world.state.pendingRequests = ['http://a.example/late']
    const idle = waitUntil('network_idle', world.context, never)
    await world.advance(2_000)
    expect(await settled(idle)).toBe(false)
    world.state.pendingRequests = []
    await world.advance(450)
    expect(await settled(idle)).toBe(false)
    await world.advance(150)
    expect(await settled(idle)).toBe(true)
  })

  it('starts the quiet period anew when a request began in it', async () => {
    const world = scriptedPage()
    const idle = waitUntil('network_idle', world.context, never)
    await world.advance(490)
    world.state.pendingRequests = ['http://a.example/again']
    await world.advance(20)
    expect(await settled(idle)).toBe(false)
    world.state.pendingRequests = []
    await world.advance(600)
    expect(await settled(idle)).toBe(true)
  })

  it('take no quiet period where no script runs', async () => {
    const world = scriptedPage(false)
    await waitUntil('som_stable', world.context, never)
    await waitUntil('network_idle', world.context, never)
  })

  it('end with the reason of their signal, and listen to nothing any more', async () => {
    const world = scriptedPage()
    world.state.ready = 'loading'
    const abort = new AbortController()
    const waiting = waitUntil('load', world.context, abort.signal)
    abort.abort(new DomosError('timeout', 'too late'))
    await expect(waiting).rejects.toMatchObject({ code: 'timeout' })
    expect(world.listeners.size).toBe(0)
  })
})
