import { Window } from 'happy-dom'
import { afterEach, describe, expect, it } from 'vitest'
import { type DomDocument, type DomNode, DomTree } from './dom-tree.ts'
import { createSomCompiler, resolveTarget, sha256 } from './index.ts'
import { parseHtml } from './parse.ts'
import { compileTree } from './test/compile.ts'

type Page = InstanceType<typeof Window>
const windows: Page[] = []

function open(html: string): { window: Page; tree: DomTree } {
  const window = new Window({ url: 'https://example.com/' })
  windows.push(window)
  window.document.write(html)
  // The adapter reads a small part of the DOM, which happy-dom's types spell differently.
  return { window, tree: new DomTree(window.document as unknown as DomDocument) }
}

afterEach(async () => {
  for (const window of windows.splice(0)) await window.happyDOM.close()
})

const page = `<!doctype html><html lang="de"><head><title>Kasse</title><style>.h{display:none}</style></head><body>
  <nav><a href="/">Start</a></nav><main><h1>Kasse</h1><p>Hallo <b>Welt</b>, <a href="/x">weiter</a></p><p class="h">nein</p>
  <form action="/pay"><label>Name <input name="n" value="Ada"></label><label><input type="checkbox" name="c"> Ja</label>
  <select name="s"><option>A</option><option selected>B</option></select><button>Zahlen</button></form>
  <table><tbody><tr><th>K</th><td>V</td></tr></tbody></table></main></body></html>`

describe('the tree over a live DOM', () => {
  it('gives the same document as the parse tree of the same page', () => {
    const { tree } = open(page)
    const live = createSomCompiler<DomNode>({ sha256 }).compile(tree, { url: 'https://example.com/' }).view()
    const parsed = compileTree(parseHtml(page)).view()
    expect(live.som).toEqual(parsed.som)
    expect(live.som_ext).toEqual(parsed.som_ext)
  })

  it('reads what was typed, checked and chosen, and keeps ids over changes', () => {
    const { window, tree } = open(page)
    const compiler = createSomCompiler<DomNode>({ sha256 })
    const compile = () => compiler.compile(tree, { url: 'https://example.com/' })
    const before = compile()
    const id = (name: string) => resolveTarget(before, { query: { label: name } }).elementId
    const [name, yes] = [id('Name'), id('Ja')]
    const input = window.document.querySelector('input[name=n]')
    if (input) (input as unknown as { value: string }).value = 'Grace'
    const box = window.document.querySelector('input[name=c]')
    if (box) (box as unknown as { checked: boolean }).checked = true
    window.document.querySelector('main')?.prepend('neu ')
    const after = compile()
    expect(after.element(name)?.attrs['value']).toBe('Grace')
    expect(after.element(yes)?.attrs['checked']).toBe(true)
  })

  it('reads open shadow roots and closed ones the engine knows, slots filled once', () => {
    const { window } = open('<x-a><span slot="l">Nummer</span></x-a><x-b>Los</x-b>')
    const a = window.document.querySelector('x-a')
    const b = window.document.querySelector('x-b')
    if (!a || !b) throw new Error('the test page has both hosts')
    a.attachShadow({ mode: 'open' }).innerHTML = '<label><slot name="l"></slot> <input></label>'
    const closed = b.attachShadow({ mode: 'closed' })
    closed.innerHTML = '<button><slot></slot></button>'
    const tree = new DomTree(window.document as unknown as DomDocument, {
      closedShadowRoot: (host) =>
        host === (b as unknown as DomNode)
          ? (closed as unknown as { mode: string; firstChild: DomNode | null })
          : undefined,
    })
    const snapshot = createSomCompiler<DomNode>({ sha256 }).compile(tree, { url: 'https://example.com/' })
    expect(snapshot.elements().map(({ role, label, text }) => `${role} ${label || text}`)).toEqual([
      'text_input Nummer',
      'button Los',
    ])
  })

  it("follows the engine's own verdict on visibility and clickability", () => {
    const { window } = open('<p id="a">no</p><div id="b">Menu</div><p>yes</p>')
    const tree = new DomTree(window.document as unknown as DomDocument, {
      visibility: (node) => (node.getAttribute?.('id') === 'a' ? 'none' : 'visible'),
      clickable: (node) => node.getAttribute?.('id') === 'b',
    })
    const { som, som_ext } = createSomCompiler<DomNode>({ sha256 })
      .compile(tree, { url: 'https://example.com/' })
      .view()
    const elements = som.regions.flatMap((region) => region.elements)
    expect(elements.map(({ role, text }) => [role, text])).toEqual([
      ['button', 'Menu'],
      ['paragraph', 'yes'],
    ])
    expect(som_ext.elements?.[elements[0]?.id ?? '']).toEqual({ inferred: 'listener' })
  })
})
