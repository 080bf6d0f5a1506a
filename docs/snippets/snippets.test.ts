import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attach } from 'domos'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { namedModel } from './ai-sdk-model.ts'
import { model } from './local-model.ts'
import { nameCaller } from './own-model.ts'
import { openDoors } from './own-server.ts'
import { offerCart } from './web-page.ts'

// The examples of README.md, run as they stand there against a real server on loopback.

let server: Server
let endpoint: string
let dataDir: string
const answers: string[] = []
const show = (answer: string) => answers.push(answer)
const cleanup: (() => unknown)[] = []

beforeEach(async () => {
  answers.length = 0
  dataDir = await mkdtemp(join(tmpdir(), 'domos-snippets-'))
  server = createServer((_request, response) => response.end('own page'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/adtp`
})

afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await rm(dataDir, { recursive: true, force: true })
})

/** Opens the page of the first example against a server with doors. */
async function openPage(domos: { close(): Promise<void> }) {
  cleanup.push(() => domos.close())
  const page = await offerCart(endpoint, show)
  cleanup.push(() => page.client.destroy())
  return { cart: page.cart, say: async (text: string) => page.client.sendText(text).done }
}

it('a web page gives an agent its cart, and a risky tool does not run where nobody can be asked', async () => {
  const { cart, say } = await openPage(await attach(server, { dataDir }))
  await say('add two headphones')
  expect(cart).toEqual([{ product: 'headphones', quantity: 2 }])
  await say('confirm the order')
  expect(answers.join(' ')).not.toContain('Ordered')
})

it('a server of one’s own keeps its routes and adds a tool to every session', async () => {
  const { say } = await openPage(await openDoors(server, dataDir))
  expect(await (await fetch(endpoint.replace('ws:', 'http:').replace('/adtp', '/'))).text()).toBe('own page')
  await say('check stock of headphones')
  expect(answers.join(' ')).toMatch(/\b7\b/)
})

it('a model of one’s own decides what is called', async () => {
  const { say } = await openPage(await attach(server, { dataDir, languageModel: nameCaller }))
  await say('what can you do?')
  expect(answers.at(-1)).toBe('I can call: add_to_cart, confirm_order')
  await say('please confirm_order')
  expect(answers.at(-1)).toMatch(/denied|approv/i)
})

it('the built-in model is embedded, a named one is not', () => {
  expect(model).toMatchObject({ id: 'local/planner', embedded: true })
  expect(namedModel('a-key')).toMatchObject({ id: 'openai/gpt-5', embedded: false })
})
