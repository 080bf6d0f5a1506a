import { existsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { inProject, root } from '../lib/project.mjs'
import { listWorkspaces } from '../lib/workspaces.mjs'
import { projectFiles, readText, runTool } from './tool.mjs'

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
  const pages = withTypes.filter((folder) => isPage(folder) && !built.includes(folder))
  const checked = new Set()
  for (const project of ['tsconfig.test.json', ...pages]) {
    const { code, output } = await runTool('@typescript/native/bin/tsc', [
      ...['-p', project, '--noEmit', '--pretty', 'false', '--listFiles'],
    ])
    const lines = output.split('\n')
    for (const line of lines.filter(isListedFile)) checked.add(relative(root, line))
    if (code !== 0)
      problems.push(
        lines
          .filter((line) => !isListedFile(line))
          .join('\n')
          .trim() || `tsc -p ${project} failed`,
      )
  }
  const tests = projectFiles().filter((path) => /\.test\.tsx?$/.test(path))
  problems.push(
    ...tests.filter((path) => !checked.has(path)).map((path) => `${path} is in no project: see tsconfig.test.json.`),
  )
  return { problems, note: `${tests.length} test files, ${pages.length} pages` }
}

const isListedFile = (line) => isAbsolute(line) && !line.includes(': error ')
