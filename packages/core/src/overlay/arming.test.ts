import { describe, expect, it } from 'vitest'
import { watchArming } from './arming.ts'
import { ARMING_DELAY_MS } from './arming-state.ts'
import type { Pristine } from './pristine.ts'

/** A dialog in a window whose time, place and surroundings the test decides. */
function openWindow({ tracksVisibility = false } = {}) {
  const world = { now: 0, left: 100, hit: true, opacity: '1', inFront: true }
  const frames: (() => void)[] = []
  let see: (visible: boolean) => void = () => {}
  const listeners = new Map<string, () => void>()
  const host = { name: 'host' }
  const button = { name: 'button' }
  // Only what the watch uses, of a browser that is not here.
  const dom = {
    now: () => world.now,
    nextFrame: (task: () => void) => frames.push(task),
    getBoundingClientRect: () => ({ left: world.left, top: 50, width: 120, height: 44 }),
    computed: () => ({}),
    getPropertyValue: (_: unknown, property: string) => (property === 'opacity' ? world.opacity : ''),
    parentElement: () => null,
    hitInDocument: () => (world.hit ? host : undefined),
    hitInRoot: () => button,
    contains: (parent: unknown, child: unknown) => parent === child,
    isInFront: () => world.inFront,
    listen(_: unknown, type: string, listener: () => void) {
      listeners.set(type, listener)
      return () => listeners.delete(type)
    },
    observeVisibility: tracksVisibility
      ? (_: unknown, seen: (visible: boolean) => void) => {
          see = seen
          return () => {}
        }
      : undefined,
  } as unknown as Pristine
  ;(globalThis as { window?: unknown }).window ??= globalThis
  const told: [boolean, boolean][] = []
  const arming = watchArming(dom, { host, root: {}, dialog: {}, button } as never, (...state) => told.push(state))
  const frame = () => {
    for (const task of frames.splice(0)) task()
  }
  return {
    world,
    arming,
    told,
    listeners,
    see: (visible: boolean) => see(visible),
    /** Passes time, frame by frame. */
    pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 10) {
        world.now += 10
        frame()
      }
    },
  }
}

describe('a dialog', () => {
  it('arms after it was in plain view for the delay, and not before', () => {
    const { arming, pass, told } = openWindow()
    pass(ARMING_DELAY_MS)
    expect(arming.isArmed()).toBe(false)
    pass(20)
    expect(arming.isArmed()).toBe(true)
    expect(told.at(-1)).toEqual([true, false])
  })

  it.each([
    [
      'it moves',
      (open: ReturnType<typeof openWindow>) => {
        open.world.left += 5
      },
    ],
    ['the window loses the focus', (open: ReturnType<typeof openWindow>) => open.listeners.get('blur')?.()],
    ['the window is resized', (open: ReturnType<typeof openWindow>) => open.listeners.get('resize')?.()],
  ])('waits anew after %s', (_, disturb) => {
    const open = openWindow()
    open.pass(ARMING_DELAY_MS + 20)
    expect(open.arming.isArmed()).toBe(true)
    disturb(open)
    expect(open.arming.isArmed()).toBe(false)
    open.pass(ARMING_DELAY_MS - 50)
    expect(open.arming.isArmed()).toBe(false)
    open.pass(100)
    expect(open.arming.isArmed()).toBe(true)
  })

  it.each([
    ['something lies over it', { hit: false }],
    ['it is see-through', { opacity: '0.5' }],
  ])('is not armed while %s, says so, and waits anew afterwards', (_, change) => {
    const { world, arming, pass, told } = openWindow()
    pass(ARMING_DELAY_MS + 20)
    const before = { ...world }
    Object.assign(world, change)
    // Between two frames, too.
    expect(arming.isArmed()).toBe(false)
    pass(2000)
    expect(arming.isArmed()).toBe(false)
    expect(told.at(-1)).toEqual([false, true])
    Object.assign(world, { hit: before.hit, opacity: before.opacity })
    pass(ARMING_DELAY_MS - 50)
    expect(arming.isArmed()).toBe(false)
    pass(100)
    expect(arming.isArmed()).toBe(true)
  })

  it('is not armed while the page is behind, and does not call that a cover', () => {
    const { world, arming, pass, told } = openWindow()
    world.inFront = false
    pass(2000)
    expect(arming.isArmed()).toBe(false)
    expect(told.some(([armed, covered]) => armed || covered)).toBe(false)
  })

  it('that was covered waits from the moment it is seen', () => {
    const { arming, pass, see, told } = openWindow({ tracksVisibility: true })
    pass(3000)
    expect(arming.isArmed()).toBe(false)
    expect(told.at(-1)).toEqual([false, true])
    see(true)
    pass(20)
    expect(arming.isArmed()).toBe(false)
    pass(ARMING_DELAY_MS + 20)
    expect(arming.isArmed()).toBe(true)
    see(false)
    expect(arming.isArmed()).toBe(false)
  })

  it('that was closed never counts again', () => {
    const { arming, pass, listeners } = openWindow()
    pass(ARMING_DELAY_MS + 20)
    arming.stop()
    pass(5000)
    expect(arming.isArmed()).toBe(false)
    expect(listeners.size).toBe(0)
  })
})
