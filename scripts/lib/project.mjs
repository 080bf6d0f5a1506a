// Where the project is, which Node runs it, and which installed packages it has. Runs on Node 20 without packages.

import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** A path inside the repository. */
export const inProject = (...parts) => join(root, ...parts)

/** The oldest Node that runs DomOS: the first with type stripping, SQLite and a WebSocket client built in. */
export const oldestNode = [22, 18]

const nodeProgram = join('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
const ownNode = inProject(nodeProgram)

/** Whether a version such as `v20.20.2` is new enough to run DomOS. */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
}

/**
 * The Node that builds and runs the project: its own one, else the running one when it is new enough.
 * Throws when there is neither, which means that the packages are not installed.
 */
export function projectNode() {
  if (existsSync(ownNode)) return ownNode
  if (isSupportedNode(process.version)) return process.execPath
  throw new Error(`This is Node ${process.version} and the project's own Node is not installed. Run: npm ci`)
}

/** `PATH` without any `node_modules` folder: what the machine itself has. */
export function machinePath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.split(sep).includes('node_modules'))
    .join(delimiter)
}

/** The environment of a command that runs under the project's Node. */
export function projectEnvironment(extra = {}) {
  const path = [dirname(projectNode()), inProject('node_modules/.bin'), machinePath()].join(delimiter)
  return { ...process.env, PATH: path, ...extra }
}

/**
 * What differs between the lock file and what is installed, as package paths; empty when all is there. Compares with
 * the list npm leaves in `node_modules` after an install, so that an install by hand counts as well as ours.
 */
export function missingPackages(folder = root) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const present = readPackages(join(folder, 'node_modules/.package-lock.json'))
  if (wanted === undefined) throw new Error('package-lock.json is missing or broken; restore it from git.')
  if (present === undefined) return ['node_modules']
  const missing = Object.entries(wanted)
    .filter(([path, entry]) => path.includes('node_modules/') && !isOptional(entry))
    .filter(([path, entry]) => !isSame(entry, present[path]))
    .map(([path]) => path)
  if (!existsSync(join(folder, nodeProgram))) missing.push('node_modules/node')
  return missing
}

const isOptional = (entry) => entry.optional === true || entry.devOptional === true || entry.peer === true

const isSame = (wanted, present) =>
  present !== undefined &&
  wanted.version === present.version &&
  wanted.integrity === present.integrity &&
  (wanted.link !== true || wanted.resolved === present.resolved)

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}
