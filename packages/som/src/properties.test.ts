import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { applyPatch, diff, sha256 } from './index.ts'
import { append, detach, insertBefore, type LeanNode, leanElement, leanText, parseHtml, setAttribute } from './parse.ts'
import { html, words } from './test/arbitrary-html.ts'
import { compileHtml, compiler, compileTree, nodeSha256 } from './test/compile.ts'
import { hasConformance, schemaProblems } from './test/schema.ts'

describe('compiled documents', () => {
  it('give the same bytes for the same document', () => {
    fc.assert(
      fc.property(html, (source) => {
        const first = compileHtml(source).view()
        const second = compileHtml(source).view()
        expect(JSON.stringify([second.som, second.som_ext])).toBe(JSON.stringify([first.som, first.som_ext]))
      }),
      { numRuns: 200 },
    )
  })

  it('give the same bytes when the same compiler reads the same tree again', () => {
    fc.assert(
      fc.property(html, (source) => {
        const tree = parseHtml(source)
        const each = compiler()
        const texts = [1, 2, 3].map(() => {
          const { som, som_ext } = each.compile(tree, { url: 'https://example.com/' }).view()
          return JSON.stringify([som, som_ext])
        })
        expect(texts[1]).toBe(texts[0])
        expect(texts[2]).toBe(texts[0])
      }),
      { numRuns: 100 },
    )
  })

  it.skipIf(!hasConformance)('are valid under the schema in strict mode, ids unique, sizes exact', () => {
    fc.assert(
      fc.property(html, (source) => {
        const { som } = compileHtml(source).view()
        expect(schemaProblems(som)).toEqual([])
        const ids = som.regions.flatMap((region) => region.elements.map((element) => element.id))
        expect(new Set(ids).size).toBe(ids.length)
        expect(som.meta.som_bytes).toBe(new TextEncoder().encode(JSON.stringify(som)).length)
        expect(som.meta.element_count).toBe(ids.length)
      }),
      { numRuns: 300 },
    )
  })

  it('never contain the value of a password field', () => {
    fc.assert(
      fc.property(html, (source) => {
        const snapshot = compileHtml(`<label>Key<input type=password value=S3cret-77></label>${source}`)
        const { som, som_ext } = snapshot.view()
        expect(JSON.stringify([som, som_ext]) + snapshot.outline().text).not.toContain('S3cret-77')
      }),
      { numRuns: 50 },
    )
  })
})

interface Edit {
  readonly kind: 'text' | 'attribute' | 'remove' | 'insert' | 'move'
  readonly at: number
  readonly to: number
  readonly word: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('text' as const, 'attribute' as const, 'remove' as const, 'insert' as const, 'move' as const),
  at: fc.nat(500),
  to: fc.nat(500),
  word: words,
})

function apply(root: LeanNode, { kind, at, to, word }: Edit): void {
  const all: LeanNode[] = []
  const visit = (node: LeanNode): void => {
    for (let child = node.first; child; child = child.next) {
      all.push(child)
      visit(child)
    }
  }
  visit(root)
  const node = all[at % Math.max(1, all.length)]
  const other = all[to % Math.max(1, all.length)]
  if (node === undefined || other === undefined) return
  if (kind === 'text') node.text = node.type === 3 ? word : node.text
  else if (kind === 'attribute' && node.type === 1)
    setAttribute(node, ['title', 'aria-label', 'href', 'id'][to % 4] as string, word)
  else if (kind === 'remove') detach(node)
  else if (kind === 'insert' && node.parent) {
    const made = leanElement(
      ['p', 'button', 'a', 'h3'][to % 4] as string,
      to % 4 === 2 ? [{ name: 'href', value: '/n' }] : [],
    )
    append(made, leanText(word))
    insertBefore(node.parent, made, node)
  } else if (kind === 'move' && node !== other && other.parent) {
    for (let up: LeanNode | undefined = other; up; up = up.parent) if (up === node) return
    detach(node)
    insertBefore(other.parent, node, other)
  }
}

describe('patches', () => {
  it('lead from any snapshot to the next one byte for byte, with our reader and with another', () => {
    fc.assert(
      fc.property(html, fc.array(edit, { minLength: 1, maxLength: 8 }), (source, edits) => {
        const tree = parseHtml(`<body>${source}</body>`)
        const page = compiler()
        const document = (): object => {
          const { som, som_ext } = page.compile(tree, { url: 'https://example.com/' }).view()
          return { som, som_ext }
        }
        const before = document()
        const body = tree.root?.last as LeanNode
        for (const each of edits) apply(body, each)
        const after = document()
        const patch = diff(before, after)

        expect(JSON.stringify(applyPatch(before, patch))).toBe(JSON.stringify(after))
        const theirs = jsonPatch.applyPatch(structuredClone(before), structuredClone(patch) as never, true).newDocument
        expect(JSON.stringify(theirs)).toBe(JSON.stringify(after))
        if (JSON.stringify(before) === JSON.stringify(after)) expect(patch).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('hold for any JSON, with arrays keyed by id or not', () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const keyed = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), v: json }), {
      selector: (item) => item.id,
    })
    fc.assert(
      fc.property(fc.oneof(json, keyed), fc.oneof(json, keyed), (before, after) => {
        const clean = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === '__proto__' ? undefined : inner))
        const [from, to] = [clean(before), clean(after)]
        expect(JSON.stringify(applyPatch(from, diff(from, to)))).toBe(JSON.stringify(to))
      }),
      { numRuns: 1_000 },
    )
  })

  it('say one operation for one inserted element', () => {
    const tree = parseHtml(
      `<main>${'<button>Go</button>'.repeat(40).replace(/Go/g, () => `Go ${Math.random()}`)}</main>`,
    )
    const page = compiler()
    const read = () => page.compile(tree, { url: 'https://example.com/' }).view({ budgets: {} }).som.regions
    const before = read()
    const main = tree.root?.last?.first as LeanNode
    const made = leanElement('button')
    append(made, leanText('New'))
    insertBefore(main, made, main.first as LeanNode)
    expect(diff(before, read()).map(({ op, path }) => `${op} ${path}`)).toEqual(['add /0/elements/0'])
  })
})

describe('sha256', () => {
  it('of the page equals that of Node for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(nodeSha256(text))
      }),
    )
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('gives the ids of the specification on its test vectors', () => {
    const { som } = compileTree(parseHtml('<body><main><p>one</p><button>Add to Cart</button></main></body>'), {
      sha256,
    }).view()
    expect(som.regions[0]?.elements.map(({ id }) => id)).toEqual(['e_9fbec1b0aade', 'e_cc59595b6bd5'])
  })
})
