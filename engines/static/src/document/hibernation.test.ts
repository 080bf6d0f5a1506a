import { describe, expect, it } from 'vitest'
import { open, refusal } from '../test/document.ts'

const html = `<title>T</title><form><label>N <input name="n"></label><label>C <input type="checkbox"></label>
  <label>S <select><option>1<option>2</select></label></form>
  <ul><li>Ada <button>Delete</button></li><li>Bo <button>Delete</button></li><li>Ada <button>Delete</button></li></ul>
  <details><summary>More</summary>inside</details><template shadowrootmode="open"><input value="x"></template>`

describe('a page that sleeps', () => {
  it('wakes with the same bytes: ids of twins, typed values, checks, choices, opened details and focus', () => {
    const page = open(html)
    page.type('N', 'typed')
    page.click('C')
    page.act('select', 'S', { values: ['2'] })
    page.act('set-checked', { role: 'details', text: 'More' }, { checked: true })
    page.act('focus', 'N')
    const before = JSON.stringify(page.model.compile({}))
    page.model.hibernate()
    page.model.hibernate()
    expect(JSON.stringify(page.model.compile({}))).toBe(before)
    page.model.hibernate()
    expect(JSON.stringify(page.model.compile({}))).toBe(before)
  })

  it('keeps its references stale, not unknown, when another document takes its place', () => {
    const page = open('<button>Buy now</button>')
    const id = page.find({ text: 'Buy now' })
    page.model.hibernate()
    page.model.load({
      html: '<p>other</p>',
      url: 'http://shop.example/other',
      encoding: 'utf-8',
      status: 200,
      htmlBytes: 1,
    })
    expect(refusal(() => page.model.resolve({ elementRef: id }))).toMatchObject({ details: { reason: 'STALE_REF' } })
  })
})
