import { describe, expect, it } from 'vitest'
import { resolveTarget, type SomElement, TargetError } from './index.ts'
import { parseHtml, stateOf } from './parse.ts'
import { compileHtml, compiler, findNode } from './test/compile.ts'

function shown(html: string): SomElement[] {
  return compileHtml(html)
    .view()
    .som.regions.flatMap((region) => region.elements)
}

function brief(html: string): string[] {
  return shown(html).map(({ role, text, label }) => [role, text, label && `(${label})`].filter(Boolean).join(' '))
}

describe('visibility', () => {
  it('follows the cascade: specificity, order, importance, media, combinators', () => {
    const css = `<style>
      .a { display: none } .a.b { display: block } #c { display: none !important } p#c { display: block }
      @media (max-width: 600px) { .wide { display: none } } @media screen and (min-width: 600px) { .narrow { display: none } }
      .box .in { display: none } .x:hover { display: none } .half { opacity: 0.9 } .tiny { font-size: 0.875rem }
      .gone { opacity: 0 } .off { position: absolute; left: -9999px } @layer base { .l { display: none } } .l { display: block }
      /* .a.b { display: none } */ .y::after { display: none } .n { .m & { display: none } }
    </style>`
    const page = `${css}<p class=a>1</p><p class="a b">2</p><p id=c>3</p><p class=wide>4</p><p class=narrow>5</p>
      <div class=box><p class=in>6</p></div><p class=in>7</p><p class=x>8</p><p class=half>9</p><p class=tiny>10</p>
      <p class=gone>11</p><p class=off>12</p><p class=l>13</p><p class=y>14</p><div class=m><p class=n>15</p></div>`
    expect(shown(page).map(({ text }) => text)).toEqual(['2', '4', '7', '8', '9', '10', '13', '14'])
  })

  it('lets a visible child show inside an invisible parent, and counts what it drops', () => {
    const snapshot = compileHtml(
      '<div style="visibility:hidden">no <p>no</p><p style="visibility:visible">yes</p></div><p style="font-size:0">no</p><p hidden>no</p>',
    )
    const { som, som_ext } = snapshot.view()
    expect(som.regions.flatMap((region) => region.elements.map((element) => element.text))).toEqual(['yes'])
    expect(som_ext.hidden).toEqual({ attribute: 1, css: 2, text: 1 })
  })

  it('keeps a box that is hidden with its wrapper when its label is visible, and only then', () => {
    const style = '<style>.h{position:absolute;clip:rect(0 0 0 0)}</style>'
    expect(brief(`${style}<div class=h><input type=checkbox id=a></div><label for=a>Agree</label>`)).toEqual([
      'checkbox (Agree)',
    ])
    expect(brief(`${style}<label><span class=h><input type=radio name=r></span> Red</label>`)).toEqual(['radio (Red)'])
    expect(
      brief('<div style="display:none"><label><input type=checkbox> In a closed menu</label></div><p>x</p>'),
    ).toEqual(['paragraph x'])
  })

  it('reads linked stylesheets that the engine has', () => {
    const tree = parseHtml('<link rel=stylesheet href=/a.css><p class=h>no</p><p>yes</p>')
    const snapshot = compiler().compile(tree, {
      url: 'https://e.com/',
      stylesheet: (href) => (href === '/a.css' ? '.h{display:none}' : undefined),
    })
    expect(snapshot.elements().map(({ text }) => text)).toEqual(['yes'])
  })
})

describe('text', () => {
  it('has one space at block boundaries and line breaks, none between inline elements', () => {
    expect(brief('<li><ul><li><div>Hello</div><div>World</div>a<b>b</b>c<br>d</li></ul>')).toEqual(['list'])
    const list = shown('<ul><li><div>Hello</div><div>World</div> a<b>b</b>c<br>d</li></ul>')[0]
    expect(list?.attrs?.['items']).toEqual([{ text: 'Hello World abc d' }])
  })

  it('keeps a link in its sentence and does not repeat links that stand alone', () => {
    expect(brief('<div>By <a href=/u>Ada</a> today</div><div><a href=/1>One</a> | <a href=/2>Two</a></div>')).toEqual([
      'paragraph By Ada today',
      'link Ada',
      'link One',
      'link Two',
    ])
  })

  it('is cut at characters, not bytes, and never inside a surrogate pair', () => {
    const cyrillic = 'слово '.repeat(60)
    const [first] = shown(`<p>${cyrillic}</p>`)
    expect((first?.text ?? '').length).toBeGreaterThan(180)
    const [emoji] = shown(`<p>${'😀'.repeat(300)}</p>`)
    expect(emoji?.text?.isWellFormed()).toBe(true)
  })
})

