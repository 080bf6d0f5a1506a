import { afterEach, describe, expect, it } from 'vitest'
import { createEngineWorker, type EngineWorker, type EngineWorkerOptions } from './index.ts'

const entry = new URL('./test/crashing-engine.ts', import.meta.url)
const open: EngineWorker[] = []
const never = new AbortController().signal

function worker(options: Partial<EngineWorkerOptions> = {}): EngineWorker {
  const made = createEngineWorker({ name: 'example', entry, init: 'model', ...options })
  open.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()))
})

describe('an engine worker', () => {
  it('answers calls and reports what it loaded', async () => {
    const engine = worker()
    expect(await engine.start()).toEqual({ loadedWith: 'model' })
    expect(await engine.call('double', 21, never)).toBe(42)
  })

  it('turns a native crash into a coded error, and the next call works', async () => {
    const exits: string[] = []
    const engine = worker({ onExit: (error) => exits.push(error.code) })
    await expect(engine.call('crash', null, never)).rejects.toMatchObject({ code: 'unavailable' })
    expect(exits).toEqual(['unavailable'])
    expect(await engine.call('double', 4, never)).toBe(8)
  })

  it('kills a worker that hangs and works again afterwards', async () => {
    const engine = worker({ limits: { callTimeoutMs: 300 } })
    await engine.start()
    await expect(engine.call('hang', null, never)).rejects.toMatchObject({ code: 'timeout' })
    await expect.poll(() => engine.pid).toBeUndefined()
    expect(await engine.call('double', 5, never)).toBe(10)
  })

  it('says why an engine could not be loaded', async () => {
    await expect(worker({ init: 'refuse' }).start()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no model here'),
    })
  })

  it('waits longer after each failure in a row instead of restarting for ever', async () => {
    const engine = worker({ init: 'refuse', limits: { restartDelayMs: 60_000 } })
    await expect(engine.start()).rejects.toThrow('no model here')
    await expect(engine.start()).rejects.toThrow('no model here')
    await expect(engine.start()).rejects.toThrow('tried again in')
  })

  it('fails one call without harm to the others', async () => {
    const engine = worker()
    await expect(engine.call('fail', null, never)).rejects.toThrow('cannot do that')
    expect(await engine.call('double', 1, never)).toBe(2)
  })

  it('lets go of a call that is aborted', async () => {
    const abort = new AbortController()
    const engine = worker()
    await engine.start()
    const call = engine.call('double', 1, abort.signal)
    abort.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    expect(await engine.call('double', 2, never)).toBe(4)
  })

  it('refuses more calls than its bound', async () => {
    const engine = worker({ limits: { maxPendingCalls: 1, callTimeoutMs: 300 } })
    await engine.start()
    const hanging = engine.call('hang', null, never)
    await expect(engine.call('double', 1, never)).rejects.toMatchObject({ code: 'busy' })
    await expect(hanging).rejects.toMatchObject({ code: 'timeout' })
  })

  it('is closed twice without harm and then refuses', async () => {
    const engine = worker()
    await engine.start()
    await Promise.all([engine.close(), engine.close()])
    await expect(engine.call('double', 1, never)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
