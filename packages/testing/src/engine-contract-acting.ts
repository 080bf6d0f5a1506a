import type { EngineCase } from './engine-contract.ts'
import { check } from './speech-contract-check.ts'

/** Acting on pages that need no script. */
export const ACTING_CASES: readonly EngineCase[] = [
  {
    id: 'form',
    title: 'fills a form with every kind of field and sends it once',
    async run(world) {
      await world.go('/form')
      await world.type('Name', 'Ann')
      await world.act({ type: 'select', elementId: await world.find({ label: 'Colour' }), values: ['Green'] })
      await world.act({
        type: 'type',
        elementId: await world.find({ label: 'Day' }),
        text: '2026-03-04',
        replace: true,
      })
      await world.act({ type: 'type', elementId: await world.find({ label: 'Level' }), text: '7', replace: true })
      await world.act({ type: 'set-checked', elementId: await world.find({ label: 'News' }), checked: true })
      await world.act({ type: 'set-checked', elementId: await world.find({ label: 'Hidden box' }), checked: true })
      await world.type('Note', 'two\nlines')
      const before = world.site.seen.length
      await world.click({ role: 'button', text: 'Send' })
      const sent = world.site.seen.slice(before).filter(({ url }) => url.startsWith('/echo'))
      check(sent.length === 1, `It was sent ${sent.length} times.`)
      const fields = new URL(sent[0]?.url ?? '', world.site.url).searchParams
      const expected = {
        name: 'Ann',
        colour: 'g',
        day: '2026-03-04',
        level: '7',
        news: 'on',
        hid: 'on',
        note: 'two\r\nlines',
        locked: 'x',
      }
      for (const [name, value] of Object.entries(expected))
        check(fields.get(name) === value, `${name} is ${fields.get(name)}`)
      check(!fields.has('off'), 'A disabled field was sent.')
    },
  },
  {
    id: 'type-appends',
    title: 'types after what is there, or in its place',
    async run(world) {
      await world.go('/form')
      await world.type('Name', 'er', false)
      check((await world.state({ label: 'Name' })).value === 'older', 'appending')
      await world.type('Name', '')
      check((await world.state({ label: 'Name' })).value === '', 'emptying')
    },
  },
  {
    id: 'refusals',
    title: 'refuses what cannot be done and says why, without touching anything',
    async run(world) {
      await world.go('/form')
      await world.fails('conflict', () => world.type('Off', 'x'))
      await world.fails('conflict', () => world.type('Locked', 'y'))
      await world.fails('conflict', () => world.click({ role: 'button', text: 'Never' }))
      const colour = await world.find({ label: 'Colour' })
      await world.fails('invalid_request', () => world.act({ type: 'select', elementId: colour, values: ['Purple'] }))
      await world.fails('conflict', () => world.act({ type: 'select', elementId: colour, values: ['Blue'] }))
      const day = await world.find({ label: 'Day' })
      await world.fails('invalid_request', () =>
        world.act({ type: 'type', elementId: day, text: 'tomorrow', replace: true }),
      )
      check((await world.state({ label: 'Locked' })).value === 'x', 'The locked field was changed.')
      check((await world.state({ label: 'Colour' })).selected?.join() === 'Red', 'The choice was changed.')
    },
  },
  {
    id: 'idempotent-check',
    title: 'checking what is checked does nothing',
    async run(world) {
      await world.go('/form')
      const elementId = await world.find({ label: 'News' })
      await world.act({ type: 'set-checked', elementId, checked: true })
      await world.act({ type: 'set-checked', elementId, checked: true })
      check((await world.state({ label: 'News' })).checked === true, 'It is not checked.')
    },
  },
  {
    id: 'submit',
    title: 'sends a form without a button being pressed',
    async run(world) {
      await world.go('/form')
      await world.act({ type: 'submit', elementId: await world.find({ label: 'Name' }) })
      check(world.page.state().url.includes('/echo?'), world.page.state().url)
    },
  },
  {
    id: 'enter',
    title: 'Enter in a field sends its form',
    async run(world) {
      await world.go('/form')
      await world.act({ type: 'press', keys: 'Enter', elementId: await world.find({ label: 'Name' }) })
      check(world.page.state().url.includes('/echo?'), world.page.state().url)
    },
  },
  {
    id: 'upload',
    title: 'uploads a file with its name and bytes',
    async run(world) {
      await world.go('/upload')
      const data = new TextEncoder().encode('file content')
      await world.act({
        type: 'upload',
        elementId: await world.find({ label: 'File' }),
        files: [{ name: 'note.txt', data, contentType: 'text/plain' }],
      })
      await world.click({ role: 'button', text: 'Send file' })
      const sent = world.site.seen.findLast(({ method }) => method === 'POST')
      check(
        sent?.body.includes('filename="note.txt"') === true && sent.body.includes('file content'),
        sent?.body ?? 'nothing',
      )
    },
  },
  {
    id: 'new-page',
    title: 'a link into a new page announces it, and the old page stays',
    async run(world) {
      await world.go('/target')
      await world.click({ role: 'link', text: 'Open beside' })
      const [opened] = world.opened
      check(opened !== undefined, 'No page was announced.')
      await world.until('The new page', () => opened.state().title === 'Second', opened)
      check(world.page.state().url.endsWith('/target'), world.page.state().url)
    },
  },
  {
    id: 'ids-survive',
    title: 'ids stay with their elements while others change',
    async run(world) {
      await world.go('/form')
      const before = await world.find({ label: 'Note' })
      await world.type('Name', 'changed')
      check((await world.find({ label: 'Note' })) === before, 'The id has changed.')
    },
  },
  {
    id: 'stale',
    title: 'an id of a page that was left is refused by name',
    async run(world) {
      await world.go('/form')
      const elementId = await world.button('Send')
      await world.go('/plain')
      await world.fails('not_found', () => world.act({ type: 'click', elementId }))
    },
  },
]
