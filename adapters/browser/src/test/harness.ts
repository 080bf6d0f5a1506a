import { agentStore, approvalQueue, holdClient, type ToolOptions } from '@domos/core/adapter'
import type { AdapterHarness, ContractPart } from '@domos/testing/adapter'
import { type CallDetail, connectChat, createDomOSClient, discover } from '../index.ts'

export { cases } from './cases.ts'

/** Pages whose elements declare everything by attributes, for the contract. */
export const harness: AdapterHarness = {
  mount(options, first) {
    const client = createDomOSClient(options)
    const box = document.body.appendChild(document.createElement('div'))
    const shownParts = new Map<string, { readonly element: HTMLElement; take(): void }>()
    const form = new DOMParser().parseFromString(CHAT, 'text/html').querySelector('main') as HTMLElement
    box.append(form)
    const render = (parts: readonly ContractPart[]) => {
      for (const [key, { element, take }] of shownParts) {
        if (parts.some((part) => part.key === key)) continue
        take()
        element.remove()
        shownParts.delete(key)
      }
      for (const part of parts) {
        const known = shownParts.get(part.key)
        known?.take()
        const element = known?.element ?? document.createElement('section')
        const registered = draw(element, part)
        box.insertBefore(element, form)
        const ends = registered.flatMap((tool) => {
          const end = client.registerTool(tool)
          return tool.global ? [] : [end]
        })
        shownParts.set(part.key, { element, take: () => ends.forEach((end) => void end()) })
      }
    }
    render(first)
    const ends = [discover(client, { root: box }), connectChat(client, box), holdClient(client)]
    const text = (name: string) => box.querySelector(`[data-domos-show=${name}]`)?.textContent ?? ''
    return {
      client,
      render,
      shown() {
        const { isConnected, isThinking, isStreaming, error } = agentStore(client).getSnapshot()
        const pending = approvalQueue(client)
          .getSnapshot()
          .map(({ toolName }) => toolName)
        const told = { state: text('state'), response: text('response'), error: text('error') && (error?.code ?? '') }
        return { ...told, isConnected, isThinking, isStreaming, pending }
      },
      sendText(words) {
        const field = box.querySelector('input')
        if (field) field.value = words
        box.querySelector('form')?.requestSubmit()
      },
      stop: () => box.querySelector('button')?.click(),
      approve: () => void approvalQueue(client).approve(),
      deny: () => void approvalQueue(client).deny(),
      unmount() {
        for (const end of ends) end()
        for (const { take } of shownParts.values()) take()
        box.remove()
      },
    }
  },
}

const CHAT = `<main>
  <form data-domos-send><input></form>
  <button type="button" data-domos-stop>Stop</button>
  <p data-domos-show="state"></p><p data-domos-show="response"></p><p data-domos-show="error"></p>
</main>`

/** Draws a part; gives back the tools that no attribute can express: their schema is code, or they outlive elements. */
function draw(element: HTMLElement, part: ContractPart): readonly ToolOptions[] {
  if (part.context) element.setAttribute('data-domos-context', JSON.stringify(part.context))
  else element.removeAttribute('data-domos-context')
  const tools = (part.tools ?? []).filter(({ enabled }) => enabled !== false)
  const code = tools.filter(({ parameters, global }) => global || (parameters && '~standard' in parameters))
  element.replaceChildren(...tools.filter((tool) => !code.includes(tool)).map(drawTool))
  return code
}

function drawTool({ name, description, risk, parameters, navigates, handler }: ToolOptions): HTMLElement {
  const button = document.createElement('button')
  button.setAttribute('data-domos-tool', name)
  button.setAttribute('data-domos-description', description)
  if (risk) button.setAttribute('data-domos-risk', risk)
  if (navigates) button.setAttribute('data-domos-navigates', '')
  if (parameters) button.setAttribute('data-domos-schema', JSON.stringify(parameters))
  button.addEventListener('domos:call', (event) => {
    event.preventDefault()
    const { args, callId, signal, respondWith } = (event as CustomEvent<CallDetail>).detail
    const context = { callId, signal, sessionId: undefined, progress: () => {} }
    respondWith((async () => handler(args as never, context))())
  })
  return button
}
