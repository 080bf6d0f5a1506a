import { DomOSClient } from '@domos/core'
import type { ContractCase } from '@domos/testing/adapter'
import { flushSync, mount, unmount } from 'svelte'
import { z } from 'zod'
import { createAgentContext, createApproval, createTool, onDomOSEvent } from '../index.ts'
import Run from './Run.svelte'

const equal = (found: unknown, wanted: unknown) => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (left !== right) throw new Error(`It should be ${right}, and is ${left}.`)
}

/** Runs `setup` as a component; the page ends with the case. */
function on(
  title: string,
  setup: () => unknown,
  check: (client: DomOSClient, show: (shown: boolean) => void) => void | Promise<void>,
): ContractCase {
  return {
    title,
    async run() {
      const client = new DomOSClient({
        endpoint: 'ws://tasks.test/adtp',
        approvals: 'none',
        transport: () => new Promise(() => {}),
      })
      let show: (shown: boolean) => void = () => {}
      const control = (set: typeof show) => {
        show = set
      }
      const page = mount(Run, { target: document.body, props: { client, setup, control } })
      flushSync()
      try {
        await check(client, (shown) => {
          show(shown)
          flushSync()
        })
      } finally {
        await unmount(page)
        client.destroy()
      }
    },
  }
}

/** Takes a value of exactly this type; the compiler is the test. */
const typed = <T>(value: T, _same: (other: T) => T): T => value

let tasks = $state(['Milk'])
const heard: string[] = []

/** What Svelte has beyond the contract. */
export const cases: readonly ContractCase[] = [
  on(
    'a tool gets the types of its arguments from its schema',
    () => {
      createTool({
        name: 'add',
        description: 'Adds',
        parameters: z.object({ title: z.string(), count: z.number().default(1) }),
        handler: (args) => typed<{ title: string; count: number }>(args, (other: typeof args) => other),
      })
      createTool(() => ({
        name: 'rename',
        description: 'Renames',
        parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        handler: ({ title }) => typed<string>(title, (other: typeof title) => other),
      }))
    },
    async (client) => {
      equal(await client.callTool('add', { title: 'Tea' }), { title: 'Tea', count: 1 })
      equal(await client.callTool('rename', { title: 'Tea' }), 'Tea')
    },
  ),
  on(
    'context follows state that is changed in place, and goes with its component',
    () => {
      tasks = ['Milk']
      createAgentContext(() => ({ tasks }))
    },
    (client, show) => {
      equal(client.getContext(), { tasks: ['Milk'] })
      tasks.push('Tea')
      flushSync()
      equal(client.getContext(), { tasks: ['Milk', 'Tea'] })
      show(false)
      equal(client.getContext(), {})
      show(true)
      equal(client.getContext(), { tasks: ['Milk'] })
    },
  ),
  on(
    'a global tool stays after its component, an event listener does not',
    () => {
      createTool({ name: 'home', description: 'Goes home', global: true, handler: () => 1 })
      onDomOSEvent('connection.state.changed', ({ state }) => heard.push(state))
    },
    (client, show) => {
      void client.connect()
      show(false)
      client.disconnect()
      equal([client.toolCount, heard], [1, ['connecting']])
    },
  ),
  on(
    'approvals of one’s own need the mark that they are unsafe',
    () => {
      try {
        createApproval()
      } catch (error) {
        return () => (error as Error).message
      }
      return undefined
    },
    () => equal(document.body.textContent?.includes('custom-unsafe'), true),
  ),
]
