import { applyPatch, diff } from '@domos/som'
import { DomosError, type Primitive } from '@domos/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageModel } from './page-model.ts'

const word = fc.constantFrom('a', 'Buy', '"', '<', '&amp;', 'é', '中', '\u0000', ' ')
const attribute = fc.constantFrom(
  'disabled',
  'readonly',
  'required',
  'checked',
  'multiple',
  'open',
  'name=n',
  'name=""',
  'form=f',
  'form=none',
  'value=v',
  'type=radio',
  'type=checkbox',
  'type=submit',
  'type=image',
  'type=file',
  'type=number',
  'type=reset',
  'type=hidden',
  'href=/x',
  'href="#y"',
  'href="javascript:1"',
  'href="http://["',
  'target=_blank',
  'download',
  'maxlength=2',
  'pattern="("',
  'formaction="ftp://x/"',
  'method=post',
  'method=dialog',
  'enctype=multipart/form-data',
  'action="//"',
  'id=f',
  'for=f',
  'commandfor=f command=close',
  'hidden',
  'inert',
  'role=button',
  'tabindex=0',
  'contenteditable',
  'aria-disabled=true',
  'style="display:none"',
)
const tag = fc.constantFrom(
  'form',
  'input',
  'button',
  'a',
  'select',
  'option',
  'textarea',
  'label',
  'fieldset',
  'legend',
  'details',
  'summary',
  'dialog',
  'p',
  'table',
  'td',
  'template',
  'iframe srcdoc="<input><a href=/q>q</a>"',
  'base href=/b/',
  'div',
)
const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(tag, fc.array(attribute, { maxLength: 3 }))
      .map(([name, attrs]) => `<${name} ${attrs.join(' ')}>`),
  },
  { weight: 2, arbitrary: tag.map((name) => `</${name}>`) },
  { weight: 3, arbitrary: word },
)
const page = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
const step = fc.record({
  type: fc.constantFrom(
    'click',
    'type',
    'set-checked',
    'select',
    'submit',
    'press',
    'focus',
    'upload',
    'hover',
    'scroll',
    'drag',
    'hibernate' as const,
  ),
  at: fc.nat(30),
  text: fc.constantFrom('', 'v', '12', 'Enter', 'Tab', 'Escape', ' ', '\n', 'a'),
  flag: fc.boolean(),
})

describe('any actions on any page', () => {
  it('end in an outcome or a coded error, change nothing when refused, and keep ids while the page sleeps', () => {
    fc.assert(
      fc.property(page, fc.array(step, { maxLength: 12 }), (html, steps) => {
        const model = new PageModel({ width: 800, height: 600 })
        model.load({ html, url: 'http://a.example/p', encoding: 'utf-8', status: 200, htmlBytes: html.length })
        let before = model.compile({}).som
        for (const { type, at, text, flag } of steps) {
          if (type === 'hibernate') {
            const shown = JSON.stringify(model.compile({}))
            model.hibernate()
            expect(JSON.stringify(model.compile({}))).toBe(shown)
            continue
          }
          const ids = [...JSON.stringify(before).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '')
          const elementId = ids[at % Math.max(1, ids.length)] ?? 'e_none'
          const primitive = {
            type,
            elementId,
            toElementId: elementId,
            text,
            keys: text,
            replace: flag,
            checked: flag,
            values: [text],
            files: [{ name: 'f', data: new Uint8Array(1), contentType: 'text/plain' }],
          } as unknown as Primitive
          let isRefused = false
          try {
            model.act(primitive)
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(DomosError)
            expect((thrown as DomosError).code).not.toBe('internal')
            isRefused = true
          }
          const after = model.compile({}).som
          if (isRefused) expect(after).toEqual(before)
          expect(JSON.stringify(applyPatch(before, diff(before, after)))).toBe(JSON.stringify(after))
          before = after
        }
      }),
      { numRuns: 300 },
    )
  })
})
