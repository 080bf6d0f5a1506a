import { describe, expect, it } from 'vitest'
import { open, refusal } from '../test/document.ts'

const button = (text: string) => ({ role: 'button', text })

describe('typing', () => {
  it('replaces or appends, and the field holds it', () => {
    const page = open('<label>Note <input value="old"></label><label>Long <textarea>a</textarea></label>')
    expect(page.type('Note', 'new').changed).toBe(true)
    expect(page.state('Note')).toMatchObject({ value: 'new' })
    page.type('Long', '\nb', false)
    expect(page.state('Long')).toMatchObject({ value: 'a\nb' })
  })

  it.each([
    ['<label>X <input disabled></label>', 'conflict', 'DISABLED'],
    ['<fieldset disabled><label>X <input></label></fieldset>', 'conflict', 'DISABLED'],
    ['<label>X <input readonly></label>', 'conflict', 'READ_ONLY'],
    ['<label>X <input maxlength="3"></label>', 'invalid_request', 'TOO_LONG'],
    ['<label>X <input type="number"></label>', 'invalid_request', 'BAD_VALUE'],
    ['<label>X <input type="date"></label>', 'invalid_request', 'BAD_VALUE'],
    ['<label>X <input type="checkbox"></label>', 'invalid_request', 'NOT_TYPEABLE'],
    ['<label>X <select><option>a</select></label>', 'invalid_request', 'NOT_TYPEABLE'],
  ])('is refused with the reason, and changes nothing: %s', (html, code, reason) => {
    const page = open(html)
    const before = page.state('X')
    expect(refusal(() => page.type('X', 'four'))).toMatchObject({ code, details: { reason } })
    expect(page.state('X')).toEqual(before)
  })
})

describe('choosing', () => {
  it('takes an option by text, by value or whatever its case', () => {
    const page = open('<label>Land <select><option value="de">Germany<option value="us">USA</select></label>')
    for (const [name, selected] of [
      ['Germany', 'Germany'],
      ['us', 'USA'],
      ['GERMANY', 'Germany'],
    ] as const) {
      page.act('select', 'Land', { values: [name] })
      expect(page.state('Land')?.selected).toEqual([selected])
    }
  })

  it('names the options when one does not exist or is disabled, and changes nothing', () => {
    const page = open('<label>Land <select><option>DE<option disabled>FR</select></label>')
    expect(refusal(() => page.act('select', 'Land', { values: ['XX'] }))).toMatchObject({
      code: 'invalid_request',
      details: { reason: 'UNKNOWN_OPTION', options: ['DE', 'FR'] },
    })
    expect(refusal(() => page.act('select', 'Land', { values: ['FR'] }))).toMatchObject({
      code: 'conflict',
      details: { reason: 'OPTION_DISABLED', options: ['DE'] },
    })
    expect(page.state('Land')?.selected).toEqual(['DE'])
  })

  it('chooses exactly the given options of a list that takes several', () => {
    const page = open('<label>M <select multiple><option selected>A<option>B<option>C</select></label>')
    page.act('select', 'M', { values: ['B', 'C'] })
    expect(page.state('M')?.selected).toEqual(['B', 'C'])
  })
})

describe('clicking', () => {
  it('checks a box through its label, and unchecks the others of a radio group', () => {
    const page = open(`<label for="c">Box</label><input id="c" type="checkbox">
      <label>One <input type="radio" name="r" checked></label><label>Two <input type="radio" name="r"></label>
      <form><label>Far <input type="radio" name="r" checked></label></form>`)
    page.click('Box')
    page.click('Two')
    expect(
      [page.state('Box'), page.state('One'), page.state('Two'), page.state('Far')].map((each) => each?.checked),
    ).toEqual([true, false, true, true])
  })

  it('is no change when it is so already, and a radio cannot be unchecked', () => {
    const page = open('<label>B <input type="checkbox" checked></label><label>R <input type="radio" checked></label>')
    expect(page.act('set-checked', 'B', { checked: true }).changed).toBe(false)
    expect(refusal(() => page.act('set-checked', 'R', { checked: false })).details).toMatchObject({
      reason: 'NOT_CHECKABLE',
    })
  })

  it('opens details, closing the others of its group', () => {
    const page = open(
      '<details name="g"><summary>A</summary>first</details><details name="g" open><summary>B</summary>second</details>',
    )
    page.act('set-checked', { role: 'details', text: 'A' }, { checked: true })
    const open2 = JSON.stringify(page.model.compile({}).som)
    expect(open2).toContain('first')
    expect(page.model.element(page.find({ role: 'details', text: 'A' }))?.checked).toBe(true)
    expect(page.model.element(page.find({ role: 'details', text: 'B' }))?.checked).toBe(false)
  })

  it('resets a form to its markup', () => {
    const page = open(
      '<form><label>N <input value="a"></label><label>C <input type="checkbox"></label><label>S <select><option>1<option>2</select></label><button type="reset">Reset</button></form>',
    )
    page.type('N', 'b')
    page.click('C')
    page.act('select', 'S', { values: ['2'] })
    page.click(button('Reset'))
    expect([page.state('N')?.value, page.state('C')?.checked, page.state('S')?.selected]).toEqual(['a', false, ['1']])
  })

  it('opens and closes dialogs that buttons command', () => {
    const page = open(
      '<button commandfor="d" command="show-modal">Ask</button><dialog id="d"><p>Sure?</p><button commandfor="d" command="close">No</button></dialog>',
    )
    page.click(button('Ask'))
    expect(JSON.stringify(page.model.compile({}).som)).toContain('Sure?')
    page.click(button('No'))
    expect(page.model.compile({}).ext['blocking']).toBeUndefined()
  })

  it('says where a link leads: same document, download, another page, or that it is none', () => {
    const page = open(`<base href="/dir/" target="side"><a href="p">Page</a><a href="/form#part" target="_self">Part</a>
      <a href="f.zip" download="x.zip">File</a><a href="http://else.example/f" download>Foreign</a><a href="mailto:a@b.example">Mail</a>`)
    expect(page.click({ text: 'Page' }).follow).toEqual({
      type: 'navigate',
      url: 'http://shop.example/dir/p',
      method: 'GET',
      target: 'side',
    })
    expect(page.click({ text: 'Part' }).follow).toEqual({ type: 'fragment', url: 'http://shop.example/form#part' })
    expect(page.click({ text: 'File' }).follow).toEqual({
      type: 'download',
      url: 'http://shop.example/dir/f.zip',
      name: 'x.zip',
    })
    expect(page.click({ text: 'Foreign' }).follow).toMatchObject({ type: 'navigate' })
    expect(refusal(() => page.click({ text: 'Mail' })).details).toMatchObject({ reason: 'NOT_A_WEB_ADDRESS' })
  })
})

describe('keys', () => {
  it('move the focus, type characters, press buttons and close dialogs', () => {
    const page = open(
      '<label>A <input></label><label>B <input></label><button type="reset">R</button><dialog open>Hi</dialog>',
    )
    page.act('focus', 'A')
    page.model.act({ type: 'press', keys: 'x' })
    page.model.act({ type: 'press', keys: 'Tab' })
    page.model.act({ type: 'press', keys: 'y' })
    page.model.act({ type: 'press', keys: 'z' })
    page.model.act({ type: 'press', keys: 'Backspace' })
    expect([page.state('A')?.value, page.state('B')?.value]).toEqual(['x', 'y'])
    expect(page.model.act({ type: 'press', keys: 'Escape' }).changed).toBe(true)
    expect(refusal(() => page.model.act({ type: 'press', keys: 'F5' }))).toMatchObject({ code: 'unsupported' })
  })
})
