import { describe, expect, it } from 'vitest'
import { call, elements, open } from './world.ts'

describe('navigation', () => {
  it('shows a page and follows a link on it', async () => {
    const { web, page } = await open({
      '/': '<title>Start</title><h1>Start</h1><a href="/next">Go on</a>',
      '/next': '<title>Next</title><h1>Next page</h1>',
    })
    const first = await page.snapshot({}, call)
    expect(first.som).toMatchObject({ title: 'Start', url: `${web.url}/` })
    const result = await page.act({ action: 'click', target: { query: { role: 'link', text: 'Go on' } } }, {}, call)
    expect(result).toMatchObject({
      action: 'primitive.click',
      effects: { navigation: 'document', somChanged: true, url: `${web.url}/next` },
      target: { role: 'link', confidence: 1 },
    })
    const second = await page.snapshot({}, call)
    expect(second.cursor).toBeGreaterThan(first.cursor)
    expect(elements(second.som)[0]).toMatchObject({ role: 'heading', text: 'Next page' })
  })
})
