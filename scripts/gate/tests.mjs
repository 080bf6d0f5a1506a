import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { inProject, root } from '../lib/project.mjs'
import { run } from '../lib/run.mjs'
import { needSystemPackage, systemPackages } from '../lib/system-packages.mjs'
import { isTestFile, projectFiles, readText } from './tool.mjs'

/**
 * All tests, or those whose path contains one of the filters. vitest's exit code decides; its report gives the counts,
 * and a file that cannot load counts as one failure.
 */
export async function runTests({ filters }) {
  const report = inProject('.stamp/tests.json')
  mkdirSync(inProject('.stamp'), { recursive: true })
  rmSync(report, { force: true })
  const env = { ...process.env, NO_COLOR: '1' }
  for (const name of neededSystemPackages(filters)) {
    const path = await needSystemPackage(name)
    const { setting } = systemPackages[name]
    if (setting !== undefined) env[setting] = path
  }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await run(
    process.execPath,
    [inProject('node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...filters],
    { env },
  )
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const problems = []
  for (const file of readReport(report)) {
    for (const { status } of file.assertionResults) counts[keyOf(status)] += 1
    const hasFailure = file.assertionResults.some(({ status }) => status === 'failed')
    if (file.status === 'failed' && !hasFailure) {
      counts.failed += 1
      problems.push(`${relative(root, file.name)} failed as a whole: ${file.message}`)
    }
  }
  if (code !== 0 && counts.failed === 0) {
    counts.failed += 1
    problems.push(`vitest ended with exit code ${code} though no test failed; its message is above.`)
  }
  if (code === 0 && counts.passed === 0) {
    counts.failed += 1
    problems.push('No test ran.')
  }
  return { problems, counts, note: `vitest exit code ${code}` }
}

const keyOf = (status) => (status === 'passed' || status === 'failed' ? status : 'skipped')

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    return []
  }
}

function neededSystemPackages(filters) {
  const chosen = projectFiles()
    .filter(isTestFile)
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .filter((path) => !path.startsWith('scripts/'))
  const texts = chosen.map((path) => `${path}\n${readText(path) ?? ''}`)
  return Object.keys(systemPackages).filter((name) => texts.some((text) => systemPackages[name].usedBy.test(text)))
}
