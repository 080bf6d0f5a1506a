import { applyPatch, type PatchOperation } from '@domos/som'
import type { BrowsingEvent, PageMutations, PageSnapshot } from '@domos/spec'
import { describe, expect, it, vi } from 'vitest'
import { call, elements, open } from './world.ts'

const form = '<title>F</title><label>A <input></label><label>B <input type="checkbox"></label><a href="/next">next</a>'
const type = (value: string) => ({ action: 'type', target: { query: { label: 'A' } }, value })

function apply(som: unknown, mutations: PageMutations | PageSnapshot): unknown {
  if (!('patches' in mutations)) throw new Error(`a snapshot came: ${mutations.reason}`)
  return mutations.patches.reduce((now, { patch }) => applyPatch(now, patch as unknown as PatchOperation[]), som)
}

describe('mutations', () => {
  it('lead from an old snapshot to the new one, byte for byte, also across pages (PAGES-OBS-3)', async () => {
    const { page } = await open({ '/': form, '/next': '<title>N</title><h1>Next</h1>' })
    const first = await page.snapshot({}, call)
    await page.act(type('x'), {}, call)
    await page.act({ action: 'check', target: { query: { label: 'B' } } }, {}, call)
    await page.act({ action: 'click', target: { query: { text: 'next' } } }, {}, call)
    const mutations = await page.mutations(first.cursor, 100, call)
    const last = await page.snapshot({}, call)
    expect(mutations).toMatchObject({ fromCursor: first.cursor, cursor: last.cursor, isChanged: true, hasMore: false })
    expect(JSON.stringify(apply(first.som, mutations))).toBe(JSON.stringify(last.som))
    expect(await page.mutations(last.cursor, 100, call)).toMatchObject({ isChanged: false, patches: [] })
  })

  it('come in parts that go on where the last one ended', async () => {
    const { page } = await open({ '/': form })
    const first = await page.snapshot({}, call)
    for (const value of ['a', 'b', 'c']) await page.act(type(value), {}, call)
    const part = (await page.mutations(first.cursor, 2, call)) as PageMutations
    expect(part).toMatchObject({ hasMore: true, patches: [{}, {}] })
    const rest = await page.mutations(part.cursor, 2, call)
    const last = await page.snapshot({}, call)
    expect(JSON.stringify(apply(apply(first.som, part), rest))).toBe(JSON.stringify(last.som))
  })

  it('are a snapshot with the reason when the cursor is too old, unknown or none', async () => {
    const { page } = await open({ '/': form }, {}, { limits: { maxJournalEntries: 2 } })
    const first = await page.snapshot({}, call)
    for (const value of ['a', 'b', 'c', 'd']) await page.act(type(value), {}, call)
    const now = await page.snapshot({}, call)
    for (const [cursor, reason] of [
      [first.cursor, 'cursor_expired'],
      [99_999, 'cursor_unknown'],
      [0, 'no_previous_som'],
    ] as const) {
      expect(await page.mutations(cursor, 10, call)).toMatchObject({ reason, cursor: now.cursor, som: now.som })
    }
  })

  it('fit a smaller snapshot for whoever asked for one', async () => {
    const last = '<label>Last <input></label>'
    const long = Array.from({ length: 300 }, (_, at) => `<h2>Heading number ${at} with some words</h2>`).join('')
    const { page } = await open({ '/': `${form}${long}${last}` })
    const small = await page.snapshot({ maxBytes: 4_000 }, call)
    const whole = await page.snapshot({}, call)
    expect(JSON.stringify({ som: small.som, ext: small.ext }).length).toBeLessThan(4_000)
    expect(small.cursor).not.toBe(whole.cursor)
    await page.act({ action: 'type', target: { query: { label: 'Last' } }, value: 'x' }, {}, call)
    const mutations = await page.mutations(small.cursor, 10, call)
    const again = await page.snapshot({ maxBytes: 4_000 }, call)
    expect(JSON.stringify(apply(small.som, mutations))).toBe(JSON.stringify(again.som))
    const forWhole = await page.mutations(whole.cursor, 10, call)
    expect(JSON.stringify(apply(whole.som, forWhole))).toBe(JSON.stringify((await page.snapshot({}, call)).som))
  })

  it('are sent to subscribers after each change, and stop with the subscription', async () => {
    const { session, page } = await open({ '/': form })
    const events: BrowsingEvent[] = []
    session.onEvent((event) => events.push(event))
    const first = await page.snapshot({}, call)
    const stop = page.subscribe()
    await page.act(type('x'), {}, call)
    const sent = () => events.filter((event) => event.type === 'som-mutation')
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    const last = await page.snapshot({}, call)
    const [event] = sent()
    if (event?.type !== 'som-mutation') throw new Error('no mutation')
    expect(event.cursor).toBe(last.cursor)
    expect(JSON.stringify(applyPatch(first.som, event.patch as never))).toBe(JSON.stringify(last.som))
    stop()
    await page.act(type('y'), {}, call)
    await page.snapshot({}, call)
    expect(sent()).toHaveLength(1)
  })
})

