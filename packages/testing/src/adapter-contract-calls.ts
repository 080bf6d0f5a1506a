import type { StandardSchema, ToolContext } from '@domos/core'
import type { ToolOptions } from '@domos/core/adapter'
import type { AdapterCase, ContractPart } from './adapter-contract.ts'
import { same, turns, until } from './adapter-contract-peer.ts'
import { type ContractCase, check } from './speech-contract-check.ts'

const one = (name: string, more: Partial<ToolOptions>): readonly ContractPart[] => [
  { key: 'a', tools: [{ name, description: `Does ${name}`, handler: () => name, ...more }] },
]

interface Task {
  readonly title: string
  readonly count: number
}

/** A Standard Schema written by hand: needs a title, sets a default and turns digits into a number. */
const taskSchema: StandardSchema<unknown, Task> = {
  '~standard': {
    version: 1,
    vendor: 'contract',
    validate: (value) => {
      const { title, count = 1 } = value as Record<string, unknown>
      if (typeof title !== 'string') return { issues: [{ message: 'must be a text', path: ['title'] }] }
      return { value: { title, count: Number(count) } }
    },
    jsonSchema: {
      input: () => ({ type: 'object', properties: { title: { type: 'string' }, count: {} }, required: ['title'] }),
    },
  },
}

/** Calls reach the handlers of living components, checked, and their results go back. */
export function callCases(on: AdapterCase): readonly ContractCase[] {
  return [...argumentCases(on), ...orderCases(on), ...endCases(on)]
}

function argumentCases(on: AdapterCase): readonly ContractCase[] {
  return [
    on('a call without risk runs at once and has exactly one result (behaviour 3)', async (open) => {
      const { peer, result } = await open(one('list', { handler: () => ({ tasks: 2 }) }))
      peer.call('list')
      same(await result(), { callId: 'tc_1', status: 'success', result: { tasks: 2 } }, 'the result')
      await turns()
      same([peer.of('TOOL_RESULT').length, peer.of('APPROVAL_RESPONSE').length], [1, 0], 'the number of answers')
    }),
    on(
      'a handler that throws or rejects, with whatever value, is a failure the model reads (behaviour 5)',
      async (open) => {
        const { page, peer, result, render } = await open([])
        const faults: readonly (() => unknown)[] = [
          () => {
            throw new Error('Sold out')
          },
          () => Promise.reject(new Error('Sold out')),
          () => {
            throw 'Sold out'
          },
        ]
        for (const [index, handler] of faults.entries()) {
          await render(one('buy', { handler }))
          peer.call('buy', {}, `tc_${index}`)
          const { status, code, error } = await result(index + 1)
          same([status, code], ['error', 'failed'], 'the outcome')
          check(String(error).includes('Sold out'), `The message should be told, not "${error}".`)
        }
        check(page.client.isConnected, 'The connection should live on.')
      },
    ),
    on('wrong arguments name the tool and reach neither person nor handler (behaviour 7)', async (open) => {
      let ran = 0
      const handler = () => void (ran += 1)
      const { page, peer, result } = await open(one('pay', { risk: 'critical', parameters: taskSchema, handler }))
      peer.call('pay', { title: 5 })
      const { code, error } = await result()
      same(code, 'invalid_arguments', 'the code')
      check(
        String(error).includes('pay') && String(error).includes('title'),
        `It should name tool and argument: ${error}`,
      )
      same([ran, page.shown().pending], [0, []], 'handlers run and questions asked')
    }),
    on(
      'defaults and conversions of the schema reach the handler; only its JSON Schema reaches the wire (behaviours 8, 9)',
      async (open) => {
        const { peer, result } = await open([
          ...one('add', { parameters: taskSchema, handler: (args) => args }),
          { key: 'b', tools: [{ name: 'raw', description: 'Takes anything', handler: (args) => args }] },
        ])
        peer.call('add', { title: 'Milk', count: '3' }, 'tc_1')
        same((await result(1)).result, { title: 'Milk', count: 3 }, 'converted arguments')
        peer.call('raw', { any: ['thing'] }, 'tc_2')
        same((await result(2)).result, { any: ['thing'] }, 'arguments without a schema')
        const [added, raw] = peer.of('CONTEXT_UPDATE')[0].activeTools
        same(added.parameters?.required, ['title'], 'the schema on the wire')
        same([Object.keys(added).includes('handler'), raw.parameters], [false, undefined], 'what else is on the wire')
        check(!JSON.stringify(peer.frames).includes('~standard'), 'The validator is on the wire.')
      },
    ),
    on('callTool of the page checks the same way (behaviour 10)', async (open) => {
      const { page } = await open(one('add', { parameters: taskSchema, handler: (args) => args }))
      same(await page.client.callTool('add', { title: 'Tea' }), { title: 'Tea', count: 1 }, 'the result')
      const refused = await page.client.callTool('add', {}).catch((error: Error) => error.message)
      check(
        typeof refused === 'string' && refused.includes('title'),
        `It should be refused: ${JSON.stringify(refused)}`,
      )
    }),
  ]
}

