// @vitest-environment happy-dom
import '@angular/compiler'
import {
  type ApplicationRef,
  Component,
  createEnvironmentInjector,
  InjectionToken,
  inject,
  provideZonelessChangeDetection,
  runInInjectionContext,
  signal,
} from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import { DomOSClient } from '@domos/core'
import { afterEach, beforeEach, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { injectAgentContext, injectApproval, injectDomOS, injectDomOSEvent, injectTool, provideDomOS } from './index.ts'

let client: DomOSClient
let app: ApplicationRef | undefined
const shown = signal(true)

/** What a test puts into the component. */
const SETUP = new InjectionToken<() => void>('setup')

class Setup {
  constructor() {
    inject(SETUP)()
  }
}
Component({ selector: 'x-setup', template: '' })(Setup)

class App {
  readonly shown = shown
}
Component({ selector: 'x-app', imports: [Setup], template: '@if (shown()) { <x-setup /> }' })(App)

beforeEach(() => {
  client = new DomOSClient({
    endpoint: 'ws://tasks.test/adtp',
    approvals: 'none',
    transport: () => new Promise(() => {}),
  })
  shown.set(true)
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  if (app && !app.destroyed) app.destroy()
  client.destroy()
})

async function open(setup: () => void): Promise<void> {
  const providers = [provideZonelessChangeDetection(), { provide: SETUP, useValue: setup }, provideDomOS({ client })]
  app = await createApplication({ providers })
  app.bootstrap(App, document.body.appendChild(document.createElement('x-app')))
  await app.whenStable()
}

async function set<T>(value: { set(next: T): void }, next: T): Promise<void> {
  value.set(next)
  await app?.whenStable()
}

it('a tool gets the types of its arguments from its schema', async () => {
  await open(() => {
    injectTool({
      name: 'add',
      description: 'Adds',
      parameters: z.object({ title: z.string(), count: z.number().default(1) }),
      handler: (args) => expectTypeOf(args).toEqualTypeOf<{ title: string; count: number }>(),
    })
    injectTool(() => ({
      name: 'rename',
      description: 'Renames',
      parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      handler: ({ title }) => expectTypeOf(title).toEqualTypeOf<string>(),
    }))
  })
  expect(client.registeredTools.map(({ name }) => name)).toEqual(['add', 'rename'])
})

it('tools and context follow signals without a zone, and go with the component', async () => {
  const name = signal('list')
  await open(() => {
    injectTool(() => ({ name: name(), description: 'Lists', handler: () => 1 }))
    injectAgentContext(() => ({ [name()]: true }))
  })
  expect([client.hasTool('list'), client.getContext()]).toEqual([true, { list: true }])
  await set(name, 'search')
  expect([client.hasTool('list'), client.hasTool('search'), client.getContext()]).toEqual([
    false,
    true,
    { search: true },
  ])
  await set(shown, false)
  expect([client.toolCount, client.getContext()]).toEqual([0, {}])
  await set(shown, true)
  expect([client.toolCount, client.getContext()]).toEqual([1, { search: true }])
})

it('a global tool stays after its component, an event listener does not', async () => {
  const heard: string[] = []
  await open(() => {
    injectTool({ name: 'home', description: 'Goes home', global: true, handler: () => 1 })
    injectDomOSEvent('connection.state.changed', ({ state }) => heard.push(state))
  })
  void client.connect()
  await set(shown, false)
  client.disconnect()
  expect([client.toolCount, heard]).toEqual([1, ['connecting']])
})

it('an application without provideDomOS is told so; approvals of one’s own need the mark that they are unsafe', async () => {
  app = await createApplication({ providers: [provideZonelessChangeDetection()] })
  const { injector } = app
  expect(() => runInInjectionContext(injector, injectDomOS)).toThrow('provideDomOS()')
  const route = createEnvironmentInjector([provideDomOS({ client })], injector)
  expect(() => runInInjectionContext(route, injectApproval)).toThrow('custom-unsafe')
  route.destroy()
})
