import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { npmCommand } from '../lib/install.mjs'
import { inProject } from '../lib/project.mjs'
import { run } from '../lib/run.mjs'
import { listWorkspaces } from '../lib/workspaces.mjs'
import { projectFiles, readText } from './tool.mjs'

/** Each public package as npm would publish it: publint's rules and the fields all of ours carry. */
export async function checkPackages() {
  const all = listWorkspaces()
  const versions = new Map(all.map(({ manifest }) => [manifest.name, manifest.version]))
  const publics = all.filter(({ manifest }) => manifest.private !== true)
  if (publics.length === 0) return { problems: ['No public package was found.'] }
  const packed = await packedFiles(publics)
  const problems = []
  for (const { folder, manifest } of publics) {
    problems.push(...fieldProblems(folder, manifest, versions))
    const files = packed.get(manifest.name)
    const { messages, pkg } = await publint({ pkgDir: 'package', pack: { files }, strict: true })
    problems.push(...messages.map((message) => `${folder}: ${formatMessage(message, pkg, { color: false })}`))
    problems.push(
      ...files
        .filter(({ name }) => /\.test\.|\.tsbuildinfo$/.test(name))
        .map(({ name }) => `${folder} would publish ${name}`),
    )
  }
  problems.push(...changesetProblems(versions))
  return { problems, note: `${publics.length} packages` }
}

function fieldProblems(folder, manifest, versions) {
  const problems = ['name', 'version', 'description', 'license', 'type', 'engines', 'files', 'exports']
    .filter((field) => manifest[field] === undefined)
    .map((field) => `${folder}/package.json has no "${field}"`)
  for (const [path, target] of Object.entries(manifest.exports ?? {})) {
    if (target.types !== undefined && target['@domos/source'] === undefined) {
      problems.push(`${folder} exports ${path} without the condition "@domos/source"`)
    }
  }
  for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
    if (versions.has(name) && wanted !== versions.get(name)) {
      problems.push(`${folder} needs ${name} ${wanted}, and the workspace has ${versions.get(name)}`)
    }
    if (/^[\^~*>]/.test(wanted)) problems.push(`${folder} needs ${name} ${wanted}: name the exact version`)
  }
  return problems
}

/** Changesets that the release tool could not read, or that name no package of ours. */
function changesetProblems(versions) {
  const paths = projectFiles().filter((path) => /^\.changeset\/.*\.md$/.test(path))
  return paths.flatMap((path) => {
    const [, head] = /^---\n([\s\S]*?)\n---\n\s*\S/.exec(readText(path) ?? '') ?? []
    if (head === undefined) return [`${path} does not begin with "---", its packages, "---" and a sentence.`]
    return head
      .split('\n')
      .map((line) => /^['"]?([^'"]+)['"]?: (?:major|minor|patch)$/.exec(line)?.[1])
      .filter((name) => name === undefined || !versions.has(name))
      .map(() => `${path} has a line that is not 'PACKAGE': major, minor or patch.`)
  })
}

/** What `npm pack` would put in each package, as `{ name, data }`, by package name; one npm process for all. */
async function packedFiles(publics) {
  const { command, args } = npmCommand()
  const names = publics.flatMap(({ manifest }) => ['--workspace', manifest.name])
  const packArgs = [...args, 'pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error', ...names]
  const { code, output } = await run(command, packArgs, { quiet: true })
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`)
  const folders = new Map(publics.map(({ folder, manifest }) => [manifest.name, folder]))
  const packs = JSON.parse(output.slice(output.indexOf('[')))
  return new Map(packs.map(({ name, files }) => [name, files.map(({ path }) => packFile(folders.get(name), path))]))
}

const packFile = (folder, path) => ({ name: `package/${path}`, data: readFileSync(inProject(folder, path)) })
