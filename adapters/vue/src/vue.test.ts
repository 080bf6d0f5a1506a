// @vitest-environment happy-dom
import { DomOSClient } from '@domos/core'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { type App, createApp, createSSRApp, defineComponent, h, KeepAlive, nextTick, ref, shallowRef } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { z } from 'zod'
import {
  DomOSPlugin,
  provideDomOS,
  useAgent,
  useAgentContext,
  useAgentTool,
  useApproval,
  useDomOSClient,
  useDomOSEvent,
  useTool,
} from './index.ts'

let client: DomOSClient
let app: App | undefined
let box: HTMLElement

beforeEach(() => {
  box = document.body.appendChild(document.createElement('div'))
  client = new DomOSClient({
    endpoint: 'ws://tasks.test/adtp',
    approvals: 'none',
    transport: () => new Promise(() => {}),
  })
})
afterEach(() => {
  app?.unmount()
  client.destroy()
  box.remove()
})

const names = () => client.registeredTools.map(({ name }) => name)
const mount = (setup: () => () => unknown) => {
  app = createApp(defineComponent(setup as () => () => null)).use(DomOSPlugin, { client })
  app.mount(box)
}
const Tool = defineComponent({
  props: { name: { type: String, default: 'list' }, global: Boolean },
  setup(props) {
    useTool(() => ({ name: props.name, description: 'Lists', global: props.global, handler: () => 1 }))
    useAgentContext(() => ({ [props.name]: true }))
    return () => null
  },
})

it('a tool gets the types of its arguments from its schema', () => {
  mount(() => {
    useTool({
      name: 'add',
      description: 'Adds',
      parameters: z.object({ title: z.string(), count: z.number().default(1) }),
      handler: (args) => expectTypeOf(args).toEqualTypeOf<{ title: string; count: number }>(),
    })
    useTool(() => ({
      name: 'rename',
      description: 'Renames',
      parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      handler: ({ title }) => expectTypeOf(title).toEqualTypeOf<string>(),
    }))
    useAgentTool({ name: 'done', description: 'Ends', schema: z.object({ id: z.number() }) }, ({ id }) =>
      expectTypeOf(id).toEqualTypeOf<number>(),
    )
    return () => null
  })
  expect(names()).toEqual(['add', 'rename', 'done'])
})

it('a component that is kept alive out of sight offers nothing, and offers it again once, when it is shown', async () => {
  const declared = vi.spyOn(client, 'registerTool')
  const shown = ref(true)
  const name = ref('list')
  mount(() => () => h(KeepAlive, () => (shown.value ? h(Tool, { name: name.value }) : h('p'))))
  expect([names(), client.getContext()]).toEqual([['list'], { list: true }])
  shown.value = false
  await nextTick()
  expect([names(), client.getContext()]).toEqual([[], {}])
  shown.value = true
  await nextTick()
  expect([names(), client.getContext()]).toEqual([['list'], { list: true }])
  expect(declared).toHaveBeenCalledTimes(2)
  name.value = 'search'
  await nextTick()
  expect(names()).toEqual(['search'])
})

it('context follows a reactive list that is changed in place', async () => {
  const tasks = ref(['Milk'])
  mount(() => {
    useAgentContext(() => ({ tasks: tasks.value }))
    return () => null
  })
  tasks.value.push('Tea')
  await nextTick()
  expect(client.getContext()).toEqual({ tasks: ['Milk', 'Tea'] })
})

it('a global tool stays after its component', async () => {
  const shown = ref(true)
  mount(() => () => (shown.value ? h(Tool, { name: 'home', global: true }) : null))
  shown.value = false
  await nextTick()
  expect([names(), client.getContext()]).toEqual([['home'], {}])
})

it('a component may have a client of its own for the components below it, which ends with it', async () => {
  let own: DomOSClient | undefined
  const shown = ref(true)
  const Island = defineComponent(() => {
    own = provideDomOS({ endpoint: 'ws://other.test/adtp', transport: () => new Promise(() => {}) })
    return () => h(Tool)
  })
  mount(() => () => (shown.value ? h(Island) : null))
  expect([own?.toolCount, own?.state, client.toolCount]).toEqual([1, 'connecting', 0])
  shown.value = false
  await nextTick()
  await Promise.resolve()
  expect([own?.toolCount, own?.state]).toEqual([0, 'disconnected'])
})

it('an app without the plugin is told so; approvals of one’s own need the mark that they are unsafe', () => {
  const errors: string[] = []
  const run = (use: () => unknown, plugin: boolean) => {
    const tried = createApp(
      defineComponent(() => {
        use()
        return () => null
      }),
    )
    tried.config.errorHandler = (error) => errors.push((error as Error).message)
    tried.config.warnHandler = () => {}
    if (plugin) tried.use(DomOSPlugin, { client })
    tried.mount(document.createElement('div'))
    tried.unmount()
  }
  run(useDomOSClient, false)
  run(useApproval, true)
  expect(errors[0]).toContain('app.use(DomOSPlugin)')
  expect(errors[1]).toContain('custom-unsafe')
})

it('an event is heard while the component is there', async () => {
  const heard: string[] = []
  const shown = ref(true)
  const Ear = defineComponent(() => {
    useDomOSEvent('connection.state.changed', ({ state }) => heard.push(state))
    return () => null
  })
  mount(() => () => (shown.value ? h(Ear) : null))
  void client.connect()
  shown.value = false
  await nextTick()
  client.disconnect()
  expect(heard).toEqual(['connecting'])
})

describe('a page rendered on a server', () => {
  it('hydrates without a complaint, also when the client is under way already', async () => {
    const Page = defineComponent(() => {
      const { state } = useAgent()
      const count = shallowRef(3)
      useTool({ name: 'list', description: 'Lists', handler: () => count.value })
      useAgentContext(() => ({ count: count.value }))
      return () => h('p', state.value)
    })
    const warned = vi.spyOn(console, 'warn')
    const html = await renderToString(createSSRApp(Page).use(DomOSPlugin, { client }))
    expect([html, names()]).toEqual(['<p>idle</p>', []])
    void client.connect()
    box.innerHTML = html
    app = createSSRApp(Page).use(DomOSPlugin, { client })
    app.mount(box)
    await nextTick()
    expect([box.textContent, names(), client.getContext()]).toEqual(['connecting', ['list'], { count: 3 }])
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })
})
