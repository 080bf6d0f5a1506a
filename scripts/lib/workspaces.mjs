// The workspace folders and how they depend on each other. Runs on Node 20 without packages.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inProject } from './project.mjs'

/** Every workspace with a package.json: `{ folder, manifest }`, folders relative to the root, sorted. */
export function listWorkspaces() {
  const patterns = readJson('package.json').workspaces
  return patterns
    .map((pattern) => pattern.replace(/\/\*$/, ''))
    .filter((parent) => existsSync(inProject(parent)))
    .flatMap((parent) => readdirSync(inProject(parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(inProject(folder, 'package.json')))
    .sort()
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
}

/** A workspace and all workspaces it needs to run or to be built, by folder. */
export function withDependencies(workspace, all = listWorkspaces()) {
  const byName = new Map(all.map((each) => [each.manifest.name, each]))
  const found = new Map()
  const visit = (each) => {
    if (found.has(each.folder)) return
    found.set(each.folder, each)
    const names = Object.keys({ ...each.manifest.dependencies, ...each.manifest.devDependencies })
    for (const name of names) if (byName.has(name)) visit(byName.get(name))
  }
  visit(workspace)
  return [...found.values()]
}

const readJson = (path) => JSON.parse(readFileSync(inProject(path), 'utf8'))