describe('names', () => {
  it('come from aria, labels, alternatives, titles, in the order of the standard', () => {
    expect(
      brief(`<div id=n>By id</div><div><button aria-labelledby="n m" aria-label=no>x</button><span id=m hidden>hidden</span>
        <a href=/h><img src=/l.svg alt="Home"></a><a href=/t title="Tip"><svg></svg></a><a href="/docs/getting-started.html"><i></i></a>
        <button><svg><title>Close</title></svg></button><button>Read <span style="position:absolute;clip:rect(0,0,0,0)">about Rust</span></button>
        <input placeholder=P title=T><input aria-label=L placeholder=P><input type=submit><input type=image alt=Go></div>`),
    ).toEqual([
      'paragraph By id',
      'button x (By id hidden)',
      'link (Home)',
      'link (Tip)',
      'link (getting started)',
      'button (Close)',
      'button Read (Read about Rust)',
      'text_input (T)',
      'text_input (L)',
      'button Submit',
      'button Go',
    ])
  })

  it('come from a wrapping label for a control without an id, whose text then is no paragraph', () => {
    expect(
      brief(
        '<label>Mail <input></label> <label for=z>Zip</label><div><input id=z></div><label for=none>Lonely</label>',
      ),
    ).toEqual(
      ['text_input (Mail)', 'paragraph Lonely', 'text_input (Zip)'].sort(
        (a, b) =>
          ['text_input (Mail)', 'text_input (Zip)', 'paragraph Lonely'].indexOf(a) -
          ['text_input (Mail)', 'text_input (Zip)', 'paragraph Lonely'].indexOf(b),
      ),
    )
  })
})

