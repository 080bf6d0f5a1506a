// The one gate. Every stage runs, whatever the others say; the last line counts what passed and failed.

import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { stages } from './stages.mjs'

const help = `npm test -- [options] [paths]

Runs the whole gate. Paths run only the tests in files whose path contains one of them.

  --only STAGE[,STAGE]  run these stages alone
  --skip STAGE[,STAGE]  run all but these
  --list                print the stages

npm test -- packages/wire
npm test -- --only format,types`

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(describe(error))
  process.exitCode = 2
}

async function main(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      skip: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return print(help)
  if (values.list) return print(stages.map(({ name, promise }) => `${name.padEnd(14)}${promise}`).join('\n'))
  const chosen = choose(names(values.only), names(values.skip), positionals)
  const rows = []
  for (const stage of chosen) rows.push(await runStage(stage, positionals))
  return report(rows)
}

function names(lists) {
  return (lists ?? []).flatMap((list) => list.split(',')).filter((name) => name !== '')
}

function choose(only, skip, filters) {
  const unknown = [...only, ...skip].find((name) => !stages.some((stage) => stage.name === name))
  if (unknown !== undefined) throw new Error(`There is no stage ${unknown}. npm test -- --list prints the stages.`)
  const wanted = only.length > 0 ? only : filters.length > 0 ? ['tests'] : stages.map(({ name }) => name)
  const needed = stages
    .filter((stage) => wanted.includes(stage.name))
    .flatMap((stage) => [...(stage.needs ?? []), stage.name])
  return stages.filter(({ name }) => needed.includes(name) && !skip.includes(name))
}

async function runStage(stage, filters) {
  process.stdout.write(`\n── ${stage.name}: ${stage.promise}\n`)
  const started = performance.now()
  const result = await stage.run({ filters }).catch((error) => ({ problems: [describe(error)] }))
  const seconds = (performance.now() - started) / 1000
  const problems = result.problems ?? []
  for (const problem of problems) console.log(problem)
  const counts = result.counts ?? {
    passed: problems.length === 0 ? 1 : 0,
    failed: problems.length === 0 ? 0 : 1,
    skipped: 0,
  }
  return { name: stage.name, seconds, counts, note: result.note ?? '' }
}

function report(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row.counts[key], 0)
  console.log('\n  stage         time     passed  failed')
  for (const { name, seconds, counts, note } of rows) {
    const mark = counts.failed > 0 ? '✗' : '✓'
    const columns = [
      name.padEnd(12),
      `${seconds.toFixed(1)} s`.padStart(8),
      String(counts.passed).padStart(9),
      String(counts.failed).padStart(7),
    ]
    console.log(`${mark} ${columns.join('')}   ${note}`.trimEnd())
  }
  const failed = sum('failed')
  const skipped = sum('skipped')
  console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed > 0 || sum('passed') === 0 ? 1 : 0
}

/** A plain error is a sentence for the developer; any other kind is a fault of ours and keeps its stack. */
function describe(error) {
  const isSentence = error.constructor === Error || error.code?.startsWith?.('ERR_PARSE_ARGS')
  return isSentence ? error.message : error.stack
}

function print(text) {
  console.log(text)
  return 0
}
