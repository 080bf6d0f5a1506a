import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findCases } from './find-cases.ts'
import { runCase } from './run-case.ts'

const found = findCases(fileURLToPath(new URL('../../../shared/cases', import.meta.url)))

describe.runIf(found.length > 0)('cases of the page door', () => {
  // One of them waits seventy seconds for a person, so they run side by side.
  it.concurrent.each(found)('$name', { timeout: 240_000 }, async ({ file }) => {
    const results = await runCase(file)
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })
})
