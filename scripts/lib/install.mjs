// Installs the packages of the lock file when they are missing. Runs on Node 20 without packages.

import { existsSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { inProject, machinePath, missingPackages } from './project.mjs'
import { run } from './run.mjs'

/**
 * Makes `node_modules` equal to the lock file; does nothing, within milliseconds, when it is already.
 * npm runs under the machine's own Node and sees none of `node_modules`, since `npm ci` deletes that folder first and
 * would delete the Node it runs on.
 */
export async function installPackages() {
  const missing = missingPackages()
  if (missing.length === 0) return
  if (missing[0] !== 'node_modules') console.log(`Packages that differ from the lock file: ${summary(missing)}`)
  console.log('Installing packages (npm ci) …')
  const { command, args } = npmCommand()
  const environment = { ...process.env, PATH: machinePath() }
  for (const name of Object.keys(environment)) if (name.startsWith('npm_')) delete environment[name]
  const { code } = await run(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: environment,
  })
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}; its message is above.`)
  const left = missingPackages()
  if (left.length > 0)
    throw new Error(`npm ci ended well and still left out: ${summary(left)}. Run: rm -rf node_modules && npm ci`)
}

const summary = (names) => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`

/** How to run npm outside of `node_modules`: a command and its first arguments. */
export function npmCommand() {
  const node = machineNode()
  const script = process.env.npm_execpath
  if (node !== undefined && script !== undefined && isOutside(script) && existsSync(script))
    return { command: node, args: [script] }
  const command = onMachine(process.platform === 'win32' ? 'npm.cmd' : 'npm')
  if (command === undefined)
    throw new Error('npm was not found on PATH. Install Node 20 or later with npm and try again.')
  return { command, args: [] }
}

function machineNode() {
  const candidates = [process.env.npm_node_execpath, process.execPath]
  return candidates.find((path) => path !== undefined && isOutside(path) && existsSync(path)) ?? onMachine('node')
}

const isOutside = (path) => !path.startsWith(inProject('node_modules') + sep)

function onMachine(name) {
  return machinePath()
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
