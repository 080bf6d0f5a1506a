// npm test: installs what is missing, then runs the gate under the project's own Node.

import { installPackages } from './lib/install.mjs'
import { exclusively } from './lib/lock.mjs'
import { inProject, projectEnvironment, projectNode } from './lib/project.mjs'
import { endWithNpm, runInForeground } from './lib/run.mjs'

endWithNpm()

try {
  await exclusively(installPackages)
  const command = [inProject('scripts/gate/main.mjs'), ...process.argv.slice(2)]
  process.exitCode = await runInForeground(projectNode(), command, { env: projectEnvironment() })
} catch (error) {
  console.error(error.message)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
}
