// npm start: installs what is missing, builds what changed, and serves the demo until a signal ends it.
// Options after `--` go to `domos demo`, such as: npm start -- --port 4000

import { build } from './lib/build.mjs'
import { installPackages } from './lib/install.mjs'
import { exclusively } from './lib/lock.mjs'
import { inProject, projectEnvironment, projectNode } from './lib/project.mjs'
import { endWithNpm, runInForeground } from './lib/run.mjs'
import { needSystemPackage } from './lib/system-packages.mjs'

endWithNpm()

try {
  await exclusively(installPackages)
  await exclusively(build)
  for (const name of ['pocketsphinx']) await offerSystemPackage(name)
  const command = [inProject('packages/cli/bin/domos.js'), 'demo', ...process.argv.slice(2)]
  process.exitCode = await runInForeground(projectNode(), command, { env: projectEnvironment() })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

/** What is missing costs its own part and no other: the demo is served without it, and says so. */
async function offerSystemPackage(name) {
  try {
    await exclusively(() => needSystemPackage(name))
  } catch (error) {
    console.log(`${error.message} The demo runs without it.`)
  }
}
