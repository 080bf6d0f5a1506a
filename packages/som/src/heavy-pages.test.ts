import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSomCompiler } from './compile.ts'
import { parseHtml } from './parse.ts'

const compile = (html: string, maxWork?: number) =>
  createSomCompiler<object>({
    sha256: (text) => hash('sha256', text),
    ...(maxWork === undefined ? {} : { limits: { maxWork } }),
  }).compile(parseHtml(html), { url: 'https://a.example/' })

const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

describe('pages that are small and a lot of work', () => {
  it('end where their tree would grow with the square of the source, and say so', () => {
    const html = `<p>Start${many(3_000, (at) => `<b id=${at}>`)}${'<p>x'.repeat(20_000)}`
    const tree = parseHtml(html)
    expect(tree.isCut).toBe(true)
    const { som, som_ext: ext } = compile(html).view()
    expect(som.regions[0]?.elements[0]).toMatchObject({ role: 'paragraph', text: 'Start' })
    expect(ext.hidden).toMatchObject({ limit: 1 })
  })

  it('keep every step of ordinary and of dense markup', () => {
    for (const html of ['<b>x</b>'.repeat(20_000), '<div>'.repeat(10_000), '<table><tr><td>x'.repeat(300)]) {
      expect(parseHtml(html).isCut).toBe(false)
    }
  })

  it('stop matching style rules where the work is spent: what they hide is shown, and that is said', () => {
    const html = `<style>${many(500, (at) => `i ~ b.x${at}, i b:not(:has(u)) ~ b{display:none}`)}</style>${'<b>y</b>'.repeat(2_000)}<i>i</i><b>last</b>`
    const heavy = compile(html, 100_000)
    expect(heavy.isHeavy).toBe(true)
    expect(heavy.view().som_ext.incomplete).toBe('work')
    const small = compile('<style>i ~ b{display:none}</style><i>i</i><b>last</b>', 100_000)
    expect(small.isHeavy).toBe(false)
    expect(small.view().som_ext).not.toHaveProperty('incomplete')
    expect(JSON.stringify(small.view().som)).not.toContain('last')
  })

  it('stop reading names where the work is spent', () => {
    const html = `<div id=big>${'<i>w</i>'.repeat(3_000)}</div>${'<button aria-labelledby=big>'.repeat(2_000)}`
    expect(compile(html, 200_000).isHeavy).toBe(true)
  })

  it('are the same bytes each time', () => {
    const html = `<div id=big>${'<i>w</i>'.repeat(300)}</div>${'<button aria-labelledby=big>'.repeat(200)}`
    const bytes = () => JSON.stringify(compile(html, 50_000).view())
    expect(bytes()).toBe(bytes())
  })
})
