import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { DomOSProvider, useAgent, useAgentContext, useTool } from './index.ts'

it('renders on a server without a document, a connection or a word on the console', () => {
  expect(typeof document).toBe('undefined')
  const complaint = vi.spyOn(console, 'error')
  const transport = vi.fn(() => new Promise<never>(() => {}))
  const Page = () => {
    const { state, isConnected } = useAgent()
    useTool({ name: 'list', description: 'Lists', handler: () => 1 })
    useAgentContext({ page: 'tasks' })
    return <p>{`${state} ${isConnected}`}</p>
  }
  const html = renderToString(
    <DomOSProvider endpoint="ws://tasks.test/adtp" transport={transport}>
      <Page />
    </DomOSProvider>,
  )
  expect(html).toBe('<p>idle false</p>')
  expect(transport).not.toHaveBeenCalled()
  expect(complaint).not.toHaveBeenCalled()
})
