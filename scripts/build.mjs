// npm run build: installs what is missing and builds what changed.

import { build } from './lib/build.mjs'
import { installPackages } from './lib/install.mjs'
import { exclusively } from './lib/lock.mjs'
import { endWithNpm } from './lib/run.mjs'

endWithNpm()

try {
  await exclusively(installPackages)
  await exclusively(build)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
