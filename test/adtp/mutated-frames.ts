import { readFileSync } from 'node:fs'
import fc from 'fast-check'

const golden: readonly unknown[] = ['document', 'document-with-meta', 'spoken', 'rejected'].flatMap((name) => {
  const url = new URL(`../../protocols/adtp/src/fixtures/${name}.json`, import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as { frame: unknown }[]).map(({ frame }) => frame)
})

/** Values that have broken peers before. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 2.5, 1e308, true, [], {}, [[]], 'banana', '\u0000', '\ud800', '🦉'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

type Edit = {
  readonly pick: number
  readonly how: 'replace' | 'remove' | 'add' | 'copy'
  readonly value: unknown
  readonly key: string
}
const edit: fc.Arbitrary<Edit> = fc.record({
  pick: fc.nat(10_000),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'copy'),
  value: odd,
  key: fc.oneof(
    fc.constantFrom('id', 'type', 'payload', 'meta', 'callId', '__proto__', 'constructor'),
    fc.string({ maxLength: 12 }),
  ),
})

/** A known frame with up to four places changed. */
const changed = fc.tuple(fc.constantFrom(...golden), fc.array(edit, { maxLength: 4 })).map(([frame, edits]) => {
  let copy: unknown = structuredClone(frame)
  for (const one of edits) copy = apply(copy, one)
  return JSON.stringify(copy) ?? 'null'
})

/** The text of a known frame, cut, doubled or with something put in. */
const torn = fc
  .tuple(changed, fc.nat(400), fc.constantFrom('cut', 'double', 'insert'), fc.string({ unit: 'binary', maxLength: 8 }))
  .map(([text, at, how, extra]) => {
    const place = text.length === 0 ? 0 : at % text.length
    if (how === 'cut') return text.slice(0, place)
    if (how === 'double') return text + text
    return text.slice(0, place) + extra + text.slice(place)
  })

const bomb = fc
  .tuple(fc.integer({ min: 60, max: 5_000 }), fc.constantFrom('[', '{"a":'))
  .map(([depth, open]) => open.repeat(depth))

/** Random and mutated frames: changed known ones, torn text, any JSON, any text, bombs and binary. */
export const anyFrame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 10, arbitrary: changed },
  { weight: 4, arbitrary: torn },
  { weight: 2, arbitrary: fc.json({ maxDepth: 5 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: bomb },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
)

type Holder = Record<string, unknown> | unknown[]

function apply(root: unknown, { pick, how, value, key }: Edit): unknown {
  const places: [Holder, string][] = []
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return
    for (const name of Object.keys(holder)) {
      places.push([holder as Holder, name])
      walk((holder as Record<string, unknown>)[name])
    }
  }
  walk(root)
  const place = places[pick % Math.max(1, places.length)]
  if (place === undefined) return value
  const [holder, name] = place as [Record<string, unknown>, string]
  const define = (at: string, what: unknown) =>
    Object.defineProperty(holder, at, { value: what, enumerable: true, configurable: true, writable: true })
  if (how === 'remove') delete holder[name]
  else if (how === 'replace') define(name, value)
  else if (Array.isArray(holder)) holder.push(value)
  else define(key, how === 'copy' ? structuredClone(holder[name]) : value)
  return root
}
