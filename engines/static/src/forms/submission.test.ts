import { describe, expect, it } from 'vitest'
import { open, refusal, sent } from '../test/document.ts'

const button = (text: string) => ({ role: 'button', text })

describe('what a form sends', () => {
  it('holds every kind of control as a browser would send it, in document order', () => {
    const page = open(`<form action="/send" method="post">
      <input name="text" value="a b"><input name="none"><input value="no name"><input type="hidden" name="h" value="x">
      <input type="checkbox" name="c1" checked><input type="checkbox" name="c2" value="v" checked><input type="checkbox" name="c3">
      <input type="radio" name="r" value="1"><input type="radio" name="r" value="2" checked>
      <select name="s"><option>One<option value="2" selected>Two</select>
      <select name="m" multiple><option selected>A<option>B<option selected disabled>C<option selected>D</select>
      <textarea name="t">
first
second</textarea>
      <input name="off" value="x" disabled><fieldset disabled><legend><input name="legend" value="l"></legend><input name="inside" value="i"></fieldset>
      <input name="ro" value="kept" readonly><datalist><input name="list" value="x"></datalist>
      <input type="number" name="n" value="abc"><input type="range" name="rg" max="10"><input type="color" name="col">
      <button name="other" value="1">Other</button><button name="go" value="yes">Go</button></form>`)
    expect(sent(page.click(button('Go')).follow)).toEqual({
      method: 'POST',
      url: 'http://shop.example/send',
      contentType: 'application/x-www-form-urlencoded',
      body: 'text=a+b&none=&h=x&c1=on&c2=v&r=2&s=2&m=A&m=D&t=first%0D%0Asecond&legend=l&ro=kept&n=&rg=5&col=%23000000&go=yes',
    })
  })

  it('goes where the pressed button says', () => {
    const page = open(`<form action="/a" method="post"><input name="x" value="1">
      <button formaction="/b?old=1" formmethod="get" formtarget="_blank">Look</button>
      <button formenctype="text/plain" name="k" value="v">Plain</button></form>`)
    const look = page.click(button('Look')).follow
    expect(sent(look)).toMatchObject({ method: 'GET', url: 'http://shop.example/b?x=1' })
    expect(look).toMatchObject({ target: '_blank' })
    expect(sent(page.click(button('Plain')).follow)).toMatchObject({
      url: 'http://shop.example/a',
      contentType: 'text/plain',
      body: 'x=1\r\nk=v\r\n',
    })
  })

  it('sends files as multipart, with safe names, and an empty part where none is chosen', () => {
    const page =
      open(`<form method="post" enctype="multipart/form-data"><label>Photo <input type="file" name="f"></label>
      <input type="file" name="empty"><input name="q&quot;x" value="1"><button>Send</button></form>`)
    page.model.act({
      type: 'upload',
      elementId: page.find('Photo'),
      files: [{ name: 'a"b.png', data: Uint8Array.of(0, 255, 13), contentType: 'image/png' }],
    })
    const { body, contentType } = sent(page.click(button('Send')).follow)
    const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? ''
    expect(body.split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="f"; filename="a%22b.png"\r\nContent-Type: image/png\r\n\r\n\u0000\u00ff\r\r\n',
      '\r\nContent-Disposition: form-data; name="empty"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n',
      '\r\nContent-Disposition: form-data; name="q%22x"\r\n\r\n1\r\n',
      '--\r\n',
    ])
  })

  it('names the point of an image button, the direction of a text and the charset', () => {
    const page =
      open(`<form><input name="t" value="שלום" dir="rtl" dirname="t.dir"><input type="hidden" name="_charset_">
      <input type="image" name="map" alt="Map" src="m.png"></form>`)
    expect(sent(page.click(button('Map')).follow).url).toBe(
      'http://shop.example/form?t=%D7%A9%D7%9C%D7%95%D7%9D&t.dir=rtl&_charset_=utf-8&map.x=0&map.y=0',
    )
  })

  it('uses the encoding of the page, and character references for what it lacks', () => {
    const gb = open('<form><input name="q" value="中文"><button>Go</button></form>', undefined, 'gbk')
    expect(sent(gb.click(button('Go')).follow).url).toBe('http://shop.example/form?q=%D6%D0%CE%C4')
    const latin = open('<form><input name="q" value="é€中"><button>Go</button></form>', undefined, 'windows-1252')
    expect(sent(latin.click(button('Go')).follow).url).toBe('http://shop.example/form?q=%E9%80%26%2320013%3B')
  })

  it('takes controls that name the form from elsewhere, and leaves out those that name another', () => {
    const page =
      open(`<input form="f" name="before" value="1"><form id="f"><input name="in" value="2"><input form="g" name="not" value="3">
      <button>Go</button></form><form id="g"></form>`)
    expect(sent(page.click(button('Go')).follow).url).toBe('http://shop.example/form?before=1&in=2')
  })

  it('is sent by Enter with the first button, which may forbid it', () => {
    const page = open(
      '<form><label>Q <input name="q"></label><button name="b" value="1">A</button><button name="b" value="2">B</button></form>',
    )
    page.type('Q', 'x')
    expect(sent(page.act('press', 'Q', { keys: 'Enter' }).follow).url).toBe('http://shop.example/form?q=x&b=1')
    const off = open('<form><label>Q <input name="q"></label><button disabled>A</button></form>')
    expect(off.act('press', 'Q', { keys: 'Enter' }).follow).toBeUndefined()
    const two = open('<form><label>Q <input name="q"></label><input name="p"></form>')
    expect(two.act('press', 'Q', { keys: 'Enter' }).follow).toBeUndefined()
    const one = open('<form><label>Q <input name="q"></label></form>')
    expect(sent(one.act('press', 'Q', { keys: 'Enter' }).follow).url).toBe('http://shop.example/form?q=')
  })

  it('closes its dialog instead, when its method is dialog', () => {
    const page = open('<dialog open><form method="dialog"><button>Close</button></form></dialog><p>behind</p>')
    const outcome = page.click(button('Close'))
    expect(outcome).toMatchObject({ changed: true })
    expect(outcome.follow).toBeUndefined()
    expect(JSON.stringify(page.model.compile({}).ext)).not.toContain('blocking')
  })

  it('goes to no address but a web one', () => {
    const page = open('<form action="javascript:alert(1)"><button>Go</button></form>')
    expect(refusal(() => page.click(button('Go')))).toMatchObject({
      code: 'unsupported',
      details: { reason: 'NOT_A_WEB_ADDRESS' },
    })
  })
})

