// @vitest-environment happy-dom
import { adapterContract } from '@domos/testing/adapter'
import { describe, it } from 'vitest'
import { cases, harness } from './test/harness.ts'

describe('a page of attributes', () => {
  for (const { title, run } of [...adapterContract(harness), ...cases]) it(title, run)
})
