import { describe, expect, it } from 'vitest'
import { readSchema } from './schema.ts'

const bounds = { maxSchemaBytes: 16_384, maxSchemaDepth: 8, maxSchemaProperties: 100 }

describe('a schema from outside', () => {
  it('is read with its types, formats and required fields', () => {
    expect(
      readSchema(
        {
          type: 'object',
          properties: { a: { type: ['number', 'null'] }, b: { type: 'string', format: 'date' } },
          required: ['a'],
        },
        bounds,
      ),
    ).toMatchObject({ required: ['a'], properties: { a: { type: 'number', isNullable: true }, b: { format: 'date' } } })
  })

  const deep = (levels: number): object => (levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } })
  it.each([
    ['deeper than allowed', deep(9), 'invalid_request'],
    [
      'wider than allowed',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, {}])) },
      'invalid_request',
    ],
    ['larger than allowed', { type: 'object', description: 'x'.repeat(17_000) }, 'too_large'],
    ['with references', { type: 'object', properties: { a: { $ref: 'http://else.example/x' } } }, 'unsupported'],
    ['with pattern keys', { type: 'object', patternProperties: { '(a+)+$': {} } }, 'unsupported'],
    ['of a type that is none', { type: 'thing' }, 'invalid_request'],
    ['of a list', { type: 'array' }, 'invalid_request'],
  ])('is refused when it is %s', (_what, schema, code) => {
    expect(() => readSchema(schema as never, bounds)).toThrow(expect.objectContaining({ code }))
  })
})
