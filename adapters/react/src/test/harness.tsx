import type { DomOSClientOptions } from '@domos/core'
import type { AdapterHarness, ContractPart, ShownAgent } from '@domos/testing/adapter'
import { Fragment, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  type Agent,
  type Approvals,
  DomOSProvider,
  useAgent,
  useAgentContext,
  useApproval,
  useTools,
} from '../index.ts'

/** Pages of React components in strict mode, for the contract. */
export const harness: AdapterHarness = {
  async mount(options, parts) {
    const box = document.body.appendChild(document.createElement('div'))
    const root = createRoot(box)
    const page: Page = {}
    const render = (shown: readonly ContractPart[]) => root.render(<App options={options} parts={shown} page={page} />)
    render(parts)
    while (!page.agent) await new Promise((next) => setTimeout(next, 0))
    return {
      client: page.agent.client,
      render,
      shown: () => JSON.parse(box.textContent ?? '') as ShownAgent,
      sendText: (text) => void page.agent?.sendText(text),
      stop: () => page.agent?.stop(),
      approve: () => void page.approvals?.approve(),
      deny: () => void page.approvals?.deny(),
      unmount() {
        root.unmount()
        box.remove()
      },
    }
  },
}

interface Page {
  agent?: Agent
  approvals?: Approvals
}

function App(props: {
  readonly options: DomOSClientOptions
  readonly parts: readonly ContractPart[]
  readonly page: Page
}): ReactNode {
  return (
    <StrictMode>
      <DomOSProvider {...props.options}>
        {props.parts.map((part) => (
          <Part key={part.key} part={part} />
        ))}
        <Shown page={props.page} />
      </DomOSProvider>
    </StrictMode>
  )
}

function Part({ part }: { readonly part: ContractPart }): ReactNode {
  useTools(part.tools ?? [])
  useAgentContext(part.context)
  return <Fragment />
}

function Shown({ page }: { readonly page: Page }): ReactNode {
  const agent = useAgent()
  const approvals = useApproval()
  Object.assign(page, { agent, approvals })
  const { state, isConnected, isThinking, response, isStreaming, error } = agent
  const pending = approvals.pending.map(({ toolName }) => toolName)
  const shown: ShownAgent = { state, isConnected, isThinking, response, isStreaming, error: error?.code ?? '', pending }
  return <pre>{JSON.stringify(shown)}</pre>
}
