import type { BrowsingEvent, Clock } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { anybody, browsing, call, open, site } from './world.ts'

/** A clock that stands until it is moved. */
function manualClock(): Clock & { advance(ms: number): void } {
  let now = 1_000_000
  const tasks = new Set<{ at: number; run: () => void }>()
  return {
    now: () => now,
    schedule(delayMs, run) {
      const task = { at: now + delayMs, run }
      tasks.add(task)
      return () => tasks.delete(task)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = [...tasks].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        tasks.delete(next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = end
    },
  }
}

const somebodyElse = { ...anybody, id: 'else' }

describe('sessions', () => {
  it('have cookies and pages of their own (PAGES-SES-1, PAGES-STATE-1)', async () => {
    const { web, session, page } = await open({
      '/': { headers: { 'set-cookie': 'a=1; Path=/' }, body: '<title>A</title>' },
    })
    const organ = await browsing()
    const other = await (await organ.createSession(anybody, {})).createPage(call)
    await other.navigate(`${web.url}/`, {}, call)
    expect(web.seen.at(-1)?.headers.cookie).toBeUndefined()
    await page.reload({}, call)
    expect(web.seen.at(-1)?.headers.cookie).toBe('a=1')
    expect(await session.cookies.set([{ name: 'b', value: '2', url: web.url }])).toBe(1)
    expect((await session.cookies.get({})).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await session.cookies.clear({ name: 'a' })).toBe(1)
    await expect(session.cookies.set([{ name: 'c', value: '' }])).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('are known to whoever made them, or shows their secret', async () => {
    const organ = await browsing()
    const session = await organ.createSession(anybody, {})
    expect(organ.session(anybody, session.id)).toBe(session)
    expect(() => organ.session(somebodyElse, session.id)).toThrow(expect.objectContaining({ code: 'not_found' }))
    await expect(organ.attachSession(anybody, session.id, 'wrong')).rejects.toMatchObject({ code: 'not_found' })
    await expect(organ.attachSession(anybody, 'f'.repeat(32), session.attachSecret)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      organ.attachSession({ ...anybody, tenant: 'other' }, session.id, session.attachSecret),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await organ.attachSession(somebodyElse, session.id, session.attachSecret)).toBe(session)
    expect(organ.listSessions(somebodyElse)).toEqual([])
    expect(organ.listSessions(anybody)).toHaveLength(1)
  })

  it('end when their time or their use is over, and say why', async () => {
    const clock = manualClock()
    const organ = await browsing({ clock, limits: { idleTimeoutMs: 60_000 } })
    const short = await organ.createSession(anybody, { ttlMs: 20_000 })
    const idle = await organ.createSession(anybody, {})
    const events: [string, BrowsingEvent][] = []
    short.onEvent((event) => events.push(['short', event]))
    idle.onEvent((event) => events.push(['idle', event]))
    clock.advance(30_000)
    await Promise.resolve()
    expect(() => organ.session(anybody, short.id)).not.toThrow(expect.objectContaining({ code: 'internal' }))
    await expect.poll(() => organ.listSessions(anybody).length).toBe(1)
    clock.advance(60_000)
    await expect.poll(() => organ.listSessions(anybody).length).toBe(0)
    await expect
      .poll(() => events.map(([name, event]) => [name, 'reason' in event ? event.reason : '']))
      .toEqual([
        ['short', 'expired'],
        ['idle', 'idle'],
      ])
  })

  it('are limited, for the server and for each principal (PAGES-GOAL-2)', async () => {
    const organ = await browsing({ limits: { maxSessions: 3, maxSessionsPerPrincipal: 2 } })
    const [first] = await Promise.all([organ.createSession(anybody, {}), organ.createSession(anybody, {})])
    await expect(organ.createSession(anybody, {})).rejects.toMatchObject({
      code: 'busy',
      details: { maxSessionsPerPrincipal: 2 },
    })
    await organ.createSession(somebodyElse, {})
    await expect(organ.createSession({ ...anybody, id: 'third' }, {})).rejects.toMatchObject({
      code: 'busy',
      details: { maxSessions: 3 },
    })
    await first?.close()
    await first?.close()
    await organ.createSession(anybody, {})
    expect(organ.health()).toMatchObject({ sessions: 3, engines: ['static'] })
  })

  it('send the headers of their profile, and tell what is not applied (PAGES-SES-2)', async () => {
    const web = await site({ '/': '<title>A</title>' })
    const organ = await browsing()
    const session = await organ.createSession(anybody, {
      profile: {
        impersonation: 'chrome128',
        locale: 'de-AT',
        timezone: 'Europe/Vienna',
        viewport: { width: 800, height: 600 },
      },
      limits: { maxJsHeapMb: 64 },
      persist: true,
    })
    expect(session.ignored).toEqual(['profile.timezone', 'limits.max_js_heap_mb', 'persist'])
    const page = await session.createPage(call, { url: `${web.url}/` })
    expect(page.id).toMatch(/^p_/)
    expect(web.seen[0]?.headers).toMatchObject({
      'user-agent': expect.stringContaining('Chrome/128'),
      'sec-ch-ua': expect.stringContaining('"128"'),
      'accept-language': 'de-AT,de;q=0.9,en;q=0.8',
    })
    await expect(organ.createSession(anybody, { profile: { impersonation: 'netscape4' } })).rejects.toMatchObject({
      code: 'unsupported',
      details: { field: 'profile.impersonation' },
    })
    await expect(organ.createSession(anybody, { profile: { userAgent: 'a\r\nx: y' } })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(organ.createSession(anybody, { engine: 'chromium' })).rejects.toMatchObject({
      code: 'unsupported',
      details: { field: 'engine' },
    })
  })

  it('reach only the domains that server, principal and session all allow (PAGES-SES-5)', async () => {
    const web = await site({ '/': '<title>A</title>' })
    const organ = await browsing()
    const bound = { ...anybody, allowedDomains: ['127.0.0.1', 'example.com'] }
    const narrow = await (await organ.createSession(bound, { allowedDomains: ['example.com'] })).createPage(call)
    await expect(narrow.navigate(`${web.url}/`, {}, call)).rejects.toMatchObject({
      code: 'forbidden',
      details: { reason: 'POLICY_DENIED' },
    })
    const bounded = await organ.createSession(bound, {})
    await expect(bounded.cookies.set([{ name: 'a', value: '1', domain: '.else.example' }])).rejects.toMatchObject({
      code: 'forbidden',
    })
    await bounded.cookies.set([{ name: 'a', value: '1', domain: 'example.com' }])
    const wide = await (await organ.createSession(bound, {})).createPage(call)
    await wide.navigate(`${web.url}/`, {}, call)
    expect(web.seen).toHaveLength(1)
  })

  it('move to another place with cookies and pages (PAGES-SES-4)', async () => {
    const { web, session } = await open({
      '/': { headers: { 'set-cookie': 'sid=1; Path=/; HttpOnly' }, body: '<title>A</title>' },
    })
    const state = await session.exportState()
    const organ = await browsing()
    const moved = await organ.importSession(anybody, JSON.parse(JSON.stringify(state)), {})
    expect(moved.listPages()).toMatchObject([{ url: `${web.url}/`, title: 'A' }])
    expect(web.seen.at(-1)?.headers.cookie).toBe('sid=1')
    expect(moved.id).not.toBe(session.id)
    for (const bad of [
      null,
      {},
      { ...(state as object), pages: ['file:///etc/passwd'] },
      { ...(state as object), cookies: [1] },
    ]) {
      await expect(organ.importSession(anybody, bad as never, {})).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  it('answer with a code once they are closed, also what was waiting', async () => {
    const never = Promise.withResolvers<string>()
    const { web, session, page } = await open({ '/': '<title>A</title>', '/slow': () => never.promise })
    const running = page.navigate(`${web.url}/slow`, {}, call)
    const waiting = page.snapshot({}, call)
    const outcomes = Promise.allSettled([running, waiting])
    await expect.poll(() => web.seen.length).toBe(2)
    await page.close()
    expect(await outcomes).toMatchObject([{ reason: { code: 'cancelled' } }, { reason: { code: 'not_found' } }])
    await session.close()
    await expect(session.createPage(call)).rejects.toMatchObject({ code: 'not_found' })
    await expect(page.snapshot({}, call)).rejects.toMatchObject({ code: 'not_found' })
    never.resolve('')
  })
})
