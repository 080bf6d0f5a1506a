import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { METHODS, type MethodRow } from './messages.ts'

it('the table of the README has a row for every method, with its scope and whether it is built', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| ([a-z._]+\.[a-z._]+) \| ([a-z:]*) ?\| (.+) \|$/gm)].map(
    ([, name, scope, state]) => [name, scope, state !== 'UNSUPPORTED'],
  )
  const wanted = (Object.entries(METHODS) as [string, MethodRow][]).map(([name, { scope, isBuilt }]) => [
    name,
    scope ?? '',
    isBuilt,
  ])
  expect(rows).toEqual(wanted)
})
