import { defineConfig } from 'vitest/config'

// Workspace packages resolve to their sources, so that no test needs a build. Setting `conditions` drops Vite's own
// list, hence the other three names.

export default defineConfig({
  resolve: { conditions: ['@domos/source', 'module', 'node', 'development'] },
  ssr: {
    resolve: {
      conditions: ['@domos/source', 'module', 'node', 'development'],
      externalConditions: ['@domos/source', 'node'],
    },
  },
  test: {
    include: [
      '{packages,protocols,adapters,models,speech,engines,stores,apps,examples,test,scripts,docs}/**/*.test.{ts,tsx}',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
    // In CI a test is tried once more before it counts as failed: real browsers and recognizers share two cores there. A
    // developer sees the first failure.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 30_000,
    pool: 'forks',
  },
})
