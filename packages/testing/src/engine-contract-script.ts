import type { EngineCase } from './engine-contract.ts'
import { check } from './speech-contract-check.ts'

/** Pages that live by script. */
export const SCRIPT_CASES: readonly EngineCase[] = [
  {
    id: 'app',
    title: 'shows what an application loads late, and its own routes as same_document',
    async run(world) {
      await world.go('/app')
      await world.shows('Gamma')
      await world.click({ role: 'link', text: 'Route' })
      await world.shows('second view')
      check(world.page.state().url.endsWith('/app/two'), world.page.state().url)
      check(
        world.events.some((event) => event.type === 'navigated' && event.kind === 'same_document'),
        'No same_document event.',
      )
      await world.page.traverse(-1, world.signal)
      await world.shows('home')
      await world.click({ role: 'button', text: 'Add' })
      await world.shows('Added')
    },
  },
  {
    id: 'components',
    title: 'reads and acts in open, closed and nested shadow roots, which pages still see as closed',
    async run(world) {
      await world.go('/components')
      check(world.page.state().title === 'null closed', world.page.state().title)
      const text = await world.text()
      check(text.includes('Open one') && text.includes('Closed one'), text)
      check(text.split('slotted words').length === 2, 'The slotted words are not there once.')
      await world.click({ role: 'button', text: 'Closed one' })
      await world.titled('pressed y-card')
    },
  },
  {
    id: 'dialogs',
    title: 'reports dialogs, works on when they are answered, and never answers by itself',
    async run(world) {
      await world.go('/dialogs')
      await world.click({ role: 'button', text: 'Confirm' })
      check(world.page.state().dialog?.message === 'Really?', JSON.stringify(world.page.state().dialog))
      await world.page.answerDialog(false, undefined)
      await world.titled('false')
      await world.click({ role: 'button', text: 'Prompt' })
      check(world.page.state().dialog?.defaultValue === 'Ann', JSON.stringify(world.page.state().dialog))
      await world.page.answerDialog(true, 'Bea')
      await world.titled('Bea')
      await world.fails('conflict', () => world.page.answerDialog(true, undefined))
    },
  },
  {
    id: 'beforeunload',
    title: 'a page that asks before it is left is reported and left when that is accepted',
    async run(world) {
      await world.go('/dialogs')
      await world.click({ role: 'button', text: 'Guard' })
      await world.titled('guarded')
      await world.fails('conflict', () => world.go('/plain'))
      check(world.page.state().dialog?.type === 'beforeunload', JSON.stringify(world.page.state().dialog))
      await world.page.answerDialog(true, undefined)
      await world.until('The next page', () => world.page.state().title === 'Plain')
    },
  },
  {
    id: 'popup',
    title: 'a page that script opens is announced with what it shows',
    async run(world) {
      await world.go('/popup')
      await world.click({ role: 'button', text: 'Open by script' })
      const [opened] = world.opened
      check(opened !== undefined, 'No page was announced.')
      await world.shows('Second page', opened)
      await world.click({ role: 'button', text: 'Go by script' })
      check(world.page.state().url.endsWith('/second'), world.page.state().url)
    },
  },
  {
    id: 'controlled',
    title: 'types so that a page that controls its fields hears of it',
    async run(world) {
      await world.go('/controlled')
      await world.type('Note', 'hello')
      await world.shows('state hello trusted true')
      await world.act({ type: 'type', elementId: await world.find({ label: 'Rich' }), text: 'hello', replace: true })
      await world.titled('rich hello')
      await world.type('Note', '')
      await world.shows('state trusted true')
    },
  },
  {
    id: 'combobox',
    title: 'chooses from lists that pages make themselves, also when their options come late',
    async run(world) {
      await world.go('/combobox')
      await world.type('City', 'Ber')
      await world.act({ type: 'select', elementId: await world.find({ label: 'City' }), values: ['Berlin'] })
      check(
        (await world.state({ label: 'City' })).value === 'Berlin',
        JSON.stringify(await world.state({ label: 'City' })),
      )
      const size = await world.find({ label: 'Size' })
      await world.act({ type: 'select', elementId: size, values: ['Large'] })
      await world.shows('Large')
      await world.fails('invalid_request', () => world.act({ type: 'select', elementId: size, values: ['Huge'] }))
    },
  },
  {
    id: 'covered',
    title: 'names what covers an element instead of pressing that',
    async run(world) {
      await world.go('/covered')
      await world.fails('conflict', () => world.click({ role: 'button', text: 'Under' }))
      await world.click({ role: 'button', text: 'Accept all' })
      await world.click({ role: 'button', text: 'Under' })
      await world.titled('reached')
    },
  },
  {
    id: 'keys',
    title: 'presses keys and chords, scrolls, and refuses keys there are none of',
    async run(world) {
      await world.go('/keys')
      const elementId = await world.find({ label: 'Field' })
      await world.act({ type: 'press', keys: 'Control+K', elementId })
      await world.titled('Control+K')
      await world.act({ type: 'press', keys: 'ArrowDown', elementId })
      await world.titled('ArrowDown')
      await world.fails('invalid_request', () => world.act({ type: 'press', keys: 'Hyper+Q' }))
      const { notes } = await world.act({ type: 'scroll', to: 'bottom' })
      check(notes === undefined, 'It did not scroll.')
    },
  },
  {
    id: 'drag-and-hover',
    title: 'drags and hovers with the real mouse',
    async run(world) {
      await world.go('/drag')
      await world.act({ type: 'hover', elementId: await world.button('Hover me') })
      await world.titled('hovered')
      await world.act({
        type: 'drag',
        elementId: await world.button('Card'),
        toElementId: await world.button('Basket'),
      })
      await world.titled('dropped card')
    },
  },
  {
    id: 'busy',
    title: 'waits for late fetches and not for sockets, streams and polling',
    async run(world) {
      await world.go('/busy')
      check(
        world.page.state().pendingRequests.some((url) => url.endsWith('/late-data')),
        JSON.stringify(world.page.state()),
      )
      await world.shows('applied')
      await world.until('Sockets and streams among what does not count', () => {
        const { ignoredRequests } = world.page.state()
        return (
          ignoredRequests.some((url) => url.endsWith('/socket')) &&
          ignoredRequests.some((url) => url.endsWith('/events'))
        )
      })
      await world.until(
        'Polling not to count',
        () => !world.page.state().pendingRequests.some((url) => url.endsWith('/poll')),
      )
    },
  },
  {
    id: 'broken-script',
    title: 'a broken script is told and does not stop the page',
    async run(world) {
      await world.go('/broken')
      await world.click({ role: 'button', text: 'Count' })
      await world.shows('counted')
      check(
        world.events.some(({ type }) => type === 'console-error'),
        'The error is not told.',
      )
    },
  },
  {
    id: 'scrolling',
    title: 'scrolling brings more of an endless list, and other rows of a virtual one',
    async run(world) {
      await world.go('/scrolling')
      await world.shows('Row 30')
      await world.act({ type: 'scroll', to: 'bottom' })
      await world.shows('Row 60')
      await world.go('/virtual')
      await world.act({ type: 'scroll', elementId: await world.button('Item 0'), by: { x: 0, y: 4_000 } })
      await world.shows('Item 100')
      check(!(await world.text()).includes('Item 0]'), 'The old rows are still there.')
    },
  },
  {
    id: 'script-redirect',
    title: 'follows a page that moves on by script',
    async run(world) {
      const { url, redirects } = await world.go('/script-redirect')
      check(url.endsWith('/second'), url)
      check(
        redirects.some((each) => each.endsWith('/script-redirect')),
        redirects.join(),
      )
    },
  },
  {
    id: 'environment',
    title: 'pages see the locale, time zone, window, colours and user agent that were asked for',
    options: {
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      viewport: { width: 800, height: 600 },
      colorScheme: 'dark',
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
    },
    async run(world) {
      await world.go('/environment')
      const text = await world.text()
      for (const part of ['de-DE', 'Asia/Tokyo', '800x600', 'true', '1.234,5', 'Chrome/128.0.0.0'])
        check(text.includes(part), `${part} in ${text}`)
    },
  },
  {
    id: 'storage',
    title: 'web storage can be put in place before a page is loaded, and read afterwards',
    async run(world) {
      await world.context.importStorage({ [world.site.url]: { local: { k: 'v1' }, session: {} } })
      await world.go('/storage')
      check((await world.text()).includes('kept v1'), await world.text())
      const exported = await world.context.exportStorage()
      check(JSON.stringify(exported[world.site.url]).includes('v1'), JSON.stringify(exported))
    },
  },
  {
    id: 'screenshot',
    title: 'takes pictures of the page and of one element',
    async run(world) {
      await world.go('/plain')
      const whole = await world.page.screenshot(undefined, world.signal)
      const part = await world.page.screenshot(await world.find({ role: 'link', text: 'Second' }), world.signal)
      check(whole.mimeType === 'image/png' && whole.data[1] === 0x50, 'It is no PNG.')
      check(part.data.length < whole.data.length, 'The part is larger than the whole.')
    },
  },
]
