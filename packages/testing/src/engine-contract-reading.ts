import type { EngineCase } from './engine-contract.ts'
import { check } from './speech-contract-check.ts'

/** Reading: snapshots, queries, states, frames. */
export const READING_CASES: readonly EngineCase[] = [
  {
    id: 'empty',
    title: 'says that no page is loaded yet',
    run: (world) => world.fails('not_found', () => world.page.compile({})),
  },
  {
    id: 'same-bytes',
    title: 'compiles the same document to the same bytes',
    async run(world) {
      await world.go('/form')
      const first = await world.page.compile({})
      const second = await world.page.compile({})
      check(JSON.stringify(first.som) === JSON.stringify(second.som), 'The second snapshot differs.')
    },
  },
  {
    id: 'hidden',
    title: 'drops hidden text and counts it',
    async run(world) {
      await world.go('/hidden')
      const { som, ext, outline } = await world.page.compile({ outline: true })
      check(outline?.includes('Shown words') === true, 'The visible text is missing.')
      check(!JSON.stringify(som).toLowerCase().includes('gone'), 'Hidden text is shown.')
      check(JSON.stringify(ext).includes('hidden'), 'It is not counted.')
    },
  },
  {
    id: 'secret',
    title: 'never gives the value of a password',
    async run(world) {
      await world.go('/form')
      const { som, ext, outline } = await world.page.compile({ outline: true })
      check(!JSON.stringify([som, ext, outline]).includes('swordfish'), 'The password is shown.')
      check((await world.state({ label: 'Code' })).isSecret, 'It is not marked as secret.')
    },
  },
  {
    id: 'states',
    title: 'reads the state of controls',
    async run(world) {
      await world.go('/form')
      const name = await world.state({ label: 'Name' })
      check(name.tag === 'input' && name.value === 'old' && name.isEditable && !name.disabled, JSON.stringify(name))
      const colour = await world.state({ label: 'Colour' })
      check(
        colour.options?.length === 3 && colour.selected?.join() === 'Red' && colour.options[2]?.disabled === true,
        JSON.stringify(colour),
      )
      check((await world.state({ label: 'News' })).checked === false, 'News')
      check((await world.state({ label: 'Off' })).disabled, 'Off')
      check((await world.state({ label: 'Locked' })).readOnly, 'Locked')
      check((await world.page.element('e_000000000000')) === undefined, 'An unknown id has a state.')
    },
  },
  {
    id: 'queries',
    title: 'finds by role, text and pattern, all of them or the one that is meant',
    async run(world) {
      await world.go('/plain')
      check((await world.page.query({ role: 'link' }, 10)).length === 2, 'links')
      const [match] = await world.page.query({ textRegex: 'Sec.nd' }, 10)
      check(match?.attrs?.['href'] === `${world.site.url}/second`, JSON.stringify(match))
      await world.fails('not_found', () => world.page.resolve({ query: { text: 'nothing like it' } }))
      await world.fails('invalid_request', () => world.page.query({ textRegex: '(?=x)' }, 10))
      const found = await world.page.resolve({
        elementRef: 'e_000000000000',
        fallback: [{ query: { role: 'link', text: 'Second' } }],
      })
      check(found.fallback === 0, JSON.stringify(found))
    },
  },
  {
    id: 'records',
    title: 'reads records with their fields',
    async run(world) {
      await world.go('/plain')
      const records = await world.page.records(
        { role: 'main' },
        { link: { role: 'link' }, head: { role: 'heading', level: 1 } },
        10,
      )
      check(
        records[0]?.fields['link']?.length === 2 && records[0].fields['head']?.[0]?.text === 'Plain page',
        JSON.stringify(records),
      )
      const read = await world.page.read(records[0]?.fields['link']?.[0]?.elementId ?? '')
      check(read?.role === 'link', JSON.stringify(read))
    },
  },
  {
    id: 'frames',
    title: 'reads and acts in frames of its own and of other origins, each reference in its own frame',
    async run(world) {
      await world.go('/frames')
      await world.shows('Distant')
      const text = await world.text()
      check(text.includes('Near') && text.includes('Same'), text)
      await world.click({ role: 'button', text: 'Near' })
      await world.shows('inner pressed')
      await world.click({ role: 'button', text: 'Distant' })
      await world.shows('far pressed')
      check((await world.text()).includes('Same'), 'The outer page was pressed too.')
      await world.type('Far field', 'abroad')
      check((await world.state({ label: 'Far field' })).value === 'abroad', 'The far field is empty.')
    },
  },
]
