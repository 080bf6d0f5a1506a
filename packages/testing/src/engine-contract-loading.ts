import { DomosError } from '@domos/spec'
import type { EngineCase } from './engine-contract.ts'
import { check } from './speech-contract-check.ts'

/** Loading: documents, redirects, failures, history, downloads. */
export const LOADING_CASES: readonly EngineCase[] = [
  {
    id: 'navigate',
    title: 'tells the address, status, type, title and size of a document',
    async run(world) {
      const navigation = await world.go('/plain')
      check(navigation.url === `${world.site.url}/plain`, `url ${navigation.url}`)
      check(
        navigation.status === 200 && navigation.contentType === 'text/html',
        `status ${navigation.status}, ${navigation.contentType}`,
      )
      check(
        navigation.title === 'Plain' && navigation.htmlBytes > 100,
        `title ${navigation.title}, ${navigation.htmlBytes} bytes`,
      )
      check(
        world.events.some((event) => event.type === 'navigated' && event.kind === 'document'),
        'No navigated event.',
      )
    },
  },
  {
    id: 'redirects',
    title: 'follows redirects, lists them, and keeps the cookies set on the way',
    async run(world) {
      const { url, redirects } = await world.go('/redirect')
      check(url === `${world.site.url}/plain`, `url ${url}`)
      check(
        redirects.join() === `${world.site.url}/redirect,${world.site.url}/redirect-2`,
        `redirects ${redirects.join()}`,
      )
      const cookies = await world.context.cookies.get(undefined)
      check(
        cookies.some(({ name, httpOnly }) => name === 'secret' && httpOnly === true),
        `cookies ${JSON.stringify(cookies)}`,
      )
    },
  },
  {
    id: 'redirect-circle',
    title: 'ends redirects in a circle with a coded error',
    run: (world) => world.fails('navigation_failed', () => world.go('/circle')),
  },
  {
    id: 'status-500',
    title: 'shows what a server sends with an error status',
    async run(world) {
      const { status } = await world.go('/fail-500')
      check(status === 500, `status ${status}`)
      check((await world.text()).includes('It broke'), 'The page is not shown.')
    },
  },
  {
    id: 'refused',
    title: 'a refused connection is a coded error with its reason, and the page stays usable',
    async run(world) {
      try {
        await world.page.navigate({ url: await world.site.closedUrl() }, world.signal)
      } catch (thrown) {
        check(thrown instanceof DomosError && thrown.code === 'navigation_failed', String(thrown))
        check(
          ['CONNECTION_REFUSED', 'NETWORK_FAILED'].includes(String(thrown.details['reason'])),
          `reason ${String(thrown.details['reason'])}`,
        )
        await world.go('/plain')
        return
      }
      throw new Error('It should have failed.')
    },
  },
  {
    id: 'dns',
    title: 'a name that nobody knows is a coded error with its reason',
    async run(world) {
      try {
        await world.page.navigate({ url: 'http://no-such-name.invalid/' }, world.signal)
      } catch (thrown) {
        check(thrown instanceof DomosError && thrown.details['reason'] === 'DNS_FAILED', `${String(thrown)}`)
        return
      }
      throw new Error('It should have failed.')
    },
  },
  {
    id: 'hang-up',
    title: 'a connection closed without an answer is a coded error',
    run: (world) => world.fails('navigation_failed', () => world.go('/hang-up')),
  },
  {
    id: 'abort',
    title: 'a navigation that is called off ends with the reason given, and the page stays usable',
    async run(world) {
      await world.go('/plain')
      const controller = new AbortController()
      const reason = new DomosError('timeout', 'too long')
      const going = world.page.navigate({ url: `${world.site.url}/never` }, controller.signal)
      controller.abort(reason)
      await world.fails('timeout', () => going)
      check((await world.text()).includes('Plain page'), 'The page before is gone.')
      await world.go('/second')
    },
  },
  {
    id: 'no-content',
    title: 'an answer without content leaves the page where it is',
    async run(world) {
      await world.go('/plain')
      await world.go('/nothing')
      check(world.page.state().url === `${world.site.url}/plain`, world.page.state().url)
      check((await world.text()).includes('Plain page'), 'The page is gone.')
    },
  },
  {
    id: 'bad-url',
    title: 'an address that is none is refused and nothing happens',
    async run(world) {
      await world.fails('invalid_request', () => world.page.navigate({ url: 'not an address' }, world.signal))
      check(world.page.state().ready === 'empty', world.page.state().ready)
    },
  },
  {
    id: 'history',
    title: 'goes back and forward, and says so at the ends',
    async run(world) {
      const { page } = world
      await world.go('/plain')
      await world.click({ role: 'link', text: 'Second' })
      check(page.state().url.endsWith('/second') && page.state().historyIndex === 1, JSON.stringify(page.state()))
      const back = await page.traverse(-1, world.signal)
      check(back.url.endsWith('/plain') && page.state().historyLength === 2, JSON.stringify(page.state()))
      await world.fails('conflict', () => page.traverse(-1, world.signal))
      await page.traverse(1, world.signal)
      check((await world.text()).includes('Second page'), 'Forward shows something else.')
      await world.fails('conflict', () => page.traverse(1, world.signal))
    },
  },
  {
    id: 'fragment',
    title: 'a link within the page is no new document',
    async run(world) {
      await world.go('/plain')
      await world.click({ role: 'link', text: 'Part' })
      check(world.page.state().url.endsWith('/plain#part'), world.page.state().url)
      check(
        world.events.some((event) => event.type === 'navigated' && event.kind === 'same_document'),
        'No same_document event.',
      )
      check(world.site.seen.filter(({ url }) => url === '/plain').length >= 1, 'never loaded')
    },
  },
  {
    id: 'refresh',
    title: 'follows a refresh without delay',
    async run(world) {
      const { url } = await world.go('/refresh')
      check(url.endsWith('/second'), url)
      check(!(await world.text()).includes('Old address'), 'The old page is shown.')
    },
  },
  {
    id: 'reload',
    title: 'loads a page again',
    async run(world) {
      await world.go('/plain')
      const before = world.site.seen.length
      await world.page.reload(world.signal)
      check(
        world.site.seen.slice(before).some(({ url }) => url === '/plain'),
        'Nothing was asked for.',
      )
    },
  },
  {
    id: 'stream',
    title: 'waits for the end of a page that comes in pieces',
    async run(world) {
      await world.go('/stream')
      await world.shows('The end of the stream')
    },
  },
  {
    id: 'large',
    title: 'compiles a page of 5 MB under a ceiling of bytes',
    async run(world) {
      await world.page.navigate({ url: `${world.site.url}/large` }, AbortSignal.timeout(60_000))
      const { som, ext } = await world.page.compile({ maxBytes: 262_144 })
      check(JSON.stringify({ som, som_ext: ext }).length <= 262_144, 'It is larger than asked for.')
      check(JSON.stringify(ext).includes('truncated'), 'What was left out is not told.')
    },
  },
  {
    id: 'download',
    title: 'a download goes into quarantine under a safe name, and the page stays',
    async run(world) {
      await world.go('/downloads')
      await world.click({ role: 'link', text: 'Report' })
      await world.until('A download', () => world.events.some(({ type }) => type === 'download'))
      const event = world.events.find((each) => each.type === 'download')
      check(event?.type === 'download', 'no event')
      const { download } = event
      check(
        download.filename === 'report.csv' && download.state === 'done' && download.bytes === 8,
        JSON.stringify(download),
      )
      check(world.page.state().url.endsWith('/downloads'), world.page.state().url)
      const { data, done } = await world.context.readDownload(download.id, 0, 100)
      check(new TextDecoder().decode(data) === 'a,b\n1,2\n' && done, 'The bytes are others.')
      await world.fails('not_found', () => world.context.readDownload('d_other', 0, 1))
    },
  },
  {
    id: 'navigate-to-download',
    title: 'navigating to a download gives it, and the page stays',
    async run(world) {
      await world.go('/plain')
      const { download } = await world.go('/file')
      check(download?.filename === 'report.csv' && download.state === 'done', JSON.stringify(download))
      check((await world.text()).includes('Plain page'), 'The page is gone.')
    },
  },
  {
    id: 'download-quota',
    title: 'a download over its bound is ended and told, or refused',
    async run(world) {
      await world.go('/downloads')
      try {
        await world.click({ role: 'link', text: 'Big one' })
      } catch (thrown) {
        check(thrown instanceof DomosError && thrown.code === 'too_large', String(thrown))
        return
      }
      await world.until('The end of the download', () =>
        world.events.some((event) => event.type === 'download' && event.download.state === 'failed'),
      )
    },
  },
  {
    id: 'headers',
    title: 'sends the user agent and the language it was given',
    options: { userAgent: 'Test/1.0 (suite)', locale: 'de-DE' },
    async run(world) {
      await world.go('/headers')
      const text = await world.text()
      check(text.includes('agent Test/1.0 (suite)'), text)
      check(/language de-DE/.test(text), text)
    },
  },
  {
    id: 'cookies',
    title: 'sets, sends, lists and clears cookies',
    async run(world) {
      const { cookies } = world.context
      await cookies.set([
        { name: 'a', value: '1', url: world.site.url },
        { name: 'b', value: '2', url: world.site.url, httpOnly: true },
      ])
      await world.go('/plain')
      const sent = world.site.seen.filter(({ url }) => url === '/plain').at(-1)?.headers.cookie ?? ''
      check(sent.includes('a=1') && sent.includes('b=2'), `sent ${sent}`)
      check((await cookies.clear({ name: 'a' })) === 1, 'One should be cleared.')
      const left = await cookies.get(world.site.url)
      check(left.length === 1 && left[0]?.name === 'b', JSON.stringify(left))
    },
  },
  {
    id: 'closed',
    title: 'tells that a page was closed, once, and may be closed twice',
    async run(world) {
      await world.page.close()
      await world.page.close()
      check(world.events.filter(({ type }) => type === 'closed').length === 1, 'It was told otherwise.')
    },
  },
]
