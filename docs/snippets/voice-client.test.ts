import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attach } from 'domos'
import { expect, it } from 'vitest'
import { speakWith } from './voice-client.ts'

it('the example of the voice door runs as it stands', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'domos-snippets-'))
  const house = createServer()
  await new Promise<void>((done) => house.listen(0, '127.0.0.1', done))
  const domos = await attach(house, { dataDir, doors: ['voice'] })
  const lines: string[] = []
  let samples = 0
  const client = speakWith(
    `ws://127.0.0.1:${(house.address() as AddressInfo).port}/audio`,
    (heard) => {
      samples += heard.length
    },
    (line) => lines.push(line),
  )
  try {
    await expect.poll(() => client.link, { timeout: 10_000 }).toBe('ready')
    client.say('turn on the kitchen lights')
    await expect.poll(() => lines.join('\n'), { timeout: 15_000 }).toMatch(/^assistant: ./m)
    await expect.poll(() => samples, { timeout: 15_000 }).toBeGreaterThan(8_000)
  } finally {
    client.close()
    await domos.close()
    house.closeAllConnections()
    await new Promise((done) => house.close(done))
    await rm(dataDir, { recursive: true, force: true })
  }
})
