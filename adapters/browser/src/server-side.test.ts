import { expect, it } from 'vitest'

it('importing on a server touches no document, and the bridge to the browser’s agent does nothing there', async () => {
  expect(typeof document).toBe('undefined')
  const { bridgeWebMcp, createDomOSClient, getClient } = await import('./index.ts')
  const client = createDomOSClient({ endpoint: 'ws://tasks.test/adtp' })
  bridgeWebMcp(client)()
  expect(client.state).toBe('idle')
  expect(getClient).toThrow('DomOS.init()')
  client.destroy()
})
