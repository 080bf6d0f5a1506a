import { describe, expect, it } from 'vitest'
import { connect, openDoor } from './door.ts'
import { site } from './world.ts'

describe('the browser door, over a real socket', () => {
  it.each(['json', 'msgpack'] as const)('opens a page, shows it and clicks a link, in %s', async (encoding) => {
    const web = await site({
      '/': '<title>Start</title><a href="/next">Go on</a>',
      '/next': '<title>Next</title><h1>Next page</h1>',
    })
    const client = await connect((await openDoor()).url, { encoding })
    const session = await client.createSession()
    const page = await session.createPage()
    expect(await page.navigate(`${web.url}/`)).toMatchObject({ status: 200, title: 'Start', engine: 'static' })
    const result = await page.click({ query: { role: 'link', text: 'Go on' } })
    expect(result).toMatchObject({ effects: { navigation: 'document', somChanged: true } })
    expect((await page.observe()).som).toMatchObject({ title: 'Next' })
  })
})
