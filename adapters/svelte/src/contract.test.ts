import { runInThisContext } from 'node:vm'
import type { ContractCase } from '@domos/testing/adapter'
import { afterAll, describe, it } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'
import { bundleContract, svelte } from '../../../test/adapters/bundle.ts'

// Components have to pass Svelte's compiler first, which runs in Node; then they get a document of happy-dom.
const script = await bundleContract('adapters/svelte/src/test/harness.ts', [svelte])
const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {})
runInThisContext(script)
const { contract } = globalThis as unknown as { readonly contract: readonly ContractCase[] }

afterAll(() => teardown(globalThis))

describe('Svelte', () => {
  for (const { title, run } of contract) it(title, run)
})
