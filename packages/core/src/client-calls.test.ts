import { describe, expect, it } from 'vitest'
import { DomOSClient } from './client.ts'
import type { DomOSClientOptions } from './options.ts'
import { FakeClock, settle } from './test/fake-clock.ts'
import { ALL, FakeServer } from './test/fake-server.ts'

async function open(options: DomOSClientOptions = {}, capabilities = ALL) {
  const clock = new FakeClock()
  const server = new FakeServer(capabilities)
  const client = new DomOSClient({ endpoint: 'ws://test/adtp', transport: server.transport, clock, ...options })
  void client.connect()
  await settle()
  return { client, server, clock }
}

describe('tool calls', () => {
  it('runs a tool without risk at once and answers with one TOOL_RESULT', async () => {
    const { client, server } = await open()
    client.registerTool({
      name: 'add_to_cart',
      description: 'Adds',
      parameters: { type: 'object', properties: { quantity: { type: 'number' } }, required: ['quantity'] },
      handler: async ({ quantity }) => ({ added: quantity }),
    })
    await settle()
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'add_to_cart', args: { quantity: 2 } })
    await settle()
    expect(server.of('TOOL_RESULT').map((message) => message.payload)).toEqual([
      { callId: 'tc_1', status: 'success', result: { added: 2 } },
    ])
  })
})
