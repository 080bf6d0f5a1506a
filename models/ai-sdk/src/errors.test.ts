import { expect, it } from 'vitest'
import { readRetryAfter } from './errors.ts'

const NOW = Date.parse('2027-03-03T10:00:00Z')

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Wed, 03 Mar 2027 10:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Wed, 03 Mar 2027 09:00:00 GMT' }, 0],
  [{ 'retry-after': '99999999' }, 86_400_000],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': ' ' }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('reads %j as a pause of %s ms', (headers, expected) => {
  expect(readRetryAfter(headers as Record<string, string> | undefined, NOW)).toBe(expected)
})
