import type { Log, Metrics } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createAgent } from './agent.ts'
import { createMemoryStore } from './memory-store.ts'
import { calls, instantTool, openWorld, readAll, scriptedModel, text, until } from './test/harness.ts'

function recorder(lines: string[]): { log: Log; metrics: Metrics } {
  const write = (...values: readonly unknown[]): void => void lines.push(JSON.stringify(values))
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log }
  return { log, metrics: { count: write, gauge: write, observe: write } }
}

describe('logs, metrics and the audit log', () => {
  it('hold no word spoken, no argument, no result, no page text and no key', async () => {
    const lines: string[] = []
    const store = createMemoryStore()
    const canary = (place: string): string => `canary-${place}-7f3a`
    const model = scriptedModel(
      calls(['pay', { card: canary('argument') }], ['broken', {}, 'm2'], ['unknown', { x: canary('unknown') }, 'm3']),
      text(canary('answer')),
      async function* () {
        yield* text(canary('partial')).slice(0, 1)
        throw new Error(canary('fault'))
      },
    )
    const keys = [{ id: 'shop', key: canary('key') }]
    const { session, page } = await openWorld(model, { ...recorder(lines), store })
    session.join({
      id: 'faulty',
      door: 'adtp',
      onTurn() {
        throw new Error(canary('member'))
      },
    })
    session.tools.replace('page', [
      instantTool(
        { name: 'pay', risk: 'critical', description: canary('description') },
        { type: 'success', value: canary('result') },
      ),
      { ...instantTool({ name: 'broken' }), execute: () => Promise.reject(new Error(canary('throw'))) },
      instantTool({ name: canary('ignored'), parameters: { $id: 'x' } }),
    ])
    session.setContext('page', {
      url: `https://a.example/?t=${canary('url')}`,
      title: canary('title'),
      data: { a: canary('data') },
    })
    const first = readAll(session.say({ text: canary('input') }))
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: true, reason: canary('reason') })
    await first
    await readAll(session.say({ text: canary('second input') }))
    session.close('over')

    const locked = createAgent({ model: scriptedModel(), keys, ...recorder(lines) })
    await locked.openSession(await locked.authenticate({ door: 'adtp', token: canary('key') }), { door: 'adtp' })
    await locked.authenticate({ door: 'adtp', token: canary('wrong key') }).catch(() => undefined)
    lines.push(JSON.stringify(locked.health()))
    await locked.close()

    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter((line) => line.includes('canary'))).toEqual([])
    const audit = await store.listAudit({ limit: 100 })
    expect(audit.length).toBeGreaterThan(1)
    expect(JSON.stringify(audit)).not.toContain('canary')
  })
})
