import { expect, it } from 'vitest'
import { normalizeToolSchema, toSpokenSchema } from './tool-schema.ts'

it('lower-cases type names wherever a schema stands, and touches nothing else', () => {
  const schema = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', const: 'STRING' },
      list: { type: 'ARRAY', items: { type: ['Integer', 'NULL'] } },
      either: { anyOf: [{ type: 'Number' }, { $ref: '#/$defs/place' }] },
    },
    additionalProperties: { type: 'BOOLEAN' },
    $defs: { place: { type: 'Object', default: { type: 'STRING' } } },
  }
  expect(normalizeToolSchema(schema)).toEqual({
    type: 'object',
    properties: {
      type: { type: 'string', const: 'STRING' },
      list: { type: 'array', items: { type: ['integer', 'null'] } },
      either: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/place' }] },
    },
    additionalProperties: { type: 'boolean' },
    $defs: { place: { type: 'object', default: { type: 'STRING' } } },
  })
})

it('gives a schema that is in order back as the same object', () => {
  const schema = { type: 'object', properties: { a: { type: 'number', minimum: 1 } }, required: ['a'] }
  expect(normalizeToolSchema(schema)).toBe(schema)
})

it('reduces a schema to what the spoken dialect accepts and tells the bounds in words', () => {
  const reduced = toSpokenSchema({
    type: 'object',
    properties: {
      quantity: { type: 'integer', minimum: 1, description: 'How many' },
      size: { enum: ['s', 'm'], type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string', maxLength: 9 } },
    },
    required: ['quantity'],
    additionalProperties: false,
  })
  expect(reduced).toEqual({
    type: 'OBJECT',
    properties: {
      quantity: { type: 'NUMBER', description: 'How many (whole number, minimum: 1)' },
      size: { type: 'STRING', enum: ['s', 'm'] },
      tags: { type: 'ARRAY', items: { type: 'STRING', description: '(maxLength: 9)' } },
    },
    required: ['quantity'],
  })
})
