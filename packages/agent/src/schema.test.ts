import type { JsonObject } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { resolveAgentLimits } from './limits.ts'
import { createArgumentValidator } from './schema-compile.ts'
import { normalizeSchema } from './schema-normalize.ts'
import { instantTool } from './test/harness.ts'
import { createToolRegistry } from './tool-registry.ts'

const limits = resolveAgentLimits()
const normal = (schema: unknown): JsonObject => {
  const result = normalizeSchema(schema, limits)
  if (!result.ok) throw new Error(result.reason)
  return result.schema
}
const reason = (schema: unknown): string => {
  const result = normalizeSchema(schema, limits)
  return result.ok ? 'accepted' : result.reason
}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

describe('a parameter schema', () => {
  it('may be missing, then any object goes', () => {
    expect(normal(undefined)).toEqual({ type: 'object' })
    expect(normal({})).toEqual({ type: 'object' })
  })

  it('is understood in the spellings that are about', () => {
    expect(
      normal({
        type: 'OBJECT',
        properties: {
          a: { type: 'INTEGER', required: true },
          b: { type: 'bool', nullable: true },
          c: { type: 'number', minimum: 1, exclusiveMinimum: true },
          d: { type: 'array', items: [{ type: 'STRING' }] },
          e: { type: 'any' },
        },
        $schema: 'http://json-schema.org/draft-07/schema#',
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: { type: ['boolean', 'null'] },
        c: { type: 'number', minimum: 1, exclusiveMinimum: 1 },
        d: { type: 'array', prefixItems: [{ type: 'string' }] },
        e: {},
      },
      required: ['a'],
    })
  })

  const deep = (levels: number): JsonObject => (levels === 0 ? { type: 'string' } : object({ a: deep(levels - 1) }))
  const chain: Record<string, JsonObject> = { d20: { type: 'string' } }
  for (let level = 0; level < 20; level += 1)
    chain[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] }
  const hostile: readonly [string, unknown, RegExp][] = [
    ['of 17 KB', object({ a: { description: 'x'.repeat(17_000) } }), /bytes/],
    [
      'with 3,000 properties',
      object(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, {}]))),
      /properties/,
    ],
    ['nested 5,000 deep', deep(9), /deeper/],
    ['with a remote reference', object({ a: { $ref: 'https://evil.example/x' } }), /inside the schema/],
    ['that refers to itself', object({ a: { $ref: '#' } }), /itself/],
    ['whose references double', object({ a: { $ref: '#/$defs/d0' } }, { $defs: chain }), /multiply/],
    ['with a reference to nowhere', object({ a: { $ref: '#/$defs/x' } }), /nowhere/],
    ['with $dynamicRef', object({ a: { $dynamicRef: '#x' } }), /not accepted/],
    ['with patternProperties', { type: 'object', patternProperties: { '(a+)+$': {} } }, /not accepted/],
    ['with an id', { $id: 'https://a.example', type: 'object' }, /not accepted/],
    ['of an unknown type', object({ a: { type: 'flower' } }), /not known/],
    ['that is a list', { type: 'array' }, /type object/],
    ['that is no object', 'string', /not an object/],
    ['with properties that are a list', { type: 'object', properties: [] }, /object of schemas/],
    ['with a required that is a number', { type: 'object', required: 5 }, /list of names/],
    ['with a bound that is a text', object({ a: { minLength: 'x' } }), /count/],
  ]
  for (const [what, schema, expected] of hostile) {
    it(`${what} is refused with a reason`, () => expect(reason(schema)).toMatch(expected))
  }

  it('that cannot be used takes no other tool with it', () => {
    const registry = createToolRegistry(limits)
    const surface = registry.replace('page', [
      instantTool({ name: 'bad', parameters: { type: 'object', patternProperties: {} } }),
      instantTool({ name: 'good' }),
    ])
    expect(surface.effective.map((tool) => tool.name)).toEqual(['good'])
    expect(surface.ignored).toEqual([
      { owner: 'page', name: 'bad', reason: expect.stringContaining('patternProperties') },
    ])
  })
})

