import { createBrowsingTools } from '@domos/headless'
import type { JsonObject, ToolCall } from '@domos/spec'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anybody, browsing, site } from './world.ts'

const toolCall: ToolCall = {
  id: 'call_1',
  sessionId: 's',
  turnId: 't',
  signal: new AbortController().signal,
  risk: 'none',
  progress() {},
}

async function openTools() {
  const made = createBrowsingTools(await browsing(), anybody)
  onTestFinished(() => made.close())
  const run = async (name: string, args: JsonObject) => {
    const found = made.tools.find((tool) => tool.name === name)
    if (found === undefined) throw new Error(`no tool ${name}`)
    return found.execute(args, toolCall)
  }
  return { ...made, run }
}

describe('pages as tools of the inner agent', () => {
  it('open, show, find, act and extract, with page text fenced as untrusted', async () => {
    const web = await site({
      '/': '<title>Shop</title><h1>Shop\u200b</h1><form action="/s"><label>Search <input name="q"></label></form>',
      '/s': '<title>Results</title><h1>3 results</h1><a href="/1">Blue shoe</a>',
    })
    const { run, tools } = await openTools()
    expect(tools.map(({ name, risk }) => [name, risk])).toEqual([
      ['browse_open', 'none'],
      ['browse_observe', 'none'],
      ['browse_find', 'none'],
      ['browse_act', 'high'],
      ['browse_extract', 'none'],
      ['browse_close', 'none'],
    ])
    const opened = await run('browse_open', { url: `${web.url}/` })
    expect(opened).toMatchObject({ type: 'success', value: { status: 200, trust: 'page', url: `${web.url}/` } })
    const content = String((opened as { value: JsonObject }).value['content'])
    expect(content).toMatch(/^<(page-[0-9a-f]{12})>\n[\s\S]*Shop\n[\s\S]*\n<\/\1>$/)
    expect(content).not.toContain('\u200b')
    const acted = await run('browse_act', { action: 'search', value: 'blue' })
    expect(acted).toMatchObject({
      type: 'success',
      value: { action: 'semantic.search', page: { url: `${web.url}/s?q=blue` } },
    })
    const found = await run('browse_find', { query: { role: 'link' } })
    expect(JSON.stringify(found)).toContain('Blue shoe')
    const extracted = await run('browse_extract', {
      schema: { type: 'object', properties: { count: { type: 'integer' } } },
      queries: { count: { role: 'heading' } },
    })
    expect(JSON.stringify(extracted)).toContain('{\\"count\\":3}')
    expect(await run('browse_close', {})).toEqual({ type: 'success', value: { closed: true } })
  })

  it('give failures as values a model can act on', async () => {
    const { run } = await openTools()
    expect(await run('browse_open', { url: 'file:///etc/hostname' })).toMatchObject({
      type: 'failure',
      code: 'failed',
      message: expect.stringContaining('POLICY_DENIED'),
    })
    expect(await run('browse_act', { action: 'click', target: { element_ref: '1' } })).toMatchObject({
      type: 'failure',
      message: expect.stringContaining('navigate first'),
    })
    expect(await run('browse_find', { query: 'text' })).toMatchObject({ type: 'failure' })
  })
})
