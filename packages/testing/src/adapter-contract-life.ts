/// <reference lib="dom" />
import type { ToolOptions } from '@domos/core/adapter'
import type { AdapterCase, ContractPart } from './adapter-contract.ts'
import { same, turns, until } from './adapter-contract-peer.ts'
import { type ContractCase, check } from './speech-contract-check.ts'

const tool = (name: string, more: Partial<ToolOptions> = {}): ToolOptions => ({
  name,
  description: `Does ${name}`,
  handler: () => name,
  ...more,
})
const part = (key: string, ...names: readonly string[]): ContractPart => ({
  key,
  tools: names.map((name) => tool(name)),
})

/** Tools and context live exactly as long as their components. */
export function lifeCases(on: AdapterCase): readonly ContractCase[] {
  return [
    on('announces the tools of a page once, in the order of its components, when it connects', async (open) => {
      const { peer } = await open([part('a', 'one', 'two'), part('b', 'three')])
      same(peer.announced, [['one', 'two', 'three']], 'what was announced')
      same(peer.opened, 1, 'the number of connections')
    }),
    on('fifteen tools that mount together are one update (behaviour 11)', async (open) => {
      const { peer, render } = await open([])
      const names = Array.from({ length: 15 }, (_, index) => `tool_${index}`)
      await render(names.map((name) => part(name, name)))
      same(peer.announced, [[], names], 'what was announced')
    }),
    on('a component that goes takes its tools and its context with it, and no others', async (open) => {
      const { page, peer, render } = await open([
        { ...part('a', 'one'), context: { a: 1 } },
        { ...part('b', 'two'), context: { b: 2 } },
      ])
      await render([{ ...part('b', 'two'), context: { b: 2 } }])
      same(peer.announced.at(-1), ['two'], 'the tools')
      same(page.client.getContext(), { b: 2 }, 'the context')
      same(peer.of('CONTEXT_UPDATE').length, 2, 'the number of updates')
    }),
    on('twenty renderings with new objects of equal content are told to nobody', async (open) => {
      const made = (round: number): ContractPart => ({
        key: 'a',
        tools: [
          tool('add', {
            parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
            handler: () => round,
          }),
        ],
        context: { page: 'tasks' },
      })
      const { page, peer, render, result } = await open([made(0)])
      for (let round = 1; round <= 20; round += 1) await render([made(round)])
      same(peer.of('CONTEXT_UPDATE').length, 1, 'the number of updates')
      same(page.client.toolCount, 1, 'the number of tools')
      peer.call('add', { title: 'Milk' })
      same((await result()).result, 20, 'the result of the latest handler')
    }),
    on('a changed description, risk or schema replaces the tool in its place with one update', async (open) => {
      const { peer, render } = await open([part('a', 'one'), part('b', 'two')])
      await render([
        { key: 'a', tools: [tool('one', { description: 'Something else', risk: 'low' })] },
        part('b', 'two'),
      ])
      const [, second, ...more] = peer.of('CONTEXT_UPDATE')
      same(more.length, 0, 'the number of further updates')
      same(
        second.activeTools.map(({ name, description, risk }: Record<string, unknown>) => [name, description, risk]),
        [
          ['one', 'Something else', 'low'],
          ['two', 'Does two', undefined],
        ],
        'the tools',
      )
    }),
    on('a tool that is renamed, disabled and enabled follows', async (open) => {
      const { peer, render } = await open([part('a', 'one')])
      await render([part('a', 'other')])
      await render([{ key: 'a', tools: [tool('other', { enabled: false })] }])
      await render([part('a', 'other')])
      same(peer.announced, [['one'], ['other'], [], ['other']], 'what was announced')
    }),
    on(
      'navigation, unmount, mount and new context in one task are one update of the final state (behaviour 12)',
      async (open) => {
        const before = location.pathname + location.search
        const { peer, render } = await open([{ ...part('list', 'search'), context: { page: 'list' } }])
        history.pushState(null, '', '?contract=detail')
        try {
          await render([{ ...part('detail', 'edit', 'remove'), context: { page: 'detail' } }])
          const updates = peer.of('CONTEXT_UPDATE').slice(1)
          const last = updates.at(-1)
          same([last.data, peer.announced.at(-1)], [{ page: 'detail' }, ['edit', 'remove']], 'the final state')
          check(String(last.url).endsWith('?contract=detail'), `The final url should be announced, not ${last.url}.`)
          // A framework that renders later than the task tells the url by itself first; nothing else may be told alone.
          const half = updates.filter(({ data }) => data.page === 'list').flatMap(({ activeTools }) => activeTools)
          same(updates.length - half.length, 1, 'the number of updates that say anything about the new page')
        } finally {
          history.replaceState(null, '', before)
        }
      },
    ),
    on('nothing is told without a session, nor when it is lost before the task ends (behaviour 13)', async (open) => {
      const silent = await open([part('a', 'one')], { connected: false })
      await silent.render([part('a', 'one'), part('b', 'two')])
      same(silent.peer.of('CONTEXT_UPDATE').length, 0, 'updates without a session')
      const { page, peer } = await open([part('a', 'one')])
      page.client.setContext({ late: true })
      page.client.disconnect()
      page.render([part('a', 'one'), part('b', 'two')])
      await turns()
      same(peer.of('CONTEXT_UPDATE').length, 1, 'updates with a session that is lost')
    }),
    on('after a reconnection the whole state is announced again, once', async (open) => {
      const { peer, clock, render } = await open([part('a', 'one')])
      peer.drop()
      await render([part('a', 'one'), part('b', 'two')])
      await clock.advance(31_000)
      await until(() => peer.opened === 2 && peer.announced.length === 2, 'It never came back.')
      same(peer.announced, [['one'], ['one', 'two']], 'what was announced')
    }),
    on('taking the page down ends the connection and leaves nothing registered', async (open) => {
      const { page, peer } = await open([{ ...part('a', 'one'), context: { a: 1 } }])
      const { client } = page
      page.unmount()
      await until(() => !client.isConnected, 'The connection never ended.')
      await turns()
      same([client.toolCount, client.getContext()], [0, {}], 'tools and context that are left')
      same(peer.opened, 1, 'the number of connections')
    }),
    on('two clients on one page keep their tools, context and answers apart', async (open) => {
      const left = await open([{ ...part('a', 'one'), context: { side: 'left' } }])
      const right = await open([{ ...part('a', 'two'), context: { side: 'right' } }])
      same([left.peer.announced.at(-1), right.peer.announced.at(-1)], [['one'], ['two']], 'the tools')
      right.peer.send('AGENT_RESPONSE', { chunk: 'Right.', done: true })
      await until(() => right.page.shown().response === 'Right.', 'The right side never showed its answer.')
      same(left.page.shown().response, '', 'the answer on the left')
      right.page.unmount()
      await turns()
      left.peer.call('one')
      same((await left.result()).result, 'one', 'a call on the left after the right is gone')
    }),
  ]
}
