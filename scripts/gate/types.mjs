import { existsSync } from 'node:fs'
import { inProject } from '../lib/project.mjs'
import { listWorkspaces } from '../lib/workspaces.mjs'
import { problemsOf, readText, runTool } from './tool.mjs'

/**
 * Tests stand beside sources, and a project that rewrites import endings cannot hold them, so they have a project of
 * their own that emits nothing. Pages of examples and apps, which their bundler compiles, are checked here as well.
 */
export async function checkTypes() {
  const built = JSON.parse(readText('tsconfig.json')).references.map(({ path }) => path)
  const folders = listWorkspaces().map(({ folder }) => folder)
  const withTypes = folders.filter((folder) => existsSync(inProject(folder, 'tsconfig.json')))
  const isPage = (folder) => /^(examples|apps)\//.test(folder)
  const problems = withTypes
    .filter((folder) => !isPage(folder) && !built.includes(folder))
    .map((folder) => `tsconfig.json does not build ${folder}: add it to "references".`)
  const projects = ['tsconfig.test.json', ...withTypes.filter((folder) => isPage(folder) && !built.includes(folder))]
  for (const project of projects) {
    const result = await runTool('@typescript/native/bin/tsc', ['-p', project, '--noEmit', '--pretty', 'false'])
    problems.push(...problemsOf(result, `tsc -p ${project}`))
  }
  return { problems, note: `${projects.length} projects` }
}
