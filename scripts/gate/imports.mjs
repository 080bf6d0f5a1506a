import { existsSync } from 'node:fs'
import { inProject } from '../lib/project.mjs'
import { runTool } from './tool.mjs'

const folders = [
  'packages',
  'protocols',
  'adapters',
  'models',
  'speech',
  'engines',
  'stores',
  'apps',
  'examples',
  'test',
  'bench',
]

/** The import table as rules. Without TypeScript 6 the tool reads nothing and passes, so zero modules fail. */
export async function checkImports() {
  const present = folders.filter((folder) => existsSync(inProject(folder)))
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...present]
  const { output } = await runTool('dependency-cruiser/bin/dependency-cruiser.mjs', args)
  const start = output.search(/^\{/m)
  if (start < 0) return { problems: [output] }
  const { modules, summary } = JSON.parse(output.slice(start))
  const own = modules.filter(({ source }) => present.some((folder) => source.startsWith(`${folder}/`)))
  const links = own.reduce((total, { dependencies }) => total + dependencies.length, 0)
  if (own.length === 0 || links === 0)
    return { problems: [`Only ${own.length} modules and ${links} imports were read: is TypeScript 6 installed?`] }
  const problems = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle === undefined ? to : cycle.map(({ name }) => name).join(' → ')
    return `${rule.name}: ${from} → ${path}`
  })
  return { problems, note: `${own.length} modules, ${links} imports` }
}
