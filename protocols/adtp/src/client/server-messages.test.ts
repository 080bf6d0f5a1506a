import type { JsonObject, JsonValue } from '@domos/spec'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { messagesToClient } from '../messages-to-client.ts'
import { checkServerPayload } from './server-messages.ts'

const types = Object.keys(messagesToClient) as (keyof typeof messagesToClient)[]
const fieldNames = (type: keyof typeof messagesToClient) => Object.keys(messagesToClient[type].schema.entries)

/** Values near the edges of what fields may hold. */
const value = fc.oneof(
  fc.constantFrom<JsonValue>(
    '',
    'x',
    'high',
    'medium',
    'turn_complete',
    0,
    1,
    -1,
    2.5,
    true,
    false,
    null,
    [],
    ['a'],
    [1],
  ),
  fc.constantFrom<JsonValue>({}, { a: 1 }),
)

describe('the small check of messages to the client', () => {
  it('knows the same types', () => {
    for (const type of types) expect(checkServerPayload(type, null)).toMatchObject({ ok: false })
    expect(checkServerPayload('USER_INPUT', {})).toBeUndefined()
    expect(checkServerPayload('constructor', {})).toBeUndefined()
  })

  it.each(types)('agrees with the schema of %s on every payload', (type) => {
    const payload = fc.oneof(
      value,
      fc.dictionary(fc.constantFrom(...fieldNames(type), 'other'), value, { maxKeys: 9 }),
      fc.record(Object.fromEntries(fieldNames(type).map((name) => [name, value])), { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(payload, (given) => {
        const small = checkServerPayload(type, given as JsonValue)
        const whole = v.safeParse(messagesToClient[type].schema, given)
        expect(small?.ok).toBe(whole.success)
        if (small?.ok && whole.success) expect(small.payload).toMatchObject(whole.output as JsonObject)
      }),
      { numRuns: 2000 },
    )
  })
})