describe('telemetry', () => {
  it('tells how long things took and what went wrong, and no secrets (PAGES-TEL-1)', async () => {
    const { web, session, page } = await open({
      '/': '<label>P <input type="password"></label>',
      '/gone': { status: 500 },
    })
    const events: BrowsingEvent[] = []
    session.onEvent((event) => events.push(event))
    await page.navigate(`${web.url}/?token=query-secret`, {}, { ...call, traceId: 'trace-1' })
    await page.act({ action: 'type', target: { query: { label: 'P' } }, value: 'typed-secret' }, {}, call)
    await page.navigate(`${web.url}/gone`, {}, call).catch(() => {})
    const told = events.filter(({ type: kind }) => kind === 'telemetry')
    expect(told).toMatchObject([
      {
        traceId: 'trace-1',
        facts: {
          method: 'page.navigate',
          engine: 'static',
          status: 200,
          network_ms: expect.any(Number),
          total_ms: expect.any(Number),
        },
      },
      { facts: { method: 'page.act', action: 'primitive.type' } },
      { facts: { method: 'page.navigate', error: 'navigation_failed' } },
    ])
    expect(JSON.stringify(told)).not.toContain('secret')
  })
})

describe('snapshots', () => {
  it('keep to their ceilings, declare what they cut, and expand to all of it once (PAGES-OBS-2)', async () => {
    const items = Array.from(
      { length: 2_000 },
      (_, at) => `<li>Item ${at} <a href="/i/${at}">Details ${at}</a></li>`,
    ).join('')
    const { page } = await open({ '/': `<main><h1>Catalogue</h1><ul>${items}</ul><button>Place order</button></main>` })
    const snapshot = await page.snapshot({ maxBytes: 16_384 }, call)
    expect(JSON.stringify({ som: snapshot.som, som_ext: snapshot.ext }).length).toBeLessThanOrEqual(16_384 - 256)
    const cuts = snapshot.ext?.['truncated'] as { region: string; cursor?: string; count: number }[]
    const cut = cuts.find(({ cursor }) => cursor !== undefined)
    const seen = new Set(elements(snapshot.som).map(({ id }) => id))
    let cursor = cut?.cursor
    let expanded = 0
    while (cursor !== undefined) {
      const slice: Awaited<ReturnType<typeof page.expand>> = await page.expand({ cursor, maxTokens: 20_000 }, call)
      for (const { id } of slice.elements as unknown as { id: string }[]) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
        expanded += 1
      }
      cursor = slice.nextCursor
    }
    expect(expanded).toBe(cut?.count)
    const order = await page.act(
      { action: 'click', target: { query: { role: 'button', text: 'Place order' } } },
      {},
      call,
    )
    expect(order.target).toMatchObject({ text: 'Place order' })
  })

  it('say what size they would need when not even the form fits', async () => {
    const { page } = await open({
      '/': Array.from({ length: 50 }, (_, at) => `<label>Field ${at} <input></label>`).join(''),
    })
    await expect(page.snapshot({ maxBytes: 1_000 }, call)).rejects.toMatchObject({
      code: 'too_large',
      details: { neededBytes: expect.any(Number) },
    })
  })

  it('bring an outline whose numbers are references', async () => {
    const { page } = await open({
      '/': '<title>T</title><h1>Hi</h1><a href="/a">Alpha</a> <a href="/b">Beta</a>',
      '/b': '<title>B</title>',
    })
    const { outline } = await page.snapshot({ outline: { links: true } }, call)
    const alias = /\[(\d+)[^\]]*Beta/.exec(outline ?? '')?.[1] ?? ''
    await page.act({ action: 'click', target: { elementRef: alias } }, {}, call)
    expect((await page.snapshot({ outline: { maxTokens: 64 } }, call)).som['title']).toBe('B')
  })

  it('of a page that slept are the same, and its references still work', async () => {
    const { createStaticEngine } = await import('@domos/engine-static')
    const engines = [createStaticEngine({ limits: { hibernateAfterMs: 20 } })]
    const { page } = await open({ '/': form }, {}, { engines })
    await page.act(type('kept'), {}, call)
    const before = await page.snapshot({}, call)
    const id = elements(before.som).find(({ role }) => role === 'checkbox')?.id ?? ''
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(await page.snapshot({}, call)).toEqual(before)
    expect((await page.act({ action: 'check', target: { elementRef: id } }, {}, call)).target?.elementId).toBe(id)
  })
})
