import type { DomOSClient } from '../client.ts'

const holders = new WeakMap<DomOSClient, number>()

/**
 * Keeps a client connected for as long as somebody holds it. It is let go a microtask after the last holder, since
 * frameworks take a component away and put it back at once.
 */
export function holdClient(client: DomOSClient): () => void {
  const count = (by: number) => holders.set(client, (holders.get(client) ?? 0) + by)
  count(1)
  void client.connect()
  let held = true
  return () => {
    if (!held) return
    held = false
    count(-1)
    queueMicrotask(() => {
      if (holders.get(client) === 0) client.disconnect()
    })
  }
}
