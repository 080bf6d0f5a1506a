export { cases } from './cases.svelte.ts'

import type { AdapterHarness, ContractPart, ShownAgent } from '@domos/testing/adapter'
import { flushSync, mount, unmount } from 'svelte'
import type { Agent, Approvals } from '../index.ts'
import Page from './Page.svelte'

/** Pages of Svelte components, for the contract. */
export const harness: AdapterHarness = {
  mount(options, first) {
    const box = document.body.appendChild(document.createElement('div'))
    let agent: Agent | undefined
    let approvals: Approvals | undefined
    let render: (parts: readonly ContractPart[]) => void = () => {}
    const page = mount(Page, {
      target: box,
      props: {
        options,
        first,
        take(mine: Agent, asked: Approvals) {
          agent = mine
          approvals = asked
        },
        control(set: typeof render) {
          render = set
        },
      },
    })
    flushSync()
    if (!agent) throw new Error('The page was not rendered.')
    return {
      client: agent.client,
      render: (parts) => render(parts),
      shown: () => JSON.parse(box.textContent ?? '') as ShownAgent,
      sendText: (text) => void agent?.sendText(text),
      stop: () => agent?.stop(),
      approve: () => void approvals?.approve(),
      deny: () => void approvals?.deny(),
      unmount() {
        if (box.isConnected) void unmount(page)
        box.remove()
      },
    }
  },
}
