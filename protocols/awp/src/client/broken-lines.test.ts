import type { Intent } from '@domos/spec'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { settle, testHouse } from '../test/peer.ts'
import { createNetwork } from '../test/socket-pair.ts'
import { connectAwp } from './index.ts'

const step = fc.constantFrom(
  'act',
  'act',
  'act',
  'drop',
  'deaf',
  'hearing',
  'down',
  'up',
  'wait',
  'settle',
  'hold',
  'release',
)

it('does every act once and answers it, however the line breaks (AWP-SES-4, AWP-IDEM-1)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const house = testHouse()
      const network = createNetwork(house)
      const client = await connectAwp('ws://test/awp', {
        webSocket: network.webSocket,
        clock: house.clock,
        reconnect: { random: () => 0.5, maxMs: 2_000 },
      })
      const page = await (await client.createSession()).createPage()
      const acts: Promise<unknown>[] = []
      let release = (): void => {}
      for (const each of steps) {
        if (each === 'act')
          acts.push(page.act({ action: 'type', target: { elementRef: 'e_1' }, value: `v${acts.length}` }))
        else if (each === 'drop') network.drop()
        else if (each === 'deaf') network.isDeaf = true
        else if (each === 'hearing') {
          // What was not heard is gone, as on a broken line: only a new connection can make up for it.
          if (network.isDeaf) network.drop()
          network.isDeaf = false
        } else if (each === 'down' || each === 'up') network.isDown = each === 'down'
        else if (each === 'wait') await house.clock.advance(3_000)
        else if (each === 'hold') {
          release()
          release = house.browsing.hold('act')
        } else if (each === 'release') release()
        else await settle()
      }
      release()
      if (network.isDeaf) network.drop()
      network.isDeaf = false
      network.isDown = false
      await house.clock.advance(30_000)
      expect(await Promise.all(acts)).toHaveLength(acts.length)
      const done = house.browsing.seen.filter(({ name }) => name === 'act').map(({ args }) => (args[0] as Intent).value)
      expect(done.toSorted()).toEqual(acts.map((_, index) => `v${index}`).toSorted())
      client.close()
    }),
    { numRuns: 150, seed: 7 },
  )
}, 120_000)
