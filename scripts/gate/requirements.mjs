import { pathToFileURL } from 'node:url'
import { inProject } from '../lib/project.mjs'
import { isTestFile, projectFiles, readText } from './tool.mjs'

/**
 * The documents as data: each `src/requirements.ts` exports `requirements`, an array of `{ id, heading, sentence }`.
 * Each id stands in at least one test, and each id that a test names exists.
 */
export async function checkRequirements() {
  const files = projectFiles()
  const manifests = files.filter((path) => /^[a-z]+\/[^/]+\/src\/requirements\.ts$/.test(path))
  if (manifests.length === 0) return { problems: ['No src/requirements.ts was found.'] }
  const known = new Map()
  const problems = []
  for (const path of manifests) {
    const { requirements } = await import(pathToFileURL(inProject(path)).href)
    if (!Array.isArray(requirements) || requirements.length === 0) problems.push(`${path} exports no requirements.`)
    for (const { id, heading, sentence } of requirements ?? []) {
      if (known.has(id)) problems.push(`${path}: ${id} stands twice.`)
      if (![id, heading, sentence].every((text) => typeof text === 'string' && text.trim() !== '')) {
        problems.push(`${path}: ${id} needs an id, a heading and a sentence.`)
      }
      known.set(id, path)
    }
  }
  const cited = citations(files, known)
  for (const [id, path] of known) if (!cited.has(id)) problems.push(`${path}: no test cites ${id}.`)
  for (const [id, path] of cited)
    if (!known.has(id)) problems.push(`${path} cites ${id}, which no requirements.ts has.`)
  return { problems, note: `${known.size} requirements` }
}

/** Ids that tests name, with one file each. What looks like an id begins as a known one does and has a digit. */
function citations(files, known) {
  const prefixes = [...new Set([...known.keys()].map((id) => id.split(/[-.]/)[0]))]
  const pattern = new RegExp(`\\b(?:${prefixes.join('|')})[-.][\\w.-]*\\w`, 'g')
  const cited = new Map()
  for (const path of files.filter(isTestFile)) {
    for (const [id] of (readText(path) ?? '').matchAll(pattern)) if (/\d/.test(id)) cited.set(id, path)
  }
  return cited
}
