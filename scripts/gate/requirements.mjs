import { pathToFileURL } from 'node:url'
import { inProject } from '../lib/project.mjs'
import { isTestFile, projectFiles, readText } from './tool.mjs'

/**
 * The documents as data: each `src/requirements.ts` exports `requirements`, an array of `{ id, heading, sentence }`.
 * Each id stands in at least one test, and each id that a test names exists.
 */
export async function checkRequirements() {
  const files = projectFiles()
  const paths = files.filter((path) => /^[a-z]+\/[^/]+\/src\/requirements\.ts$/.test(path))
  if (paths.length === 0) return { problems: ['No src/requirements.ts was found.'] }
  const manifests = new Map()
  for (const path of paths) {
    const { requirements } = await import(pathToFileURL(inProject(path)).href)
    manifests.set(path, Array.isArray(requirements) ? requirements : [])
  }
  const tests = new Map(files.filter(isTestFile).map((path) => [path, readText(path) ?? '']))
  const count = [...manifests.values()].reduce((total, { length }) => total + length, 0)
  return { problems: compareRequirements(manifests, tests), note: `${count} requirements` }
}

/** What is wrong between manifests (path to entries) and tests (path to text), as sentences. */
export function compareRequirements(manifests, tests) {
  const known = new Map()
  const problems = []
  for (const [path, requirements] of manifests) {
    if (requirements.length === 0) problems.push(`${path} exports no requirements.`)
    for (const { id, heading, sentence } of requirements) {
      if (known.has(id)) problems.push(`${path}: ${id} stands twice.`)
      if (![id, heading, sentence].every((text) => typeof text === 'string' && text.trim() !== '')) {
        problems.push(`${path}: ${id} needs an id, a heading and a sentence.`)
      }
      known.set(id, path)
    }
  }
  const cited = citations(tests, known)
  for (const [id, path] of known) if (!cited.has(id)) problems.push(`${path}: no test cites ${id}.`)
  for (const [id, path] of cited)
    if (!known.has(id)) problems.push(`${path} cites ${id}, which no requirements.ts has.`)
  return problems
}

/** Ids that tests name, with one file each. What looks like an id begins as a known one does and has a digit. */
function citations(tests, known) {
  const prefixes = [...new Set([...known.keys()].map((id) => id.split(/[-.]/)[0]))]
  const pattern = new RegExp(`\\b(?:${prefixes.join('|')})[-.][\\w.-]*\\w`, 'g')
  const cited = new Map()
  for (const [path, text] of tests) {
    for (const [id] of text.matchAll(pattern)) if (/\d/.test(id)) cited.set(id, path)
  }
  return cited
}
