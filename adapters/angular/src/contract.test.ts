// @vitest-environment happy-dom
import { adapterContract } from '@domos/testing/adapter'
import { describe, it } from 'vitest'
import { harness } from './test/harness.ts'

describe('Angular without zones', () => {
  for (const { title, run } of adapterContract(harness)) it(title, run)
})
