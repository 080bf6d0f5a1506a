import { describe, expect, it } from 'vitest'
import { findAll, re2Pattern, resolveTarget, TargetError } from './index.ts'
import { compileHtml } from './test/compile.ts'

describe('targets', () => {
  const html =
    '<h1>Save</h1><form aria-label=Checkout><label>Mail <input type=email></label><button>Save</button><button>save draft</button></form><div role=tab>One</div><a href=/s>Save as</a>'

  it('are matched by role, text, label, css, pattern and level, exact before part', () => {
    const snapshot = compileHtml(html)
    const find = (query: object, action?: 'click') => {
      const found = resolveTarget(snapshot, { query }, { pattern: re2Pattern, ...(action ? { action } : {}) })
      return `${found.element?.role ?? found.region.role} ${found.element?.text || found.element?.label || found.region.label} ${found.confidence}`
    }
    expect(find({ text: 'Save' }, 'click')).toBe('button Save 1')
    expect(find({ role: 'heading', level: 1 })).toBe('heading Save 1')
    expect(find({ role: 'input', label: 'mail' })).toBe('text_input Mail 0.95')
    expect(find({ role: 'form', text: 'Checkout' })).toBe('form Checkout 1')
    expect(find({ role: 'tab' })).toBe('button One 1')
    expect(find({ css: 'form > button:nth-of-type(2)' })).toBe('button save draft 1')
    expect(find({ textRegex: '^save d' })).toBe('button save draft 0.9')
    expect(find({ text: 'draft' })).toMatch(/^button save draft 0\.\d+$/)
  })

  it('that mean several things are an error with the candidates', () => {
    try {
      resolveTarget(compileHtml('<button>Delete</button><p>x</p><button>Delete</button>'), {
        query: { text: 'Delete' },
      })
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(TargetError)
      expect(error).toMatchObject({ code: 'conflict', details: { matches: 2 } })
      expect((error as TargetError).candidates).toHaveLength(2)
    }
  })

  it('fall back in order and say which fallback was used', () => {
    const snapshot = compileHtml(html)
    const found = resolveTarget(snapshot, {
      elementRef: 'e_000000000000',
      fallback: [{ query: { text: 'nothing like it' } }, { query: { css: 'a' } }],
    })
    expect(found).toMatchObject({ fallback: 1, via: 'query' })
  })

  it('without a usable key, with a bad selector or pattern, are refused with what to do', () => {
    const snapshot = compileHtml(html)
    const refused = (target: object) => {
      try {
        resolveTarget(snapshot, target, { pattern: re2Pattern })
      } catch (error) {
        return (error as TargetError).code
      }
      return 'accepted'
    }
    expect(refused({})).toBe('invalid_request')
    expect(refused({ query: {} })).toBe('invalid_request')
    expect(refused({ query: { css: 'a[' } })).toBe('invalid_request')
    expect(refused({ query: { css: 'a:nonsense' } })).toBe('invalid_request')
    expect(refused({ query: { textRegex: '(?=x)' } })).toBe('invalid_request')
    expect(refused({ query: { textRegex: '(' } })).toBe('invalid_request')
  })

  it('match hostile patterns in linear time', () => {
    const snapshot = compileHtml(`<p>${'a'.repeat(5_000)}!</p>`)
    expect(findAll(snapshot, { textRegex: '^(a+)+$' }, { pattern: re2Pattern })).toEqual([])
  })

  it('find plain text in items and rows, and prefer what can be acted on', () => {
    const snapshot = compileHtml(
      '<ul><li>Tea, green</li><li>Jam <a href=/j>Jam shop</a></li></ul><table><tr><th>Sum<td>12 EUR</table>',
    )
    const tea = resolveTarget(snapshot, { query: { text: 'green' } })
    expect([tea.element?.role, tea.matchedText]).toEqual(['list', 'Tea, green'])
    expect(resolveTarget(snapshot, { query: { text: 'jam shop' } }).element?.role).toBe('link')
    expect(resolveTarget(snapshot, { query: { text: '12 EUR', role: 'row' } }).matchedText).toBe('Sum 12 EUR')
  })

  it('are reached by outline alias too', () => {
    const snapshot = compileHtml(html)
    const alias = /\[(\d+) button Save\]/.exec(snapshot.outline().text)?.[1] ?? ''
    expect(resolveTarget(snapshot, { elementRef: alias }).element?.text).toBe('Save')
  })
})
