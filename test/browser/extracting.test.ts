import { describe, expect, it } from 'vitest'
import { call, open } from './world.ts'

const shop = `<!doctype html><html lang="de"><title>Laden</title><script type="application/ld+json">{"@type":"Product","name":"Amp"}</script>
  <h1>Verstärker</h1><p>Preis: <b class="price">1.299,50 €</b></p><p>Lieferung <time datetime="2026-12-03">am Donnerstag</time></p>
  <p id="stock">yes</p><a href="/more">Mehr</a>
  <div class="card"><h2>Amp A</h2><span class="price">99,90 €</span><a href="/a">zu A</a></div>
  <div class="card"><h2>Amp B</h2><span class="price">1.050,00 €</span><a href="/b">zu B</a></div>
  <div class="card"><h2>Ohne Preis</h2><a href="/c">zu C</a></div>
  <table><tr><th>Name</th><th>Unit price</th><th>In stock</th></tr><tr><td>Kabel</td><td>3,50</td><td>yes</td></tr><tr><td>Röhre</td><td>20,00</td><td>no</td></tr></table>`

describe('extraction', () => {
  it('reads typed values by queries, in the language of the page, with provenance and raw text (PAGES-EXT-1, PAGES-EXT-2)', async () => {
    const { web, page } = await open({ '/': shop })
    const result = await page.extract(
      {
        schema: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            price: { type: 'number' },
            money: { type: 'object' },
            due: { type: 'string', format: 'date' },
            stock: { type: 'boolean' },
            more: { type: 'string', format: 'uri' },
            nothing: { type: ['string', 'null'] },
          },
          required: ['title', 'price'],
        },
        queries: {
          title: { query: { role: 'heading', level: 1 } },
          price: { query: { css: 'b.price' } },
          money: { query: { css: 'b.price' } },
          due: { query: { css: 'time' } },
          more: { query: { text: 'Mehr' } },
          nothing: { query: { css: '.none' } },
        },
      },
      call,
    )
    expect(result.data).toEqual({
      title: 'Verstärker',
      price: 1299.5,
      money: { amount: 1299.5, currency: 'EUR' },
      due: '2026-12-03',
      stock: true,
      more: `${web.url}/more`,
      nothing: null,
    })
    expect(result.raw).toMatchObject({ price: '1.299,50 €' })
    expect(result.provenance).toMatchObject({ title: expect.stringMatching(/^e_/), nothing: null })
  })

  it('reads lists of records from a repeating part, and says which records lack a field', async () => {
    const { web, page } = await open({ '/': shop })
    const result = await page.extract(
      {
        schema: {
          type: 'object',
          properties: {
            items: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  title: { type: 'string' },
                  price: { type: 'number' },
                  url: { type: 'string', format: 'uri' },
                },
                required: ['price'],
              },
            },
          },
        },
        queries: { items: { query: { css: '.card' }, fields: { title: { query: { role: 'heading' } } } } },
      },
      call,
    )
    expect(result.data).toEqual({
      items: [
        { title: 'Amp A', price: 99.9, url: `${web.url}/a` },
        { title: 'Amp B', price: 1050, url: `${web.url}/b` },
      ],
    })
    expect(result.provenance['items']).toHaveLength(2)
    expect(result.invalid).toEqual(['items.2 has no price'])
  })

  it('finds the table whose header names the fields', async () => {
    const { page } = await open({ '/': shop })
    const { data } = await page.extract(
      {
        schema: {
          type: 'object',
          properties: {
            parts: {
              type: 'array',
              items: {
                type: 'object',
                properties: { name: { type: 'string' }, unitPrice: { type: 'number' }, in_stock: { type: 'boolean' } },
              },
            },
          },
        },
      },
      call,
    )
    expect(data).toEqual({
      parts: [
        { name: 'Kabel', unitPrice: 3.5, in_stock: true },
        { name: 'Röhre', unitPrice: 20, in_stock: false },
      ],
    })
  })

  it('gives all matches, props and several of them', async () => {
    const { web, page } = await open({ '/': shop })
    const { data, provenance } = await page.extract(
      {
        queries: {
          links: { query: { role: 'link' }, all: true, props: ['text', 'href'] },
          prices: { query: { textRegex: '[0-9.]+,[0-9]{2} €' }, all: true },
        },
      },
      call,
    )
    expect(data).toMatchObject({
      links: [{ text: 'Mehr', href: `${web.url}/more` }, {}, {}, {}],
      prices: ['1.299,50 €', '99,90 €', '1.050,00 €'],
    })
    expect(provenance['links']).toHaveLength(4)
  })

  it('names required fields that are missing or not what they should be', async () => {
    const { page } = await open({ '/': '<p id="price">from 5 to 10</p><p id="day">soon</p>' })
    await expect(
      page.extract(
        {
          schema: {
            type: 'object',
            properties: { price: { type: 'number' }, day: { type: 'string', format: 'date' }, gone: {} },
            required: ['price', 'day', 'gone'],
          },
          queries: { gone: { query: { css: '.gone' } } },
        },
        call,
      ),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: {
        reason: 'MISSING_FIELDS',
        missing: ['price', 'day', 'gone'],
        invalid: ['price holds several numbers', 'day is no date'],
      },
    })
  })

  it('gives structured data, interactive elements and the value behind a reference', async () => {
    const { page } = await open({ '/': `${shop}<label>Menge <input value="3"></label>` })
    expect((await page.extract({ structuredData: true }, call)).data).toMatchObject({
      structured_data: { json_ld: [{ name: 'Amp' }] },
    })
    const { data } = await page.extract({ interactiveElements: true }, call)
    expect(data).toMatchObject({
      count: 5,
      interactive_elements: expect.arrayContaining([expect.objectContaining({ role: 'link', text: 'Mehr' })]),
    })
    const elementRef =
      (data as unknown as { interactive_elements: { id: string; label?: string }[] }).interactive_elements.find(
        ({ label }) => label === 'Menge',
      )?.id ?? ''
    const one = await page.extract(
      {
        schema: { type: 'object', properties: { amount: { type: 'integer' } } },
        queries: { amount: { query: { elementRef } } },
      },
      call,
    )
    expect(one).toMatchObject({ data: { amount: 3 }, provenance: { amount: elementRef } })
  })

  it('refuses an empty query, a bad selector, a bad pattern and a schema that is none', async () => {
    const { page } = await open({ '/': shop })
    const ask = (query: object, schema?: object) =>
      page.extract({ queries: { a: { query } }, ...(schema === undefined ? {} : { schema: schema as never }) }, call)
    await expect(ask({})).rejects.toMatchObject({ code: 'invalid_request', details: { path: 'params.queries.a' } })
    await expect(ask({ css: '[[' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(ask({ textRegex: '(' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(ask({ css: 'p' }, { type: 'array' })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
