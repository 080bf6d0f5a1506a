import { needDebianPackages, synthesisContract } from '@domos/testing/speech'
import { beforeAll, describe, it } from 'vitest'
import { createFlite } from './index.ts'

describe('flite in WebAssembly keeps the contract of speech synthesis', () => {
  for (const { title, run } of synthesisContract({ create: () => createFlite({ backend: 'wasi' }) })) it(title, run)
})

describe("the system's flite keeps the contract of speech synthesis", () => {
  let missing: string | undefined
  beforeAll(async () => {
    missing = await needDebianPackages('libflite1')
  }, 300_000)
  for (const { title, run } of synthesisContract({ create: () => createFlite({ backend: 'native' }) })) {
    it(title, async ({ skip }) => {
      if (missing) skip(missing)
      await run()
    })
  }
})
