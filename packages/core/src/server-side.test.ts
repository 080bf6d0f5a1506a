import { describe, expect, it } from 'vitest'

describe('on a server', () => {
  it('importing and making a client touches no DOM, and nothing is asked of nobody', async () => {
    expect(typeof document).toBe('undefined')
    const touched: string[] = []
    const watch = (name: string) =>
      Object.defineProperty(globalThis, name, { configurable: true, get: () => void touched.push(name) })
    const names = ['document', 'window', 'history', 'sessionStorage', 'customElements']
    for (const name of names) watch(name)
    try {
      const { DomOSClient } = await import('./index.ts')
      const { createOverlay } = await import('./overlay/index.ts')
      const client = new DomOSClient({ endpoint: 'ws://shop.test/adtp' })
      client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler: () => 1 })
      await expect(client.callTool('clear_cart')).rejects.toMatchObject({
        message: expect.stringContaining('Nobody could be asked'),
      })
      expect(() => createOverlay({ language: 'en', clock: { now: () => 0, schedule: () => () => {} } })).toThrow(/page/)
      client.destroy()
      // Looking whether there is a document is all that is allowed.
      expect(touched.filter((name) => name !== 'document' && name !== 'window' && name !== 'history')).toEqual([])
    } finally {
      for (const name of names) Reflect.deleteProperty(globalThis, name)
    }
  })
})
