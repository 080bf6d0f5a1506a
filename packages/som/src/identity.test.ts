import { describe, expect, it } from 'vitest'
import { resolveTarget, type Snapshot, type SomCompiler, TargetError } from './index.ts'
import {
  append,
  detach,
  insertBefore,
  type LeanNode,
  type LeanTree,
  leanElement,
  leanText,
  parseHtml,
} from './parse.ts'
import { compiler, findNode } from './test/compile.ts'

const url = 'https://example.com/list'

function read(page: SomCompiler<LeanNode>, tree: LeanTree, at = url): Snapshot<LeanNode> {
  return page.compile(tree, { url: at })
}

function idOf(snapshot: Snapshot<LeanNode>, name: string, role = 'button'): string {
  return resolveTarget(snapshot, { query: { text: name, role } }).elementId
}

function element(tag: string, text: string): LeanNode {
  const node = leanElement(tag)
  append(node, leanText(text))
  return node
}

/** Replaces the children of a node with parsed ones: what a page does that draws its list anew. */
function redraw(target: LeanNode, html: string): void {
  while (target.first) detach(target.first)
  const body = parseHtml(html).root?.last as LeanNode
  while (body.first) {
    const child = body.first
    detach(child)
    append(target, child)
  }
}

describe('ids of live nodes', () => {
  const rows = `<ul>${['Ada', 'Boris', 'Chen'].map((name) => `<li>${name} <button>Open ${name}</button></li>`).join('')}</ul>`

  it('survive insertion, reordering and text changes of neighbours', () => {
    const tree = parseHtml(`<main><p>intro</p>${rows}<a href="/next">Next</a></main>`)
    const page = compiler()
    const before = read(page, tree)
    const names = ['Open Ada', 'Open Boris', 'Open Chen']
    const ids = names.map((name) => idOf(before, name))
    const link = idOf(before, 'Next', 'link')

    const main = findNode(tree, (node) => node.tag === 'main')
    insertBefore(main, element('h1', 'New heading'), main.first as LeanNode)
    const list = findNode(tree, (node) => node.tag === 'ul')
    const last = list.last as LeanNode
    detach(last)
    insertBefore(list, last, list.first as LeanNode)
    findNode(tree, (node) => node.text === 'intro').text = 'changed'

    const after = read(page, tree)
    expect(names.map((name) => idOf(after, name))).toEqual(ids)
    expect(idOf(after, 'Next', 'link')).toBe(link)
  })

  it('stay when the text of the element itself changes', () => {
    const tree = parseHtml('<main><p>$49.00</p><button>Buy for $49.00</button></main>')
    const page = compiler()
    const before = read(page, tree)
      .elements()
      .map(({ id }) => id)
    findNode(tree, (node) => node.text === '$49.00').text = '$59.00'
    findNode(tree, (node) => node.text === 'Buy for $49.00').text = 'Buy for $59.00'
    const after = read(page, tree)
    expect(after.elements().map(({ id }) => id)).toEqual(before)
    expect(after.elements().map(({ text }) => text)).toEqual(['$59.00', 'Buy for $59.00'])
  })

  it('wait for a node that is hidden and shown again', () => {
    const tree = parseHtml('<main><div><button>Save</button></div><button>Other</button></main>')
    const page = compiler()
    const id = idOf(read(page, tree), 'Save')
    const box = findNode(tree, (node) => node.tag === 'div')
    box.attrs = [{ name: 'hidden', value: '' }]
    expect(read(page, tree).element(id)).toBeUndefined()
    box.attrs = []
    expect(idOf(read(page, tree), 'Save')).toBe(id)
  })

  it('follow the name, not the place, when nodes are reused for other things', () => {
    const tree = parseHtml('<main><button>Save</button><button>Delete</button></main>')
    const page = compiler()
    const before = read(page, tree)
    const [save, remove] = [idOf(before, 'Save'), idOf(before, 'Delete')]
    findNode(tree, (node) => node.text === 'Save').text = 'X'
    findNode(tree, (node) => node.text === 'Delete').text = 'Save'
    findNode(tree, (node) => node.text === 'X').text = 'Delete'
    const after = read(page, tree)
    for (const [id, name] of [
      [save, 'Save'],
      [remove, 'Delete'],
    ] as const) {
      expect(after.element(id)?.text ?? name).toBe(name)
    }
  })
})

