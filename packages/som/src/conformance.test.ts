import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SomElement, SomRegion } from './index.ts'
import { compileHtml } from './test/compile.ts'
import { type Waiver, waivers } from './test/conformance-waivers.ts'
import { conformanceDirectory, hasConformance, schemaProblems } from './test/schema.ts'

interface Expected {
  readonly url: string
  readonly title?: string
  readonly lang?: string
  readonly regions: readonly (Partial<SomRegion> & { id: string; role: string; elements: Partial<SomElement>[] })[]
  readonly meta?: { readonly interactive_count?: number }
  readonly structured_data?: unknown
}

const pairs = hasConformance
  ? readdirSync(conformanceDirectory)
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => name.slice(0, -'.expected.json'.length))
  : []

describe.skipIf(!hasConformance)('SOM conformance suite (../shared/conformance/som)', () => {
  it('has pairs to run', () => {
    expect(pairs.length).toBeGreaterThan(0)
  })

  for (const pair of pairs) {
    it(`${pair}: gives what the pair expects, save for waivers that are still needed`, () => {
      const read = (ending: string): string => readFileSync(new URL(`${pair}${ending}`, conformanceDirectory), 'utf8')
      const html = read('.html')
      const expected = JSON.parse(read('.expected.json')) as Expected
      const { som } = compileHtml(html, { url: expected.url }).view()
      const again = compileHtml(html, { url: expected.url }).view().som

      expect(JSON.stringify(again)).toBe(JSON.stringify(som))
      expect(schemaProblems(som)).toEqual([])
      const used = new Set<Waiver>()
      const problems = compare(pair, expected, som, used)
      expect(problems).toEqual([])
      const unneeded = waivers.filter((waiver) => pair.startsWith(waiver.pair) && !used.has(waiver))
      expect(unneeded).toEqual([])
    })
  }
})

function compare(pair: string, expected: Expected, som: ReturnType<typeof compiled>, used: Set<Waiver>): string[] {
  const problems: string[] = []
  const allow = (path: string, want: unknown, have: unknown): boolean => {
    const waiver = waivers.find((each) => pair.startsWith(each.pair) && each.path === path)
    if (waiver === undefined) return false
    if (
      JSON.stringify(waiver.expected) !== JSON.stringify(want) ||
      JSON.stringify(waiver.right) !== JSON.stringify(have)
    )
      return false
    used.add(waiver)
    return true
  }
  const check = (path: string, want: unknown, have: unknown): void => {
    if (want !== undefined && !covers(want, have) && !allow(path, want, have)) {
      problems.push(`${path}: expected ${JSON.stringify(want)}, got ${JSON.stringify(have)}`)
    }
  }
  check('/title', expected.title, som.title)
  check('/lang', expected.lang, som.lang)
  check('/meta/interactive_count', expected.meta?.interactive_count, som.meta.interactive_count)
  check('/structured_data', expected.structured_data, som.structured_data)
  for (const region of expected.regions) {
    const path = `/regions/${region.id}`
    let found = som.regions.find((each) => each.id === region.id && each.role === region.role)
    if (found === undefined && region.elements.length === 0 && allow(path, 'an empty region', 'no region')) continue
    if (found === undefined) {
      found = som.regions.find((each) => allow(path, region.id, each.id))
      if (found === undefined) {
        problems.push(`${path} is missing`)
        continue
      }
    }
    for (const key of ['label', 'action', 'method'] as const) check(`${path}/${key}`, region[key], found[key])
    let at = 0
    for (const [index, element] of region.elements.entries()) {
      const fits = (candidate: SomElement): boolean =>
        Object.entries(element).every(([key, want]) => {
          const have = candidate[key as keyof SomElement]
          return (
            covers(want, have) ||
            (candidate.role === element.role && allow(`${path}/elements/${index}/${key}`, want, have))
          )
        })
      const next = found.elements.findIndex((candidate, place) => place >= at && fits(candidate))
      if (next < 0) problems.push(`${path}/elements/${index} ${JSON.stringify(element)} is missing`)
      else at = next + 1
    }
  }
  return problems
}

/** Objects: every expected key; arrays of objects that are elements: exact length and order. */
function covers(want: unknown, have: unknown): boolean {
  if (Array.isArray(want)) {
    return Array.isArray(have) && want.length === have.length && want.every((item, index) => covers(item, have[index]))
  }
  if (typeof want === 'object' && want !== null) {
    return (
      typeof have === 'object' &&
      have !== null &&
      Object.entries(want).every(([key, value]) => covers(value, (have as Record<string, unknown>)[key]))
    )
  }
  return want === have
}

const compiled = () => compileHtml('').view().som
