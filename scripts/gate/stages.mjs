// The stages in the order they run. A stage gives `{ problems, counts?, note? }`: sentences for the developer, and
// counts where it is more than one check.

import { build } from '../lib/build.mjs'
import { exclusively } from '../lib/lock.mjs'
import { checkFormat } from './format.mjs'
import { checkHygiene } from './hygiene.mjs'
import { checkImports } from './imports.mjs'
import { checkPackages } from './packages.mjs'
import { checkReadme } from './readme.mjs'
import { checkRequirements } from './requirements.mjs'
import { checkSize } from './size.mjs'
import { runTests } from './tests.mjs'
import { checkTypes } from './types.mjs'
import { checkUnused } from './unused.mjs'

export const stages = [
  { name: 'build', promise: 'every package compiles and every page builds', run: runBuild },
  { name: 'format', promise: 'format and lint (biome)', run: checkFormat },
  { name: 'types', promise: 'tests, scripts and pages hold their types', run: checkTypes },
  { name: 'imports', promise: 'each package imports only what ARCHITECTURE.md lets it', run: checkImports },
  { name: 'unused', promise: 'no unused file, export or dependency (knip)', run: checkUnused },
  { name: 'packages', promise: 'each public package is complete as published', needs: ['build'], run: checkPackages },
  { name: 'size', promise: 'the browser client and the adapters keep their size limits', run: checkSize },
  { name: 'requirements', promise: 'every requirement of the documents is cited by a test', run: checkRequirements },
  { name: 'readme', promise: 'every code block of the documents is a file that tests run', run: checkReadme },
  { name: 'hygiene', promise: 'no secret, machine path or registry address', run: checkHygiene },
  { name: 'tests', promise: 'unit and end-to-end tests (vitest)', needs: ['build'], run: runTests },
]

async function runBuild() {
  try {
    await exclusively(build)
    return { problems: [] }
  } catch (error) {
    return { problems: [error.message] }
  }
}
