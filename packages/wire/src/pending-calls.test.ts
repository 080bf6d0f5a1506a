import { type Clock, DomosError } from '@domos/spec'
import { expect, it } from 'vitest'
import { PendingCalls } from './pending-calls.ts'

function manualClock(): Clock & { fire(): void; readonly size: number } {
  const tasks = new Set<() => void>()
  return {
    now: () => 0,
    schedule(_delay, task) {
      tasks.add(task)
      return () => tasks.delete(task)
    },
    fire: () => [...tasks].forEach((task) => void task()),
    get size() {
      return tasks.size
    },
  }
}

it('settles a call once; what comes later is told as late, and a foreign id as unknown', async () => {
  const calls = new PendingCalls<string>({ clock: manualClock() })
  const answer = calls.open('a')
  expect(calls.resolve('a', 'first')).toBe('settled')
  expect(calls.resolve('a', 'second')).toBe('late')
  expect(calls.reject('a', new Error('third'))).toBe('late')
  expect(calls.resolve('b', 'foreign')).toBe('unknown')
  expect(await answer).toBe('first')
  expect([calls.status('a'), calls.status('b'), calls.size]).toEqual(['settled', 'unknown', 0])
})

it('rejects with timeout by the clock, and keeps no timer of a settled call', async () => {
  const clock = manualClock()
  const calls = new PendingCalls<string>({ clock })
  const answered = calls.open('a', { timeoutMs: 5 })
  calls.resolve('a', 'in time')
  expect(clock.size).toBe(0)
  expect(await answered).toBe('in time')
  const late = calls.open('b', { timeoutMs: 5 })
  clock.fire()
  await expect(late).rejects.toMatchObject({ code: 'timeout' })
})

it('rejects with the reason of an abort, also when it came before', async () => {
  const calls = new PendingCalls<string>({ clock: manualClock() })
  const stop = new AbortController()
  const open = calls.open('a', { signal: stop.signal })
  stop.abort(new DomosError('unavailable', 'gone'))
  await expect(open).rejects.toMatchObject({ code: 'unavailable' })
  await expect(calls.open('b', { signal: stop.signal })).rejects.toMatchObject({ code: 'unavailable' })
  expect(calls.resolve('b', 'late')).toBe('late')
})

it('refuses an id in use and more calls than the bound', async () => {
  const calls = new PendingCalls<string>({ clock: manualClock(), maxOpen: 1 })
  const first = calls.open('a')
  await expect(calls.open('a')).rejects.toMatchObject({ code: 'conflict' })
  await expect(calls.open('b')).rejects.toMatchObject({ code: 'busy' })
  calls.rejectAll(new DomosError('cancelled', 'over'))
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
})

it('forgets settled ids beyond its memory', () => {
  const calls = new PendingCalls<string>({ clock: manualClock(), maxRemembered: 1 })
  for (const id of ['a', 'b']) {
    void calls.open(id)
    calls.resolve(id, '')
  }
  expect([calls.status('a'), calls.status('b')]).toEqual(['unknown', 'settled'])
})
