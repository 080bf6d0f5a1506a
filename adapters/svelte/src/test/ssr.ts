import { DomOSClient } from '@domos/core'
import { hydrate, unmount } from 'svelte'
import { createAgent, createAgentContext, createTool } from '../index.ts'
import Run from './Run.svelte'

export { render } from 'svelte/server'
export { Run }

/** What the page of the tests of server rendering declares. */
export function setup(): () => string {
  const agent = createAgent()
  createTool({ name: 'list', description: 'Lists', handler: () => 1 })
  createAgentContext(() => ({ page: 'tasks' }))
  return () => `${agent.state} ${agent.isConnected}`
}

export const createClient = (transport: () => Promise<never>): DomOSClient =>
  new DomOSClient({ endpoint: 'ws://tasks.test/adtp', approvals: 'none', transport })

export { hydrate, unmount }