function orderCases(on: AdapterCase): readonly ContractCase[] {
  return [
    on('what a call changed on the page is told before its result (behaviour 14)', async (open) => {
      const { page, peer, result } = await open([])
      const show = (count: number): readonly ContractPart[] => [
        { ...one('add', { handler: () => page.client.updateContext({ count }) && count })[0], key: 'a' },
      ]
      page.render(show(3))
      await turns()
      peer.call('add')
      await result()
      same(
        peer.frames.slice(-2).map(({ type }) => type),
        ['CONTEXT_UPDATE', 'TOOL_RESULT'],
        'the order of frames',
      )
      same(peer.of('CONTEXT_UPDATE').at(-1).data, { count: 3 }, 'the context')
    }),
    on(
      'syncToolsWithServer tells the state at once and in place of the pending update (behaviour 15)',
      async (open) => {
        const { page, peer } = await open(one('list', {}))
        let synced = 0
        page.client.on('tool.registry.synced', () => void (synced += 1))
        page.client.setContext({ page: 'tasks' })
        page.client.syncToolsWithServer()
        await turns()
        same([synced, peer.of('CONTEXT_UPDATE').length], [1, 2], 'events and updates')
      },
    ),
    on(
      'the result of a navigating tool waits for the tools of the new page; global tools stay (behaviour 16)',
      async (open) => {
        const list: ContractPart = {
          key: 'list',
          tools: [{ name: 'open', description: 'Opens', navigates: true, handler: () => 'opened' }],
        }
        const root: ContractPart = {
          key: 'root',
          tools: [{ name: 'home', description: 'Goes home', global: true, handler: () => 1 }],
        }
        const { peer, clock, render, result } = await open([root, list])
        peer.call('open')
        await turns()
        await render([{ key: 'detail', tools: [{ name: 'edit', description: 'Edits', handler: () => 1 }] }])
        same(peer.of('TOOL_RESULT').length, 0, 'results before the page is quiet')
        await clock.advance(700)
        same((await result()).result, 'opened', 'the result')
        same(peer.announced.at(-1), ['home', 'edit'], 'the tools of the new page')
        same(peer.frames.at(-1)?.type, 'TOOL_RESULT', 'the last frame')
      },
    ),
  ]
}

function endCases(on: AdapterCase): readonly ContractCase[] {
  return [
    on('a component that goes in mid-call ends the call, and its signal aborts', async (open) => {
      let signal: AbortSignal | undefined
      const handler = (_: unknown, context: ToolContext) => {
        signal = context.signal
        return new Promise(() => {})
      }
      const { peer, clock, render, result } = await open(one('slow', { handler }))
      peer.call('slow')
      await until(() => signal !== undefined, 'The handler never began.')
      await render([])
      await clock.advance(60)
      const { status, code } = await result()
      same([status, code, signal?.aborted], ['error', 'unavailable', true], 'the outcome')
    }),
    on('a component that is replaced in mid-call, as by hot reload, lets the call end', async (open) => {
      let finish: ((value: string) => void) | undefined
      const handler = () => new Promise<string>((done) => (finish = done))
      const { peer, clock, render, result } = await open(one('slow', { handler }))
      peer.call('slow')
      await until(() => finish !== undefined, 'The handler never began.')
      await render(one('slow', {}).map((part) => ({ ...part, key: 'reloaded' })))
      await clock.advance(60)
      finish?.('done')
      same((await result()).result, 'done', 'the result')
      same(peer.announced.at(-1), ['slow'], 'the tools')
      peer.call('slow', {}, 'tc_2')
      same((await result(2)).result, 'slow', 'the result of the new handler')
    }),
    on('a call to a tool that has left is refused as unavailable', async (open) => {
      const { peer, render, result } = await open(one('list', {}))
      await render([])
      peer.call('list')
      same((await result()).code, 'unavailable', 'the code')
    }),
  ]
}