describe('a form that is not filled in as it asks', () => {
  it('is not sent, and every field that is wrong is named with the reason', () => {
    const page =
      open(`<form><label>Name <input name="n" required></label><label>Mail <input type="email" value="nobody"></label>
      <label>Site <input type="url" value="x"></label><label>Age <input type="number" min="18" value="7"></label>
      <label>Step <input type="number" step="5" min="0" value="7"></label><label>Zip <input pattern="[0-9]{5}" title="five digits" value="12"></label>
      <label>Terms <input type="checkbox" required></label><fieldset><label>Yes <input type="radio" name="r" required></label><label>No <input type="radio" name="r"></label></fieldset>
      <label>Land <select required><option value="">Choose<option>DE</select></label><label>File <input type="file" required></label>
      <label>Off <input required disabled></label><label>Read <input required readonly></label><button>Go</button></form>`)
    const { code, message, details } = refusal(() => page.click(button('Go')))
    expect(code).toBe('conflict')
    expect(message).toContain('Name is required')
    expect(details).toEqual({
      reason: 'FORM_INVALID',
      count: 10,
      fields: [
        'Name is required',
        'Mail is no valid e-mail address',
        'Site is no complete URL',
        'Age must be at least 18',
        'Step must be in steps of 5',
        'Zip does not match the pattern [0-9]{5} (five digits)',
        'Terms must be checked',
        'Yes one of its choices is required',
        'Land a choice is required',
        'File a file is required',
      ],
    })
  })

  it('is sent all the same with novalidate or formnovalidate', () => {
    const lax = open('<form novalidate><input name="n" required><button>Go</button></form>')
    expect(sent(lax.click(button('Go')).follow).url).toBe('http://shop.example/form?n=')
    const draft = open('<form><input name="n" required><button formnovalidate>Draft</button></form>')
    expect(sent(draft.click(button('Draft')).follow).url).toBe('http://shop.example/form?n=')
  })

  it('lets a hostile pattern cost no time', () => {
    const page = open(
      `<form><label>X <input pattern="(a+)+$" value="${'a'.repeat(5_000)}b"></label><button>Go</button></form>`,
    )
    expect(refusal(() => page.click(button('Go'))).details).toMatchObject({ reason: 'FORM_INVALID' })
  })
})