describe('structure', () => {
  it('keeps what an article, section or details holds', () => {
    expect(
      brief(
        '<article><h2>T</h2><p>Text</p><img src=/a.png alt=A></article><details><summary>More</summary><a href=/x>X</a></details>',
      ),
    ).toEqual(['heading T', 'paragraph Text', 'image', 'details', 'link X'])
  })

  it('gives everything inside something else its place in the outline', () => {
    const text = compileHtml(
      '<details><summary>More <a href=/q>info</a></summary>Body</details><div onclick="f()">Buy</div><div role=button>Sell</div><form role=search action=/s><input aria-label=Q></form>',
    ).outline().text
    expect(text.split('\n').slice(1)).toEqual([
      '= navigation',
      '[1 input Q]',
      '= content',
      '[2 details More info (closed)] [3 info]',
      'Body',
      '[4 button Buy]',
      '[5 button Sell]',
    ])
  })

  it('takes no region from words that only look like landmarks', () => {
    const { som } = compileHtml(
      '<div class="card-header">a</div><div class=unavailable>b</div><div class=domain-list>c</div><div class=trail>d</div>',
    ).view()
    expect(som.regions.map(({ role }) => role)).toEqual(['content'])
  })

  it('keeps dialogs and consent banners, puts open modal ones first and says that they block', () => {
    const { som, som_ext } = compileHtml(
      '<main><p>Page</p></main><div role=dialog aria-modal=true class="cookie-consent modal" aria-label=Cookies><button>Accept</button></div>',
    ).view()
    expect(som.regions.map(({ id }) => id)).toEqual(['r_dialog', 'r_main'])
    expect(som_ext.blocking).toEqual(['r_dialog'])
  })

  it('reads a layout table in place and repeats cells that span columns of a data table', () => {
    expect(brief('<table width=100%><tr><td>42 points</td><td><a href=/u>Ada</a></td></tr></table>')).toEqual([
      'paragraph 42 points Ada',
      'link Ada',
    ])
    const [table] = shown('<table><caption>Cap</caption><tr><th>A<th>B</tr><tr><td colspan=2>x</tr></table>')
    expect(table).toMatchObject({ role: 'table', label: 'Cap', attrs: { headers: ['A', 'B'], rows: [['x', 'x']] } })
  })

  it('coerces what the schema cannot express and keeps it beside', () => {
    const { som, som_ext } = compileHtml('<button aria-pressed=mixed aria-expanded="">B</button>').view()
    const button = som.regions[0]?.elements[0]
    expect(button?.attrs?.['aria']).toBeUndefined()
    expect(som_ext.elements?.[button?.id ?? '']?.raw).toEqual({ 'aria-pressed': 'mixed' })
  })

  it('never drops links that run script or change the route by hash as duplicates', () => {
    const links = '<a href="#/a">x</a><a href="#/a">x</a><a href="javascript:f()">y</a><a href="javascript:f()">y</a>'
    expect(brief(`<main>${links}</main>`)).toHaveLength(4)
    expect(brief('<main><a href=/a>x</a> <a href=/a>x</a> <a href=/a>z</a></main>')).toEqual([
      'link x',
      'link z',
      'paragraph [1 duplicate links, ~1 chars]',
    ])
  })

  it('infers buttons from click handlers on small things only', () => {
    const { som, som_ext } = compileHtml(
      '<div onclick="f()">Open menu</div><div onclick="f()"><a href=/x>Card</a></div>',
    ).view()
    const [first, second] = som.regions[0]?.elements ?? []
    expect([first?.role, second?.role]).toEqual(['button', 'link'])
    expect(som_ext.elements?.[first?.id ?? '']).toEqual({ inferred: 'onclick' })
  })

  it('keeps options in a select, shows the chosen one, and pages a long one', () => {
    const options = Array.from(
      { length: 400 },
      (_, index) => `<option${index === 399 ? ' selected' : ''}>Land ${index}</option>`,
    ).join('')
    const view = compileHtml(`<select aria-label=Country>${options}</select>`).view()
    const select = view.som.regions[0]?.elements[0] as SomElement
    expect(select.attrs?.['options']).toHaveLength(251)
    const slice = view.expand({ element: select.id, filter: 'land 39', maxTokens: 5_000 })
    expect(slice.options?.map(({ text }) => text)).toContain('Land 399')
  })

  it('masks structured data that could poison readers', () => {
    const { som } = compileHtml(
      '<script type="application/ld+json">{"@type":"A","__proto__":{"x":1}}</script><script type="application/ld+json">[1,"s",{"b":2}]</script><p>x',
    ).view()
    expect(JSON.stringify(som.structured_data)).toBe('{"json_ld":[{"@type":"A"},{"b":2}]}')
  })
})

describe('frames and shadow roots', () => {
  it('compile into one id space and stand in som_ext.frames', () => {
    const tree = parseHtml('<button>Buy</button><iframe src="/inner" title="Shop"></iframe>')
    stateOf(findNode(tree, (node) => node.tag === 'iframe')).frame = {
      tree: parseHtml('<button>Buy</button>'),
      url: 'https://shop.example/inner',
    }
    const snapshot = compiler().compile(tree, { url: 'https://example.com/' })
    const [frame] = snapshot.view().som_ext.frames ?? []
    expect(frame).toMatchObject({
      frame_id: 'f0',
      origin: 'https://shop.example',
      som: { url: 'https://shop.example/inner' },
    })
    expect(() => resolveTarget(snapshot, { query: { text: 'Buy', role: 'button' } })).toThrow(TargetError)
    const inner = resolveTarget(snapshot, { query: { text: 'Buy', role: 'button' }, frameId: 'f0' })
    expect(inner.elementId).toBe(frame?.som.regions[0]?.elements[0]?.id)
  })

  it('show declarative shadow content once, with slots filled (case 08)', () => {
    const html = `<x-field><template shadowrootmode=open><label><slot name=label></slot> <input></label></template><span slot=label>Parcel number</span></x-field>
      <x-button><template shadowrootmode=closed><style>i{display:none}</style><button><slot></slot><i>no</i></button></template>Track</x-button><p id=out>-</p>`
    expect(brief(html)).toEqual(['text_input (Parcel number)', 'button Track', 'paragraph -'])
  })
})
