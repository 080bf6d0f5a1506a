import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { estimateTokenizer, findAll, re2Pattern, resolveTarget } from './index.ts'
import { parseHtml, setAttribute, stateOf } from './parse.ts'
import { compileHtml, compiler, findNode } from './test/compile.ts'

const casesDirectory = new URL('../../../../shared/cases/', import.meta.url)
const hasCases = existsSync(casesDirectory)

describe.skipIf(!hasCases)('faults met in the field (../shared/cases)', () => {
  const page = (name: string): string => readFileSync(new URL(`${name}/page.html`, casesDirectory), 'utf8')

  it('09: inputs hidden by style are used through their visible label, with their state', () => {
    const { som, som_ext } = compileHtml(page('09-hidden-input-behind-visible-label')).view()
    const controls = som.regions[0]?.elements ?? []
    expect(controls.map(({ role, label, text, attrs }) => [role, label ?? text, attrs?.['checked']])).toEqual([
      ['radio', 'First visit', false],
      ['radio', 'Seen you before', false],
      ['checkbox', 'Remind me', false],
      ['button', 'Next', undefined],
    ])
    expect(controls.slice(0, 3).every(({ id }) => som_ext.elements?.[id]?.via_label)).toBe(true)
  })

  it('10: secrets stay secret, other values are shown', () => {
    const tree = parseHtml(page('10-password-in-snapshot'))
    stateOf(findNode(tree, (node) => node.tag === 'input' && node.attrs.some(({ value }) => value === 'otp'))).value =
      '123987'
    const snapshot = compiler().compile(tree, { url: 'https://example.com/' })
    const { som, som_ext } = snapshot.view()
    const text = JSON.stringify([som, som_ext]) + snapshot.outline().text
    expect(text).not.toMatch(/Pre-Filled-77|123987/)
    expect(text).toContain('dana')
    expect(Object.values(som_ext.elements ?? {}).map(({ value_state }) => value_state)).toEqual(['filled', 'filled'])
  })

  it('10: a password stays secret when the page shows it in the clear', () => {
    const tree = parseHtml('<label>Password <input type=password value=Pre-Filled-77></label>')
    const page = compiler()
    page.compile(tree, { url: 'https://example.com/' })
    setAttribute(
      findNode(tree, ({ tag }) => tag === 'input'),
      'type',
      'text',
    )
    const { som, som_ext } = page.compile(tree, { url: 'https://example.com/' }).view()
    expect(JSON.stringify([som, som_ext])).not.toContain('Pre-Filled-77')
  })

  it('11: a size limit holds, is declared, and what is beyond the cut is still found', () => {
    const items = Array.from(
      { length: 2_000 },
      (_, index) => `<li>Item ${index + 1} <a href="/i/${index + 1}">Details ${index + 1}</a></li>`,
    ).join('')
    const snapshot = compileHtml(
      `<title>Catalogue</title><h1>Catalogue</h1><ul>${items}</ul><button>Place order</button>`,
    )
    const { som, som_ext } = snapshot.view({ maxBytes: 16_384 })
    expect(new TextEncoder().encode(JSON.stringify({ som, som_ext })).length).toBeLessThanOrEqual(16_384)
    expect(som_ext.truncated?.some(({ count, cursor }) => count > 1_000 && cursor !== undefined)).toBe(true)
    expect(resolveTarget(snapshot, { query: { text: 'Place order', role: 'button' } }).element?.text).toBe(
      'Place order',
    )
    expect(compileHtml('<p>short</p>').view({ maxBytes: 16_384 }).som_ext.truncated).toBeUndefined()
  })

  it('11: a token limit holds for the named tokenizer', () => {
    const snapshot = compileHtml(
      `<main>${Array.from({ length: 3_000 }, (_, index) => `<p>Satz ${index} 😀 <a href="/${index}">mehr</a></p>`).join('')}</main>`,
    )
    const { som, som_ext } = snapshot.view({ maxTokens: 2_000 })
    expect(estimateTokenizer.count(JSON.stringify({ som, som_ext }))).toBeLessThanOrEqual(2_000)
  })

  it('11: form controls are never dropped; what cannot fit is an error that says the needed size', () => {
    const snapshot = compileHtml(
      `<form>${Array.from({ length: 200 }, (_, index) => `<input name=f${index} aria-label="Field ${index}">`).join('')}</form>`,
    )
    expect(() => snapshot.view({ maxBytes: 2_000 })).toThrow(
      expect.objectContaining({
        code: 'too_large',
        details: expect.objectContaining({ neededBytes: expect.any(Number) }),
      }),
    )
  })

  it('16: a test attribute inside text is an element of its own; a pattern tells how many it met', () => {
    const snapshot = compileHtml(page('16-number-extracted-wrong'))
    const price = resolveTarget(snapshot, { query: { css: '[data-test=price]' } })
    expect(price.element?.text).toBe('$1,299.50')
    expect(snapshot.view().som.regions.flatMap(({ elements }) => elements.map(({ id }) => id))).toContain(
      price.elementId,
    )
    expect(resolveTarget(snapshot, { query: { css: '#rev a' } }).element?.text).toBe('20')
    const matches = findAll(snapshot, { textRegex: '\\$[0-9,]+\\.[0-9]{2}' }, { pattern: re2Pattern })
    expect(matches.map(({ matchedText }) => matchedText)).toEqual(['$50.00', '$1,499.00', '$1,299.50'])
  })
})
