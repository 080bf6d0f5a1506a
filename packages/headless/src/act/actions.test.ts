import { describe, expect, it } from 'vitest'
import { normalizeAction } from './actions.ts'

describe('names of actions (PAGES-ACT-2)', () => {
  it.each([
    ['click', 'primitive.click'],
    ['primitive.click', 'primitive.click'],
    ['Fill', 'primitive.type'],
    ['fillForm', 'semantic.fill_form'],
    ['submit_form', 'semantic.submit_form'],
    ['search', 'semantic.search'],
    ['intent.search', 'intent.search'],
    ['sign in', 'intent.login'],
    ['go_back', 'primitive.back'],
  ])('%s is %s', (given, expected) => {
    expect(normalizeAction(given).full).toBe(expected)
  })

  it.each(['levitate', 'semantic.click', 'skill.stripe_pay', 'constructor', ''])(
    '%j is unsupported, and the known ones are named',
    (name) => {
      expect(() => normalizeAction(name)).toThrow(
        expect.objectContaining({
          code: 'unsupported',
          details: { field: 'intent.action', known: expect.arrayContaining(['primitive.click']) },
        }),
      )
    },
  )
})
