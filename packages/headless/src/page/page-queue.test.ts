import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { PageQueue } from './page-queue.ts'

const call = () => ({ signal: new AbortController().signal })

describe('the queue of a page', () => {
  it('runs operations in the order they came, and a parallel one at once', async () => {
    const queue = new PageQueue(10)
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = queue.run(call(), async () => {
      await gate.promise
      order.push('first')
    })
    const second = queue.run(call(), async () => void order.push('second'))
    await queue.run({ ...call(), isParallel: true }, async () => void order.push('parallel'))
    gate.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['parallel', 'first', 'second'])
  })

  it('goes on after a failure, and lets a cancelled call out at once', async () => {
    const queue = new PageQueue(10)
    await expect(queue.run(call(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const gate = Promise.withResolvers<void>()
    const running = queue.run(call(), () => gate.promise)
    const abort = new AbortController()
    let hasRun = false
    const waiting = queue.run({ signal: abort.signal }, async () => {
      hasRun = true
    })
    abort.abort(new DomosError('cancelled', 'no longer wanted'))
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    gate.resolve()
    await running
    await queue.run(call(), async () => {})
    expect(hasRun).toBe(false)
  })

  it('refuses more than it may hold, and everything once closed', async () => {
    const queue = new PageQueue(1)
    const gate = Promise.withResolvers<void>()
    const running = queue.run(call(), () => gate.promise)
    await expect(queue.run(call(), async () => {})).rejects.toMatchObject({ code: 'busy' })
    gate.resolve()
    await running
    queue.close(new DomosError('not_found', 'closed'))
    await expect(queue.run(call(), async () => {})).rejects.toMatchObject({ code: 'not_found' })
  })
})
