import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { defaultMedia } from './css/media.ts'
import { defaultSomLimits, estimateTokenizer, type Slice } from './index.ts'
import { type LeanNode, parseHtml } from './parse.ts'
import { strippedTags } from './roles.ts'
import { readScope } from './scope.ts'
import { compiler } from './test/compile.ts'
import { pagesDirectory, schemaProblems } from './test/schema.ts'

const hasPages = existsSync(pagesDirectory)
const pages = hasPages ? readdirSync(pagesDirectory).filter((name) => name.endsWith('.html')) : []
const documents = ['/usr/share/doc/libjs-underscore/index.html', '/usr/share/doc/nettle-dev/nettle.html'].filter(
  (path) => existsSync(path),
)

/** Text nodes and links a person sees, found by a plain recursive walk that shares only the cascade with the compiler. */
function visible(html: string): { texts: string[]; links: LeanNode[] } {
  const tree = parseHtml(html)
  const { cascade } = readScope(tree, tree.root, {
    media: defaultMedia,
    limits: defaultSomLimits,
    work: { left: Number.POSITIVE_INFINITY },
  })
  const texts: string[] = []
  const links: LeanNode[] = []
  const attribute = (node: LeanNode, name: string) => node.attrs.find((each) => each.name === name)?.value
  const visit = (node: LeanNode, shown: boolean): void => {
    for (let child = node.first; child; child = child.next) {
      if (child.type === 3) {
        const text = child.text.replace(/[\s\u200b]+/g, ' ').trim()
        if (shown && /[\p{L}\p{N}]/u.test(text)) texts.push(text)
        continue
      }
      const { tag } = child
      if (
        child.type !== 1 ||
        strippedTags.has(tag) ||
        ['svg', 'math', 'video', 'select', 'textarea', 'iframe'].includes(tag)
      )
        continue
      if (attribute(child, 'hidden') !== undefined || attribute(child, 'aria-hidden') === 'true') continue
      const verdict = cascade.verdict(child, tag, attribute(child, 'class'), attribute(child, 'id'), !shown)
      if (verdict?.hides !== undefined) continue
      const inner = verdict?.visibility === 'visible' ? true : verdict?.visibility === 'invisible' ? false : shown
      const text = verdict?.text === undefined ? inner : verdict.text === 'shown'
      if (inner && tag === 'a' && attribute(child, 'href') !== undefined) links.push(child)
      visit(child, text)
    }
  }
  if (tree.root?.last) visit(tree.root.last, true)
  return { texts, links }
}

describe.skipIf(!hasPages)('on real pages (../shared/pages, Debian documentation)', () => {
  for (const page of [...pages.map((name) => new URL(name, pagesDirectory)), ...documents]) {
    it(`${String(page).split('/').at(-1)}: every visible text is in the outline, every visible link is an element`, () => {
      const html = readFileSync(page, 'utf8')
      const tree = parseHtml(html)
      const snapshot = compiler().compile(tree, { url: 'https://example.com/', htmlBytes: html.length })
      const { texts, links } = visible(html)
      const everything = [
        snapshot.outline().text,
        ...snapshot.elements().flatMap((element) => [element.text, element.label]),
      ].join('\n')
      expect(texts.filter((text) => !everything.includes(text))).toEqual([])
      expect(snapshot.elements().filter(({ role }) => role === 'link').length).toBeGreaterThanOrEqual(links.length)
    })

    it(`${String(page).split('/').at(-1)}: snapshot and expand together hold every element, under the schema`, () => {
      const html = readFileSync(page, 'utf8')
      const snapshot = compiler().compile(parseHtml(html), { url: 'https://example.com/', htmlBytes: html.length })
      const view = snapshot.view()
      expect(schemaProblems(view.som)).toEqual([])
      const ids = new Set(view.som.regions.flatMap(({ elements }) => elements.map(({ id }) => id)))
      for (const cut of view.som_ext.truncated ?? []) {
        if (cut.cursor === undefined) continue
        for (let next: string | undefined = cut.cursor; next !== undefined; ) {
          const slice: Slice = view.expand({ cursor: next, maxTokens: 20_000 })
          for (const { id } of slice.elements ?? []) ids.add(id)
          next = slice.cursor
        }
      }
      expect(snapshot.elements().filter(({ id }) => !ids.has(id))).toEqual([])
    })

    it(`${String(page).split('/').at(-1)}: the estimate is never below o200k, and token limits hold under o200k itself`, () => {
      const html = readFileSync(page, 'utf8')
      const snapshot = compiler().compile(parseHtml(html), { url: 'https://example.com/', htmlBytes: html.length })
      const tokenizer = {
        name: 'o200k_base',
        count: (text: string) => encode(text, { disallowedSpecial: new Set() }).length,
      }
      for (const text of [
        snapshot.outline().text,
        snapshot.outline({ targets: true }).text,
        JSON.stringify(snapshot.view()),
      ]) {
        expect(estimateTokenizer.count(text)).toBeGreaterThanOrEqual(tokenizer.count(text))
      }
      expect(tokenizer.count(snapshot.outline({ maxTokens: 4_000, tokenizer }).text)).toBeLessThanOrEqual(4_000)
      const limited = snapshot.view({ maxTokens: 8_000, tokenizer })
      expect(tokenizer.count(JSON.stringify(limited))).toBeLessThanOrEqual(8_000)
      expect(schemaProblems(limited.som)).toEqual([])
    })
  }
})