describe('arguments', () => {
  const validator = createArgumentValidator(2)
  const validate = (schema: JsonObject, args: JsonObject) => validator.validate(normal(schema), args)

  it('are mended where the type is plain, and nowhere else', () => {
    const schema = object({
      n: { type: 'number' },
      i: { type: 'integer' },
      b: { type: 'boolean' },
      s: { type: 'string' },
      l: { type: 'array', items: { type: 'number' } },
      o: object({ x: { type: 'number' } }),
      e: { type: 'string' },
    })
    expect(validate(schema, { n: '2', i: ' 3 ', b: 'true', s: 5, l: '["1","2"]', o: '{"x":"4"}', e: null })).toEqual({
      ok: true,
      args: { n: 2, i: 3, b: true, s: '5', l: [1, 2], o: { x: 4 } },
    })
    for (const args of [
      { n: 'two' },
      { n: '' },
      { n: true },
      { i: '2.5' },
      { b: 1 },
      { b: 'yes' },
      { o: '{' },
      { n: '0x10' },
    ] as const) {
      expect(validate(schema, args).ok).toBe(false)
    }
  })

  it('get their defaults', () => {
    expect(validate(object({ size: { type: 'string', default: 'M' } }), {})).toEqual({ ok: true, args: { size: 'M' } })
  })

  it('that are wrong are named with what is allowed', () => {
    const schema = object(
      { size: { enum: ['S', 'M'] }, n: { type: 'number' } },
      { required: ['n'], additionalProperties: false },
    )
    expect(validate(schema, { n: 1, size: 'XL' })).toEqual({ ok: false, message: expect.stringContaining('["S","M"]') })
    expect(validate(schema, {})).toEqual({ ok: false, message: expect.stringContaining("'n'") })
    expect(validate(schema, { n: 1, colour: 'red' })).toEqual({ ok: false, message: expect.stringContaining('colour') })
  })

  it('meet hostile expressions in linear time, and ones RE2 cannot express are left to the page', () => {
    const hostile = object({ a: { type: 'string', pattern: '^(a+)+$' } })
    expect(validate(hostile, { a: `${'a'.repeat(60_000)}!` }).ok).toBe(false)
    expect(validate(hostile, { a: 'aaa' }).ok).toBe(true)
    expect(validate(object({ a: { type: 'string', pattern: '(?=x)y' } }), { a: 'anything' }).ok).toBe(true)
    expect(validate(object({ a: { type: 'string', pattern: '[' } }), { a: 'anything' }).ok).toBe(true)
  })

  it('are each held to their own expression, over schemas and within one', () => {
    const schema = object({ a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^b$' } })
    expect(validate(schema, { a: 'a', b: 'b' }).ok).toBe(true)
    expect(validate(schema, { a: 'b', b: 'b' }).ok).toBe(false)
    expect(validate(schema, { a: 'a', b: 'a' }).ok).toBe(false)
    expect(validate(object({ a: { type: 'string', pattern: '^[\\u00e4\\\\]$' } }), { a: 'ä' }).ok).toBe(true)
    expect(validate(object({ a: { type: 'string', pattern: '^[\\u00e4\\\\]$' } }), { a: 'u' }).ok).toBe(false)
  })

  it('of many items that must differ are bounded', () => {
    const schema = object({ a: { type: 'array', uniqueItems: true } })
    expect(validate(schema, { a: Array.from({ length: 20_000 }, () => ({})) }).ok).toBe(false)
  })
})

describe('the tool registry', () => {
  it('lets the server win a name, then the page that came first, and reports the others', () => {
    const registry = createToolRegistry(limits)
    registry.replace('one', [instantTool({ name: 'a', description: 'one' }), instantTool({ name: 'b' })])
    registry.replace('two', [instantTool({ name: 'b', description: 'two' })])
    const surface = registry.replace('server', [instantTool({ name: 'a', description: 'server' })])
    expect(surface.effective.map((tool) => tool.name)).toEqual(['a', 'b'])
    expect(registry.get('a')?.description).toBe('server')
    expect(surface.ignored.map(({ owner, name }) => `${owner}/${name}`)).toEqual(['one/a', 'two/b'])
    registry.replace('one', [])
    expect(registry.get('b')?.description).toBe('two')
  })

  it('takes as many tools as the limit allows and reports the surplus', () => {
    const registry = createToolRegistry(limits)
    const tools = Array.from({ length: 130 }, (_, number) => instantTool({ name: `t${number}` }))
    const surface = registry.replace('page', [...tools, instantTool({ name: '' }), instantTool({ name: 't0' })])
    expect(surface.effective).toHaveLength(128)
    expect(surface.ignored).toHaveLength(4)
  })

  it('tells of a change only when something changed', () => {
    const registry = createToolRegistry(limits)
    let changes = 0
    registry.onChange(() => {
      changes += 1
    })
    registry.replace('page', [instantTool({ name: 'a' })])
    registry.replace('page', [instantTool({ name: 'a' })])
    registry.replace('page', [instantTool({ name: 'a', risk: 'high' })])
    expect(changes).toBe(2)
  })
})
