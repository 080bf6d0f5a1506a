import type { Server } from 'node:http'
import { attach, type Tool } from 'domos'

const stock: Tool = {
  name: 'check_stock',
  description: 'Tells how many pieces of a product are in the warehouse',
  parameters: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
  risk: 'none',
  execute: async ({ product = '' }) => ({ type: 'success', value: { product, pieces: 7 } }),
}

/** Adds the page door to a server of one's own, with a tool that every page's agent can use. */
export const openDoors = (server: Server, dataDir: string) => attach(server, { dataDir, tools: () => [stock] })
