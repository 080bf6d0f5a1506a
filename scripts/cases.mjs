// npm run cases -- DIR: plays every messages.json under DIR against the server and says what became of each step.

import { resolve } from 'node:path'
import { installPackages } from './lib/install.mjs'
import { exclusively } from './lib/lock.mjs'
import { inProject, projectEnvironment, projectNode } from './lib/project.mjs'
import { endWithNpm, runInForeground } from './lib/run.mjs'

endWithNpm()

try {
  await exclusively(installPackages)
  const directories = process.argv.slice(2).map((path) => resolve(process.env.INIT_CWD ?? process.cwd(), path))
  const command = ['--conditions=@domos/source', inProject('test/cases/cli.ts'), ...directories]
  process.exitCode = await runInForeground(projectNode(), command, { env: projectEnvironment() })
} catch (error) {
  console.error(error.message)
  console.log('0 passed, 1 failed, 0 unchecked')
  process.exitCode = 1
}
