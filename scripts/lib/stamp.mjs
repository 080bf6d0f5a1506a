// Skips a build step whose inputs did not change. Runs on Node 20 without packages.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { inProject } from './project.mjs'

const ignored = new Set(['node_modules', 'dist', 'coverage', '.stamp'])

/**
 * Runs `step` unless its inputs are the same as after its last success and its output is still there.
 * @param inputs files and folders, relative to the root
 * @param output a file the step makes, relative to the root
 * @returns whether the step ran
 */
export async function whenChanged(name, inputs, output, step) {
  const hash = hashOf(inputs)
  const stamp = inProject('.stamp', name.replaceAll('/', '-'))
  if (existsSync(inProject(output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false
  await step()
  mkdirSync(inProject('.stamp'), { recursive: true })
  writeFileSync(stamp, hash)
  return true
}

function hashOf(inputs) {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(filesUnder).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(inProject(path)))
      .update('\0')
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(inProject(path))) return []
  if (!statSync(inProject(path)).isDirectory()) return [path]
  return readdirSync(inProject(path))
    .filter((name) => !ignored.has(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => filesUnder(`${path}/${name}`))
}
