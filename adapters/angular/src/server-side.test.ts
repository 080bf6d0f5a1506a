import '@angular/compiler'
import { Component, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideServerRendering, renderApplication } from '@angular/platform-server'
import type { DomOSClient } from '@domos/core'
import { expect, it, vi } from 'vitest'
import { injectAgent, injectAgentContext, injectDomOS, injectTool, provideDomOS } from './index.ts'

let client: DomOSClient | undefined

class Page {
  readonly agent = injectAgent()
  constructor() {
    client = injectDomOS()
    injectTool({ name: 'list', description: 'Lists', handler: () => 1 })
    injectAgentContext(() => ({ page: 'tasks' }))
  }
}
Component({ selector: 'x-page', template: '<p>{{ agent.state() }} {{ agent.isConnected() }}</p>' })(Page)

it('renders on a server without a document, a connection or a tool', async () => {
  expect(typeof document).toBe('undefined')
  const transport = vi.fn(() => new Promise<never>(() => {}))
  const providers = [
    provideZonelessChangeDetection(),
    provideServerRendering(),
    provideDomOS({ endpoint: 'ws://tasks.test/adtp', transport }),
  ]
  const html = await renderApplication((context) => bootstrapApplication(Page, { providers }, context), {
    allowedHosts: ['tasks.test'],
    document: '<html><body><x-page></x-page></body></html>',
    url: 'http://tasks.test/',
  })
  expect(html).toContain('<p>idle false</p>')
  expect([transport.mock.calls.length, client?.toolCount, client?.getContext()]).toEqual([0, 0, {}])
})
