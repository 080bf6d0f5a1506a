import { describe, expect, it } from 'vitest'
import { defaultSomLimits, resolveTarget } from './index.ts'
import { parseHtml } from './parse.ts'
import { compileHtml, compiler, findNode } from './test/compile.ts'

describe('hostile documents', () => {
  it('10,000 levels deep compile without recursion', () => {
    const snapshot = compileHtml(`${'<div>'.repeat(10_000)}<p>deep</p><button>Deep</button>`)
    expect(snapshot.elements().map(({ text }) => text)).toEqual(['deep', 'Deep'])
    snapshot.view()
    snapshot.outline()
    resolveTarget(snapshot, { query: { css: 'div p' } })
  })

  it('10,000 nested inline elements, lists and links compile too', () => {
    for (const tag of ['span', 'b', 'ul><li', 'label', 'font', 'x-y', 'table><tr><td']) {
      const snapshot = compileHtml(`${`<${tag}>`.repeat(tag === 'b' || tag === 'font' ? 500 : 5_000)}text`)
      expect(snapshot.view().som.meta.element_count).toBeGreaterThan(0)
      snapshot.outline()
    }
  })

  it('a million attributes are bounded, and said', () => {
    let attributes = ''
    for (let index = 0; index < 1_000_000; index++) attributes += ` a${index}=1`
    const tree = parseHtml(`<p${attributes}>x</p>`)
    const node = findNode(tree, ({ tag }) => tag === 'p')
    expect(node.attrs.length).toBe(1_024)
    expect(node.state?.droppedAttributes).toBe(1_000_000 - 1_024)
    expect(compiler().compile(tree, { url: 'https://e.com/' }).elements()).toHaveLength(1)
  })

  it('stop at the node limit and say so', () => {
    const snapshot = compileHtml('<p>x</p>'.repeat(500), { limits: { ...defaultSomLimits, maxNodes: 100 } })
    expect(snapshot.view().som_ext.hidden?.['limit']).toBeGreaterThan(300)
  })

  it('an empty document is a document', () => {
    expect(compileHtml('').view().som).toMatchObject({ regions: [], title: '', lang: 'en' })
  })
})
