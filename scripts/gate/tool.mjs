// What the stages share: running an installed tool, and listing the project's own files.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inProject, root } from '../lib/project.mjs'
import { run } from '../lib/run.mjs'

/** Runs a JavaScript file of an installed package under this Node; gives `{ code, output }`. */
export const runTool = (path, args, options = {}) =>
  run(process.execPath, [inProject('node_modules', path), ...args], { quiet: true, ...options })

/** A tool's output as the stage's problems: none when it ended well. */
export const problemsOf = ({ code, output }, name) =>
  code === 0 ? [] : [output.trim() || `${name} ended with exit code ${code}`]

/** Files of the project that git does not ignore, relative to the root. Throws when there is none. */
export function projectFiles() {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout, stderr } = spawnSync('git', git, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`)
  const files = [...new Set(stdout.split('\0'))].filter((path) => path !== '')
  if (files.length === 0) throw new Error('git lists no file, so nothing would be checked.')
  return files
}

/** The text of a project file, or undefined when it was deleted meanwhile or is binary. */
export function readText(path) {
  try {
    const bytes = readFileSync(inProject(path))
    return bytes.includes(0) ? undefined : bytes.toString('utf8')
  } catch {
    return undefined
  }
}

/** Whether a file is a test or serves only tests. */
export const isTestFile = (path) => /\.test\.tsx?$/.test(path) || /(^|\/)test\//.test(path)
