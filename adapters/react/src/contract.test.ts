// @vitest-environment happy-dom
import { adapterContract } from '@domos/testing/adapter'
import { describe, it } from 'vitest'
import { harness } from './test/harness.tsx'

describe('React in strict mode', () => {
  for (const { title, run } of adapterContract(harness)) it(title, run)
})
