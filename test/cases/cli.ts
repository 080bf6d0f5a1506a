import { findCases } from './find-cases.ts'
import { runCase, type StepResult } from './run-case.ts'

// npm run cases -- DIR: plays every messages.json under DIR and says what became of each step.

const directory = process.argv[2]
if (directory === undefined) {
  console.error('Usage: npm run cases -- DIR')
  process.exit(2)
}
const cases = findCases(directory)
if (cases.length === 0) {
  console.error(`There is no messages.json under ${directory}.`)
  process.exit(2)
}
const counts = { passed: 0, failed: 0, unchecked: 0, done: 0 }
// Side by side, since some wait for a person on purpose; printed in order.
const running = cases.map(({ name, file }) => runCase(file).then((results) => ({ name, results })))
for (const one of running) {
  const { name, results } = await one
  console.log(name)
  for (const result of results) {
    counts[result.outcome] += 1
    console.log(line(result))
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.unchecked} unchecked`)
process.exit(counts.failed > 0 ? 1 : 0)

function line({ step, what, outcome, detail }: StepResult): string {
  return `  ${outcome.padEnd(9)} ${String(step).padStart(3)} ${what}${detail === undefined ? '' : ` (${detail})`}`
}
