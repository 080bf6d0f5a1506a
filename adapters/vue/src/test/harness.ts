import type { AdapterHarness, ContractPart, ShownAgent } from '@domos/testing/adapter'
import { createApp, defineComponent, h, type PropType, shallowRef } from 'vue'
import { type Agent, type Approvals, DomOSPlugin, useAgent, useAgentContext, useApproval, useTools } from '../index.ts'

/** Pages of Vue components, for the contract. */
export const harness: AdapterHarness = {
  mount(options, first) {
    const parts = shallowRef(first)
    let agent: Agent | undefined
    let approvals: Approvals | undefined
    const Shown = defineComponent(() => {
      const mine = useAgent()
      const asked = useApproval()
      agent = mine
      approvals = asked
      return () => {
        const shown: ShownAgent = {
          state: mine.state.value,
          isConnected: mine.isConnected.value,
          isThinking: mine.isThinking.value,
          response: mine.response.value,
          isStreaming: mine.isStreaming.value,
          error: mine.error.value?.code ?? '',
          pending: asked.pending.value.map(({ toolName }) => toolName),
        }
        return h('pre', JSON.stringify(shown))
      }
    })
    const App = () => [...parts.value.map((part) => h(Part, { key: part.key, part })), h(Shown, { key: 'shown' })]
    const box = document.body.appendChild(document.createElement('div'))
    const app = createApp(App).use(DomOSPlugin, options)
    app.mount(box)
    if (!agent) throw new Error('The page was not rendered.')
    const { client } = agent
    return {
      client,
      render(next) {
        parts.value = next
      },
      shown: () => JSON.parse(box.textContent ?? '') as ShownAgent,
      sendText: (text) => void agent?.sendText(text),
      stop: () => agent?.stop(),
      approve: () => void approvals?.approve(),
      deny: () => void approvals?.deny(),
      unmount() {
        app.unmount()
        box.remove()
      },
    }
  },
}

const Part = defineComponent({
  props: { part: { type: Object as PropType<ContractPart>, required: true } },
  setup(props) {
    useTools(() => props.part.tools ?? [])
    useAgentContext(() => props.part.context)
    return () => null
  },
})
