import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStaticEngine } from '@domos/engine-static'
import { type BrowsingOptions, createBrowsing } from '@domos/headless'
import type {
  Browsing,
  BrowsingCall,
  BrowsingPage,
  BrowsingSession,
  CreateBrowsingSession,
  Principal,
} from '@domos/spec'
import { afterEach } from 'vitest'
import { type FixtureSite, openFixtureSite } from './fixture-site.ts'

/** Somebody who may do everything. */
export const anybody: Principal = { id: 'anybody', tenant: 'house', allows: () => true }
/** A call that nobody cancels. */
export const call: BrowsingCall = { signal: new AbortController().signal }

const cleanup: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

/** A site for this test. */
export async function site(routes: Parameters<typeof openFixtureSite>[0]): Promise<FixtureSite> {
  const opened = await openFixtureSite(routes)
  cleanup.push(() => opened.close())
  return opened
}

/** The headless organ over the static engine, allowed to reach loopback. */
export async function browsing(options: Partial<BrowsingOptions> = {}): Promise<Browsing> {
  const downloadDirectory = await mkdtemp(join(tmpdir(), 'domos-test-'))
  cleanup.push(() => rm(downloadDirectory, { recursive: true, force: true }))
  const opened = createBrowsing({
    engines: [createStaticEngine()],
    network: { allowedHosts: ['127.0.0.1'] },
    downloadDirectory,
    ...options,
  })
  cleanup.push(() => opened.close())
  return opened
}

/** A session with a page that shows `path` of a site. */
export async function open(
  routes: Parameters<typeof openFixtureSite>[0],
  options: CreateBrowsingSession = {},
  over: Partial<BrowsingOptions> = {},
): Promise<{ readonly web: FixtureSite; readonly session: BrowsingSession; readonly page: BrowsingPage }> {
  const web = await site(routes)
  const session = await (await browsing(over)).createSession(anybody, options)
  const page = await session.createPage(call)
  await page.navigate(`${web.url}/`, {}, call)
  return { web, session, page }
}

/** Every element of a snapshot's regions. */
export function elements(
  som: unknown,
): { id: string; role: string; text?: string; label?: string; attrs?: Record<string, unknown> }[] {
  return (som as { regions: { elements: never[] }[] }).regions.flatMap((region) => region.elements)
}