describe('ids of replaced nodes', () => {
  it('move to the same-looking replacement when a list is drawn anew in another order (case 03)', () => {
    const draw = (names: readonly string[]): string =>
      names.map((name) => `<li><button>Open ${name}</button></li>`).join('')
    const tree = parseHtml(`<ul id="list">${draw(['Ada', 'Boris', 'Chen'])}</ul><p>open: nobody</p>`)
    const page = compiler()
    const ada = idOf(read(page, tree), 'Open Ada')
    redraw(
      findNode(tree, (node) => node.tag === 'ul'),
      draw(['Chen', 'Ada', 'Boris']),
    )
    const after = read(page, tree)
    const found = resolveTarget(after, { elementRef: ada })
    expect(found.element?.text).toBe('Open Ada')
    expect(found.reanchored).toBe(true)
    expect(found.confidence).toBeLessThan(1)
    expect(after.view().som_ext.reanchored).toContain(ada)
  })

  it('keep all ids when a framework replaces every node by its like', () => {
    const html =
      '<h2>Cart</h2><table><tr><th>Tea</th><td><button>Remove</button></td></tr><tr><th>Jam</th><td><button>Remove</button></td></tr></table><label>Mail <input name=mail></label>'
    const tree = parseHtml(`<main>${html}</main>`)
    const page = compiler()
    const before = read(page, tree)
      .elements()
      .map(({ id }) => id)
    redraw(
      findNode(tree, (node) => node.tag === 'main'),
      html,
    )
    expect(
      read(page, tree)
        .elements()
        .map(({ id }) => id),
    ).toEqual(before)
  })

  it('refuse when the target is gone and only a twin is left', () => {
    const item = (name: string): string => `<li>${name} <button>Delete</button></li>`
    const tree = parseHtml(`<ul>${item('Tea')}${item('Jam')}</ul>`)
    const page = compiler()
    const before = read(page, tree)
    const [tea, jam] = before
      .elements()
      .filter(({ role }) => role === 'button')
      .map(({ id }) => id) as [string, string]
    redraw(
      findNode(tree, (node) => node.tag === 'ul'),
      item('Jam'),
    )
    const after = read(page, tree)
    expect(after.element(jam)?.item?.text).toBe('Jam Delete')
    expect(() => resolveTarget(after, { elementRef: tea })).toThrow(TargetError)
  })

  it('refuse among equals that nothing tells apart, and never give an old id to another', () => {
    const tree = parseHtml(`<div>${'<button>Delete</button>'.repeat(3)}</div>`)
    const page = compiler()
    const before = read(page, tree)
      .elements()
      .map(({ id }) => id)
    redraw(
      findNode(tree, (node) => node.tag === 'div'),
      '<button>Delete</button>'.repeat(2),
    )
    const after = read(page, tree)
    for (const id of before) expect(after.element(id)).toBeUndefined()
  })
})

describe('another document', () => {
  it('makes old references stale, naming both addresses', () => {
    const page = compiler()
    const id = idOf(read(page, parseHtml('<button>Pay</button>')), 'Pay')
    const next = read(page, parseHtml('<h1>Thanks</h1>'), 'https://example.com/done')
    expect(next.view().som_ext.generation).toBe(2)
    try {
      resolveTarget(next, { elementRef: id })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        code: 'not_found',
        details: { reason: 'STALE_REF', oldUrl: url, url: 'https://example.com/done' },
      })
    }
  })

  it('gives the same page its ids back when one returns to it', () => {
    const page = compiler()
    const html = '<main><h1>List</h1><a href="/a">First story</a><button>More</button></main>'
    const before = read(page, parseHtml(html))
      .elements()
      .map(({ id }) => id)
    read(page, parseHtml('<p>elsewhere</p>'), 'https://example.com/other')
    expect(
      read(page, parseHtml(html))
        .elements()
        .map(({ id }) => id),
    ).toEqual(before)
  })
})

it('names re-anchored ids of what it shows alone, so that they never take the room of form controls', () => {
  const page = (tag: string) =>
    `<title>${tag}</title><main>${Array.from({ length: 200 }, (_, at) => `<a id="row-${at}" href="/item/${at}">Row ${at}</a>`).join(' ')}` +
    '<form><input aria-label="Search"><button>Go</button></form></main>'
  const rows = compiler()
  read(rows, parseHtml(page('one')))
  const after = read(rows, parseHtml(page('two')))
  expect(after.view().som_ext.reanchored?.length).toBeGreaterThan(80)
  expect(JSON.stringify(after.view({ maxBytes: 1_500 }).som_ext).length).toBeLessThan(1_500)
})
