import { expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { DomOSPlugin, useAgent, useAgentContext, useTool } from './index.ts'

it('renders on a server without a document, a connection or a word on the console', async () => {
  expect(typeof document).toBe('undefined')
  const warned = vi.spyOn(console, 'warn')
  const transport = vi.fn(() => new Promise<never>(() => {}))
  const Page = defineComponent(() => {
    const { state, isConnected } = useAgent()
    useTool({ name: 'list', description: 'Lists', handler: () => 1 })
    useAgentContext({ page: 'tasks' })
    return () => h('p', `${state.value} ${isConnected.value}`)
  })
  const app = createSSRApp(Page).use(DomOSPlugin, { endpoint: 'ws://tasks.test/adtp', transport })
  expect(await renderToString(app)).toBe('<p>idle false</p>')
  expect(transport).not.toHaveBeenCalled()
  expect(warned).not.toHaveBeenCalled()
})
