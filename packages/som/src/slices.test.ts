import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokenizer, type Slice, type View } from './index.ts'
import type { LeanNode } from './parse.ts'
import { html } from './test/arbitrary-html.ts'
import { compileHtml } from './test/compile.ts'

function slices(
  view: View<LeanNode>,
  request: { region?: string; cursor?: string; element?: string },
  maxTokens: number,
): Slice[] {
  const all: Slice[] = []
  let next: typeof request | undefined = request
  while (next !== undefined && all.length < 10_000) {
    const slice: Slice = view.expand({ ...next, maxTokens })
    all.push(slice)
    next = slice.cursor === undefined ? undefined : { cursor: slice.cursor }
  }
  return all
}

describe('slices', () => {
  const budgets = {
    paragraphs: 1,
    links: 1,
    navigationLinks: 1,
    elements: 2,
    firstParagraphChars: 20,
    laterParagraphChars: 10,
    textChars: 10,
    listItems: 1,
    tableRows: 1,
    cellChars: 5,
  }

  it('of a region, joined, are its full content once', () => {
    fc.assert(
      fc.property(html, fc.integer({ min: 10, max: 300 }), (source, maxTokens) => {
        const snapshot = compileHtml(source)
        const view = snapshot.view({ budgets })
        for (const region of snapshot.model.documents[0]?.regions ?? []) {
          const joined = slices(view, { region: region.id }, maxTokens).flatMap((slice) => slice.elements ?? [])
          expect(joined.map((element) => element.id)).toEqual(region.elements.map((element) => element.id))
          expect(joined.map((element) => element.text ?? '').join('')).toBe(
            region.elements
              .filter(
                (element) =>
                  !['list', 'table', 'group', 'section', 'details', 'separator', 'iframe', 'image'].includes(
                    element.role,
                  ),
              )
              .map((element) => element.text)
              .join(''),
          )
        }
      }),
      { numRuns: 150 },
    )
  })

  it('of every declared cut, with what is shown, are the full page once', () => {
    fc.assert(
      fc.property(html, fc.integer({ min: 10, max: 300 }), (source, maxTokens) => {
        const snapshot = compileHtml(source)
        const view = snapshot.view({ budgets })
        const shown = view.som.regions
          .flatMap((region) => region.elements)
          .filter(({ id }) => !id.startsWith('e_summary_'))
        const ids = shown.map(({ id }) => id)
        const full = new Map(snapshot.elements().map((element) => [element.id, element]))
        for (const cut of view.som_ext.truncated ?? []) {
          if (cut.cursor !== undefined) {
            const missing = slices(view, { cursor: cut.cursor }, maxTokens).flatMap((slice) => slice.elements ?? [])
            expect(missing).toHaveLength(cut.count)
            ids.push(...missing.map(({ id }) => id))
          }
          for (const id of cut.elements ?? []) {
            const rest = slices(view, { element: id }, maxTokens)
            const element = full.get(id)
            if (cut.part === 'text') {
              expect(rest.map((slice) => slice.text).join('')).toBe(element?.text)
              expect(
                element?.text.startsWith(shown.find((each) => each.id === id)?.text?.replace(/\.\.\.$/, '') ?? ''),
              ).toBe(true)
            } else if (cut.part === 'items') {
              expect(rest.flatMap((slice) => slice.items ?? [])).toEqual(element?.items?.map(({ text }) => ({ text })))
            } else if (cut.part === 'rows') {
              expect(rest.flatMap((slice) => slice.rows ?? [])).toEqual(
                element?.items?.map((row) => row.cells?.map((cell) => cell.text)),
              )
            }
          }
        }
        expect([...ids].sort()).toEqual([...full.keys()].sort())
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 150 },
    )
  })

  it('of an outline name everything that can be acted on, once', () => {
    fc.assert(
      fc.property(html, (source) => {
        const snapshot = compileHtml(source)
        const aliases = snapshot.elements().flatMap((element) => (element.interactive ? [element.alias] : []))
        const full = [...snapshot.outline().text.matchAll(/\[(\d+)(?: |\])/g)].map((match) => Number(match[1]))
        expect(full.sort((a, b) => a - b)).toEqual(aliases.sort((a, b) => a - b))
        const lines = snapshot.outline({ mode: 'interactive' }).text.split('\n')
        expect(lines.filter((line) => /^\d+ /.test(line))).toHaveLength(aliases.length)
      }),
      { numRuns: 500 },
    )
  })

  it('of an outline, joined, are the outline', () => {
    fc.assert(
      fc.property(html, fc.integer({ min: 64, max: 200 }), (source, maxTokens) => {
        const snapshot = compileHtml(source)
        const whole = snapshot.outline().text
        const parts: string[] = []
        let cursor: string | undefined
        do {
          const page = snapshot.outline({ maxTokens, ...(cursor === undefined ? {} : { cursor }) })
          expect(estimateTokenizer.count(page.text)).toBeLessThanOrEqual(maxTokens)
          parts.push(page.text.replace(/\n?\[\d+ more lines: cursor l[\d.]+\]$/, ''))
          cursor = page.cursor
        } while (cursor !== undefined && parts.length < 5_000)
        expect(parts.join('\n').replace(/\s+/g, '')).toBe(whole.replace(/\s+/g, ''))
      }),
      { numRuns: 100 },
    )
  })
})
