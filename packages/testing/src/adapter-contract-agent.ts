import type { AdapterCase, ContractPart } from './adapter-contract.ts'
import { type ContractPeer, same, turns, until } from './adapter-contract-peer.ts'
import { type ContractCase, check } from './speech-contract-check.ts'

/** The agent as components show it, and what they do with it. */
export function agentCases(on: AdapterCase): readonly ContractCase[] {
  return [...stateCases(on), ...approvalCases(on)]
}

function stateCases(on: AdapterCase): readonly ContractCase[] {
  return [
    on('shows the connection: none, then one, and its loss', async (open) => {
      const silent = await open([], { connected: false })
      same(silent.page.shown().isConnected, false, 'the connection before the handshake')
      const { page, peer } = await open([])
      await until(
        () => page.shown().isConnected && page.shown().state === 'connected',
        'It never showed the connection.',
      )
      peer.drop()
      await until(() => !page.shown().isConnected, 'It never showed the loss.')
    }),
    on('shows an answer as it streams, and its end', async (open) => {
      const { page, peer } = await open([])
      page.sendText('Add milk')
      await until(() => page.shown().isThinking, 'It never showed that an answer is awaited.')
      await until(() => peer.of('USER_INPUT').length === 1, 'The words never went out.')
      same(peer.of('USER_INPUT')[0].content, 'Add milk', 'what was said')
      peer.send('AGENT_RESPONSE', { chunk: 'I added ', done: false })
      await until(
        () => page.shown().response === 'I added ' && page.shown().isStreaming,
        'It never showed the first piece.',
      )
      peer.send('AGENT_RESPONSE', { chunk: 'milk.', done: true })
      await until(() => page.shown().response === 'I added milk.', 'It never showed the whole answer.')
      await until(() => !page.shown().isStreaming && !page.shown().isThinking, 'It never showed the end.')
      page.sendText('And tea')
      await until(() => peer.of('USER_INPUT').length === 2, 'The second words never went out.')
      peer.send('AGENT_RESPONSE', { chunk: 'Done.', done: true })
      await until(() => page.shown().response === 'Done.', 'The second answer should stand in place of the first.')
    }),
    on('stops an answer: the server is told, and what still comes is not shown', async (open) => {
      const { page, peer } = await open([])
      page.sendText('Tell me everything')
      await until(() => peer.of('USER_INPUT').length === 1, 'The words never went out.')
      peer.send('AGENT_RESPONSE', { chunk: 'Well', done: false })
      await until(() => page.shown().response === 'Well', 'It never showed the first piece.')
      page.stop()
      await until(
        () => peer.frames.at(-1)?.type === 'TURN_CANCEL',
        () => `It never told the server: ${JSON.stringify(peer.frames.at(-1))}`,
      )
      peer.send('AGENT_RESPONSE', { chunk: ', first', done: true })
      await until(() => !page.shown().isThinking, 'It never showed the end.')
      same(page.shown().response, 'Well', 'the answer shown')
    }),
    on('shows an error with its code, and forgets it at the next input', async (open) => {
      const { page, peer } = await open([])
      peer.send('SYSTEM_EVENT', { kind: 'error', message: 'Slow down.', data: { code: 'rate_limited' } })
      await until(
        () => page.shown().error === 'rate_limited',
        () => `It never showed the error: ${page.shown().error}`,
      )
      page.sendText('Again')
      await until(() => page.shown().error === '', 'It still shows the error.')
    }),
    on('an answer resumes over a lost connection without a second question', async (open) => {
      const { page, peer, clock } = await open([])
      peer.resumes = true
      page.sendText('Add milk')
      await until(() => peer.of('USER_INPUT').length === 1, 'The words never went out.')
      peer.send('AGENT_RESPONSE', { chunk: 'I added ', done: false })
      await until(() => page.shown().response === 'I added ', 'It never showed the first piece.')
      peer.drop()
      await clock.advance(31_000)
      await until(() => page.shown().isConnected, 'It never came back.')
      peer.send('AGENT_RESPONSE', { chunk: 'milk.', done: true })
      await until(
        () => page.shown().response === 'I added milk.',
        () => `It shows "${page.shown().response}".`,
      )
      same(peer.of('USER_INPUT').length, 1, 'the number of inputs')
    }),
  ]
}

function approvalCases(on: AdapterCase): readonly ContractCase[] {
  const clear = (ran: () => void): readonly ContractPart[] => [
    { key: 'a', tools: [{ name: 'clear', description: 'Clears', risk: 'high', handler: ran }] },
  ]
  const asks = (peer: ContractPeer) =>
    peer.send('APPROVAL_REQUEST', { callId: 'tc_1', toolName: 'clear', args: {}, risk: 'high', digest: 'd1' })
  return [
    on('a risky call runs after the person’s yes, with the server’s ticket, once', async (open) => {
      let ran = 0
      const { page, peer, result } = await open(clear(() => void (ran += 1)))
      asks(peer)
      await until(() => page.shown().pending.join() === 'clear', 'The question was never shown.')
      same([ran, peer.of('APPROVAL_RESPONSE').length], [0, 0], 'what happened before the answer')
      page.approve()
      await until(() => peer.of('APPROVAL_RESPONSE').length === 1, 'The answer never went out.')
      const { callId, approved, digest } = peer.of('APPROVAL_RESPONSE')[0]
      same([callId, approved, digest], ['tc_1', true, 'd1'], 'the answer')
      peer.call('clear', {}, 'tc_1', { ticket: 't1', risk: 'high' })
      const { status, ticket } = await result()
      same([status, ticket, ran, page.shown().pending], ['success', 't1', 1, []], 'the outcome')
    }),
    on('a risky call that the person declines never runs', async (open) => {
      let ran = 0
      const { page, peer } = await open(clear(() => void (ran += 1)))
      asks(peer)
      await until(() => page.shown().pending.length === 1, 'The question was never shown.')
      page.deny()
      await until(() => peer.of('APPROVAL_RESPONSE').length === 1, 'The answer never went out.')
      same([peer.of('APPROVAL_RESPONSE')[0].approved, ran], [false, 0], 'the outcome')
      await until(() => page.shown().pending.length === 0, 'The question is still shown.')
    }),
    on('a question whose call is withdrawn goes away', async (open) => {
      const { page, peer } = await open(clear(() => {}))
      asks(peer)
      await until(() => page.shown().pending.length === 1, 'The question was never shown.')
      peer.send('TOOL_CANCEL', { callId: 'tc_1' })
      await until(() => page.shown().pending.length === 0, 'The question is still shown.')
      page.approve()
      await turns()
      check(!peer.of('APPROVAL_RESPONSE').some(({ approved }) => approved), 'It was approved after all.')
    }),
  ]
}
