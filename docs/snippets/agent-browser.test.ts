import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attach } from 'domos'
import { expect, it } from 'vitest'
import { buy } from './agent-browser.ts'

const SHOP = `<!doctype html><title>Shop</title><h1>Cart</h1><form action="/sent"><label>Name <input name="n"></label>
<select name="c" aria-label="Country"><option>Chile<option>Peru</select><button>Go</button></form>`

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

it('the example of the browser door runs as it stands', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'domos-snippets-'))
  const asked: (string | undefined)[] = []
  const shop = createServer((request, response) => {
    asked.push(request.url)
    const isSent = request.url?.startsWith('/sent') === true
    response.setHeader('content-type', 'text/html').end(isSent ? '<title>Sent</title><h1>Thank you</h1>' : SHOP)
  })
  const house = createServer()
  const shopPort = await listening(shop)
  const port = await listening(house)
  const domos = await attach(house, { dataDir, doors: ['awp'], allowPrivateNetwork: true })
  try {
    const said = await buy(`ws://127.0.0.1:${port}/awp`, `http://127.0.0.1:${shopPort}/`)
    expect(said).toBe(`Shop http://127.0.0.1:${shopPort}/ · document · Thank you`)
    expect(asked).toContain('/sent?n=Ada&c=Peru')
  } finally {
    await domos.close()
    for (const server of [house, shop]) {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
    await rm(dataDir, { recursive: true, force: true })
  }
})
