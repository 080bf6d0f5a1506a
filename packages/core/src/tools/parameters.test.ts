import { toStandardJsonSchema, toJsonSchema as valibotToJson } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { DomOSClient } from '../client.ts'
import type { ToolArgs } from './definition.ts'
import type { JsonSchemaType } from './json-schema-type.ts'
import { checkArguments, toJsonSchema } from './parameters.ts'

const schemas = {
  zod: z.object({ quantity: z.number().min(1), size: z.enum(['s', 'm']).default('m') }),
  arktype: type({ quantity: 'number >= 1', size: "'s' | 'm' = 'm'" }),
  valibot: toStandardJsonSchema(
    v.object({ quantity: v.pipe(v.number(), v.minValue(1)), size: v.optional(v.picklist(['s', 'm']), 'm') }),
  ),
}

describe('parameters', () => {
  it.each(Object.entries(schemas))(
    'of %s become JSON Schema, and their defaults reach the handler',
    async (_, schema) => {
      expect(toJsonSchema('t', schema)).toMatchObject({
        type: 'object',
        properties: { quantity: { type: 'number', minimum: 1 } },
        required: ['quantity'],
      })
      expect(toJsonSchema('t', schema)).not.toHaveProperty('$schema')
      await expect(checkArguments('t', schema, { quantity: 2 })).resolves.toEqual({
        ok: true,
        value: { quantity: 2, size: 'm' },
      })
      await expect(checkArguments('t', schema, { quantity: 0 })).resolves.toMatchObject({
        ok: false,
        message: expect.stringMatching(/^Invalid arguments for "t": .*quantity/),
      })
    },
  )

  it('of a schema that does not describe itself need a converter, and the refusal names it', () => {
    const plain = v.object({ quantity: v.number() })
    expect(() => toJsonSchema('t', plain)).toThrow(/toJsonSchema/)
    const client = new DomOSClient({ toJsonSchema: (schema) => valibotToJson(schema as typeof plain) })
    client.registerTool({ name: 't', description: 'T', parameters: plain, handler: ({ quantity }) => quantity })
    expect(client.registeredTools[0]?.parameters).toMatchObject({ properties: { quantity: { type: 'number' } } })
    client.destroy()
  })

  it.each([
    [{}, /quantity is missing/],
    [{ quantity: 'two' }, /quantity must be number/],
    [{ quantity: 1, size: 3 }, /size must be STRING/],
  ])('given as JSON Schema are checked lightly: %j', async (args, message) => {
    const schema = {
      type: 'object',
      properties: { quantity: { type: 'number' }, size: { type: 'STRING' } },
      required: ['quantity'],
    }
    await expect(checkArguments('t', schema, args)).resolves.toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    })
    await expect(checkArguments('t', schema, { quantity: 1, size: 's', other: 1 })).resolves.toMatchObject({ ok: true })
  })

  it('that throw while they validate refuse the call instead of breaking it', async () => {
    const schema = z.object({
      a: z.string().refine(() => {
        throw new Error('page bug')
      }),
    })
    await expect(checkArguments('t', schema, { a: 'x' })).resolves.toMatchObject({
      ok: false,
      message: expect.stringContaining('page bug'),
    })
  })
})

describe('argument types', () => {
  it('are those of the schema', () => {
    expectTypeOf<ToolArgs<typeof schemas.zod>>().toEqualTypeOf<{ quantity: number; size: 's' | 'm' }>()
    expectTypeOf<ToolArgs<typeof schemas.arktype>>().toEqualTypeOf<{ quantity: number; size: 's' | 'm' }>()
    expectTypeOf<ToolArgs<typeof schemas.valibot>>().toEqualTypeOf<{ quantity: number; size: 's' | 'm' }>()
  })

  it('are read from a literal JSON Schema', () => {
    expectTypeOf<
      JsonSchemaType<{
        readonly type: 'object'
        readonly properties: {
          readonly id: { readonly type: 'string' }
          readonly tags: { readonly type: 'array'; readonly items: { readonly enum: readonly ['a', 'b'] } }
          readonly note: { readonly type: 'boolean' }
        }
        readonly required: readonly ['id', 'tags']
      }>
    >().toEqualTypeOf<{ readonly id: string; readonly tags: readonly ('a' | 'b')[]; readonly note?: boolean }>()
  })

  it('reach the handler without being written', () => {
    const client = new DomOSClient()
    client.registerTool({
      name: 'a',
      description: 'A',
      parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      handler: (args) => expectTypeOf(args).toEqualTypeOf<{ readonly n: number }>(),
    })
    client.registerTool('b', {
      description: 'B',
      parameters: schemas.zod,
      handler: (args) => expectTypeOf(args.size).toEqualTypeOf<'s' | 'm'>(),
    })
    client.registerTool({
      name: 'c',
      description: 'C',
      parameters: schemas.zod,
      // @ts-expect-error a handler cannot ask for what the schema does not give
      handler: ({ other }: { other: string }) => other,
    })
    client.destroy()
  })
})
