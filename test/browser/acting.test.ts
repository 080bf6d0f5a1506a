import { describe, expect, it } from 'vitest'
import { call, elements, open } from './world.ts'

const button = (text: string) => ({ query: { role: 'button', text } })
const echo = ({ method, url, body }: { method: string; url: string; body: string }) =>
  `<title>Got</title><h1>${method} ${url}</h1><p>${body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`

const signUp = `<title>Sign up</title><form id="f" method="post" action="/done">
  <label>First name <input name="first"></label><label>E-mail <input name="mail" type="email"></label>
  <label>Country <select name="land"><option value="de">Germany<option value="fr">France</select></label>
  <fieldset><legend>Plan</legend><label><input type="radio" name="plan" value="free"> Free</label><label><input type="radio" name="plan" value="pro"> Pro</label></fieldset>
  <label><input type="checkbox" name="news"> Newsletter</label><label>Password <input type="password" name="pw"></label>
  <label>About <textarea name="about"></textarea></label><button>Create</button></form>`

describe('acting on a page', () => {
  it('reads back what a field holds, and masks secrets (PAGES-ACT-1, PAGES-ACT-5)', async () => {
    const { page } = await open({ '/': signUp })
    const typed = await page.act({ action: 'type', target: { query: { label: 'First name' } }, value: 'Ada' }, {}, call)
    expect(typed).toMatchObject({
      action: 'primitive.type',
      effects: { navigation: false, somChanged: true, value: 'Ada' },
    })
    const appended = await page.act(
      { action: 'type', target: { query: { label: 'First name' } }, value: ' L', options: { append: true } },
      {},
      call,
    )
    expect(appended.effects.value).toBe('Ada L')
    const again = await page.act(
      { action: 'type', target: { query: { label: 'First name' } }, value: 'Ada L' },
      {},
      call,
    )
    expect(again.effects).toMatchObject({ somChanged: false })
    const secret = await page.act(
      { action: 'type', target: { query: { label: 'Password' } }, value: 'hunter2' },
      {},
      call,
    )
    expect(secret.effects).toMatchObject({ somChanged: true, value: { masked: true, filled: true } })
    expect(JSON.stringify([secret, await page.snapshot({ outline: true }, call)])).not.toContain('hunter2')
    const token = await page.act(
      { action: 'type', target: { query: { label: 'About' } }, value: 'tok-77', options: { secret: true } },
      {},
      call,
    )
    expect(token.effects.value).toEqual({ masked: true, filled: true })
    expect(JSON.stringify(await page.snapshot({ outline: true }, call))).not.toContain('tok-77')
    const cleared = await page.act({ action: 'clear', target: { query: { label: 'First name' } } }, {}, call)
    expect(cleared.effects.value).toBe('')
  })

  it('fills a form by labels, names, choices and legends, step by step, and sends it (PAGES-ACT-3)', async () => {
    const { web, page } = await open({ '/': signUp, '/done': echo })
    const result = await page.act(
      {
        action: 'fill_form',
        value: {
          'First name': 'Ada',
          Email: 'ada@example.org',
          Country: 'France',
          Plan: 'Pro',
          Newsletter: true,
          Password: 'pw1',
          about: 'x',
        },
        options: { submit: true },
      },
      {},
      call,
    )
    expect(result.action).toBe('semantic.fill_form')
    expect(result.steps?.map(({ field, value }) => [field, value])).toEqual([
      ['First name', 'Ada'],
      ['Email', 'ada@example.org'],
      ['Country', 'France'],
      ['Plan', true],
      ['Newsletter', true],
      ['Password', { masked: true, filled: true }],
      ['about', 'x'],
      [undefined, undefined],
    ])
    expect(web.seen.at(-1)?.body).toBe('first=Ada&mail=ada%40example.org&land=fr&plan=pro&news=on&pw=pw1&about=x')
  })

  it('touches nothing when one label is wrong, and names the fields there are', async () => {
    const { page } = await open({ '/': signUp })
    const before = await page.snapshot({}, call)
    await expect(
      page.act({ action: 'fill_form', value: { 'First name': 'Ada', 'Shoe size': '42' } }, {}, call),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: { missing: ['Shoe size'], fields: expect.arrayContaining(['First name', 'Country']) },
    })
    expect((await page.snapshot({}, call)).cursor).toBe(before.cursor)
  })

  it('names the options of a choice that does not exist, and says what was done before it', async () => {
    const { page } = await open({ '/': signUp })
    await expect(
      page.act({ action: 'fill_form', value: { 'First name': 'Ada', Country: 'Atlantis' } }, {}, call),
    ).rejects.toMatchObject({
      details: { reason: 'UNKNOWN_OPTION', options: ['Germany', 'France'], stepsDone: ['fill First name'] },
    })
  })

  it('chooses, toggles, checks and unchecks, once', async () => {
    const { page } = await open({ '/': signUp })
    const value = async (action: string, target: object, given?: string) =>
      (await page.act({ action, target, ...(given === undefined ? {} : { value: given }) }, {}, call)).effects.value
    expect(await value('choose', { query: { label: 'Country' } }, 'France')).toBe('France')
    expect(await value('select', { query: { role: 'radio', label: 'Pro' } })).toBe(true)
    expect(await value('check', { query: { label: 'Newsletter' } })).toBe(true)
    expect(await value('check', { query: { label: 'Newsletter' } })).toBe(true)
    expect(await value('toggle', { query: { label: 'Newsletter' } })).toBe(false)
    expect(await value('uncheck', { query: { label: 'Newsletter' } })).toBe(false)
    expect((await page.act({ action: 'choose', value: 'Free' }, {}, call)).effects.value).toBe(true)
  })

  it('sends a form by its name, its button or its only form', async () => {
    const two = `<form aria-label="Search" action="/s"><input name="q" value="1"></form><form aria-label="Checkout" action="/c"><button name="b" value="x">Pay</button></form>`
    const { web, page } = await open({ '/': two, '/s': echo, '/c': echo })
    await expect(page.act({ action: 'submit_form' }, {}, call)).rejects.toMatchObject({ code: 'conflict' })
    await page.act({ action: 'submit_form', target: { query: { role: 'form', text: 'Checkout' } } }, {}, call)
    expect(web.seen.at(-1)?.url).toBe('/c?b=x')
  })

  it('searches, wherever the field is called so', async () => {
    const pages = [
      '<form action="/s"><input type="search" name="q"></form>',
      '<form action="/s"><input name="q" placeholder="Suche"></form><form><input name="other"></form>',
      '<form action="/s" role="search"><input name="q"><button>Go</button></form>',
    ]
    for (const html of pages) {
      const { web, page } = await open({ '/': html, '/s': '<title>Results</title><a href="/1">one</a>' })
      const result = await page.act({ action: 'search', value: 'blue shoes' }, {}, call)
      expect(result).toMatchObject({ action: 'semantic.search', effects: { navigation: 'document' } })
      expect(web.seen.at(-1)?.url).toBe('/s?q=blue+shoes')
    }
    const { page } = await open({ '/': '<p>nothing</p>' })
    await expect(page.act({ action: 'intent.search', value: 'x' }, {}, call)).rejects.toMatchObject({
      details: { reason: 'NO_SEARCH_FIELD' },
    })
  })

  it('goes through the pages of a list', async () => {
    const list = (at: number) =>
      `<title>Page ${at}</title><nav><a href="/p${at - 1}">‹ Previous</a> <a href="/p1">1</a> <a href="/p3">3</a> <a href="/p${at + 1}">Next ›</a></nav>`
    const { page } = await open({ '/': list(1), '/p0': list(0), '/p1': list(1), '/p2': list(2), '/p3': list(3) })
    await page.act({ action: 'paginate' }, {}, call)
    expect((await page.snapshot({}, call)).som['title']).toBe('Page 2')
    await page.act({ action: 'paginate', value: 'previous' }, {}, call)
    expect((await page.snapshot({}, call)).som['title']).toBe('Page 1')
    await page.act({ action: 'paginate', value: 3 }, {}, call)
    expect((await page.snapshot({}, call)).som['title']).toBe('Page 3')
    await expect(page.act({ action: 'paginate', value: 9 }, {}, call)).rejects.toMatchObject({
      details: { reason: 'NO_SUCH_PAGE' },
    })
  })

  it('logs in on one page or two, and claims nothing about the outcome', async () => {
    const one =
      '<form method="post" action="/in"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>'
    const { web, page } = await open({
      '/': one,
      '/in': ({ body }) => (body.includes('p=right') ? '<title>Home</title>' : `<title>Again</title>${one}`),
      '/two': '<form action="/second"><input type="email" name="e" aria-label="E-mail"><button>Next</button></form>',
      '/second': '<form method="post" action="/in"><input type="password" name="p" aria-label="Password"></form>',
    })
    const wrong = await page.act({ action: 'login', value: { username: 'ada', password: 'wrong' } }, {}, call)
    expect(wrong.effects).toMatchObject({ stillAsksForPassword: true })
    const right = await page.act({ action: 'intent.login', value: { username: 'ada', password: 'right' } }, {}, call)
    expect(right).toMatchObject({ effects: { navigation: 'document', stillAsksForPassword: false } })
    expect(JSON.stringify([wrong, right])).not.toMatch(/wrong|right/)
    await page.navigate(`${web.url}/two`, {}, call)
    const twice = await page.act(
      { action: 'login', value: { username: 'ada@example.org', password: 'right' } },
      {},
      call,
    )
    expect(twice.steps?.map(({ action }) => action)).toEqual(['type', 'submit', 'type', 'submit'])
    expect((await page.snapshot({}, call)).som['title']).toBe('Home')
  })

  it('checks out over several pages and tells what was never asked for', async () => {
    const { web, page } = await open({
      '/': '<form action="/pay"><label>Name <input name="n" required></label><button>Continue</button></form>',
      '/pay':
        '<form method="post" action="/done"><label>Card number <input name="c" autocomplete="cc-number"></label><button>Place order</button></form>',
      '/done': '<title>Thank you</title><h1>Order 17</h1>',
    })
    const result = await page.act(
      { action: 'checkout', value: { Name: 'Ada', 'Card number': '4242424242424242', Gift: 'yes' } },
      {},
      call,
    )
    expect(result.effects).toMatchObject({ pages: 2, unusedFields: ['Gift'], url: `${web.url}/done` })
    expect(result.steps?.map(({ action, title, field }) => title ?? field ?? action)).toEqual([
      'Name',
      'submit',
      '',
      'Card number',
      'submit',
      'Thank you',
    ])
    expect(JSON.stringify(result)).not.toContain('4242')
    expect(web.seen.at(-1)?.body).toBe('c=4242424242424242')
  })

  it('uploads files given as base64', async () => {
    const { web, page } = await open({
      '/': '<form method="post" enctype="multipart/form-data" action="/up"><label>Photo <input type="file" name="f"></label><button>Send</button></form>',
      '/up': '<title>Up</title>',
    })
    const target = { query: { label: 'Photo' } }
    const up = await page.act(
      { action: 'upload', target, value: { name: '../p.txt', data: btoa('hello'), content_type: 'text/plain' } },
      {},
      call,
    )
    expect(up.effects.value).toBe('p.txt')
    await page.act({ action: 'click', target: button('Send') }, {}, call)
    expect(web.seen.at(-1)?.body).toContain('filename="p.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n')
    await page.back({}, call)
    await expect(
      page.act({ action: 'upload', target, value: { name: 'x', data: '!!' } }, {}, call),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('tells an honest no where only script could do something', async () => {
    const { page } = await open({ '/': '<button type="button">Magic</button><p contenteditable>edit me</p>' })
    const click = await page.act({ action: 'click', target: button('Magic') }, {}, call)
    expect(click).toMatchObject({
      effects: { navigation: false, somChanged: false },
      warnings: [expect.stringContaining('page script')],
    })
    await expect(
      page.act({ action: 'type', target: { query: { text: 'edit me' } }, value: 'x' }, {}, call),
    ).rejects.toMatchObject({ code: 'unsupported' })
    await expect(page.evaluate('1', call)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(page.screenshot(undefined, call)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(page.answerDialog(true, undefined)).rejects.toMatchObject({ details: { reason: 'NO_DIALOG' } })
  })

  it('never lets an old reference hit something else (PAGES-GOAL-1, PAGES-ACT-4)', async () => {
    let turn = 0
    const { web, page } = await open({
      '/': () =>
        turn++ === 0 ? '<button>Delete Ada</button><button>Delete Bo</button>' : '<button>Delete Bo</button>',
      '/else': '<title>Else</title><p>moved</p><button>Delete Ada</button>',
    })
    const ids = elements((await page.snapshot({}, call)).som).map(({ id }) => id)
    await page.reload({}, call)
    await expect(page.act({ action: 'click', target: { elementRef: ids[0] ?? '' } }, {}, call)).rejects.toMatchObject({
      code: 'not_found',
      details: { reason: 'STALE_REF' },
    })
    const kept = await page.act({ action: 'click', target: { elementRef: ids[1] ?? '' } }, {}, call)
    expect(kept.target).toMatchObject({ text: 'Delete Bo' })
    const fallback = await page.act(
      { action: 'click', target: { elementRef: ids[0] ?? '', fallback: [{ query: { text: 'Delete Bo' } }] } },
      {},
      call,
    )
    expect(fallback.target).toMatchObject({ text: 'Delete Bo', fallback: 0 })
    await page.navigate(`${web.url}/else`, {}, call)
    await expect(page.act({ action: 'click', target: { elementRef: ids[0] ?? '' } }, {}, call)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('asks which of several is meant', async () => {
    const { page } = await open({ '/': '<button>Buy</button><button>Buy</button>' })
    await expect(page.act({ action: 'click', target: button('Buy') }, {}, call)).rejects.toMatchObject({
      code: 'conflict',
      details: { candidates: [expect.stringMatching(/^e_/), expect.stringMatching(/^e_/)] },
    })
    await expect(page.act({ action: 'click' }, {}, call)).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(page.act({ action: 'levitate' }, {}, call)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
