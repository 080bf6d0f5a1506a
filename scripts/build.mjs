// npm run build: installs what is missing and builds what changed.

import { build } from './lib/build.mjs'
import { installPackages } from './lib/install.mjs'

try {
  await installPackages()
  await build()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
