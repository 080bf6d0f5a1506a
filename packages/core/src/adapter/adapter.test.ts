// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { DomOSClient } from '../client.ts'
import { settle } from '../test/fake-clock.ts'
import { openClient } from '../test/open-client.ts'
import { bindContext, bindTools, holdClient } from './index.ts'

const clients: DomOSClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

function idleClient(): DomOSClient {
  const client = new DomOSClient({
    endpoint: 'ws://tasks.test/adtp',
    approvals: 'none',
    transport: () => new Promise(() => {}),
  })
  clients.push(client)
  return client
}

it('a client that is made and dropped touches nothing of the page; one that disconnects leaves nothing behind', async () => {
  const { pushState } = history
  const listened = vi.spyOn(window, 'addEventListener')
  const left = vi.spyOn(window, 'removeEventListener')
  const client = idleClient()
  client.registerTool({ name: 'list', description: 'Lists', handler: () => 1 })
  expect([history.pushState === pushState, listened.mock.calls.length]).toEqual([true, 0])
  void client.connect()
  expect(history.pushState).not.toBe(pushState)
  client.disconnect()
  expect(history.pushState).toBe(pushState)
  expect(left.mock.calls.map(([type]) => type).sort()).toEqual(listened.mock.calls.map(([type]) => type).sort())
  vi.restoreAllMocks()
})

it('the page’s route is followed again after a second connect', async () => {
  const { client, server } = await openClient()
  client.disconnect()
  void client.connect()
  await settle()
  const before = server.of('CONTEXT_UPDATE').length
  history.pushState(null, '', '/second')
  await settle()
  expect(
    server
      .of('CONTEXT_UPDATE')
      .slice(before)
      .map(({ payload }) => payload.url),
  ).toEqual(['/second'])
  client.destroy()
})

it('a schema made anew for each rendering is one registration, and the validator made last decides', async () => {
  const client = idleClient()
  const registered = vi.spyOn(client, 'registerTool')
  const binding = bindTools(client)
  for (const max of [1, 2, 3]) {
    const parameters = z.object({ count: z.number().refine((count) => count <= max, `at most ${max}`) })
    binding.update([{ name: 'take', description: 'Takes', parameters, handler: () => max }])
  }
  expect(registered).toHaveBeenCalledTimes(1)
  await expect(client.callTool('take', { count: 3 })).resolves.toBe(3)
  await expect(client.callTool('take', { count: 4 })).rejects.toThrow('at most 3')
})

it('a tool keeps its place when it changes, and a list may reorder and shrink', () => {
  const client = idleClient()
  const binding = bindTools(client)
  const tool = (name: string, description = name) => ({ name, description, handler: () => name })
  const told = () => client.registeredTools.map(({ name, description }) => `${name}:${description}`)
  binding.update([tool('a'), tool('b')])
  binding.update([tool('a', 'other'), tool('b')])
  expect(told()).toEqual(['a:other', 'b:b'])
  binding.update([tool('b'), tool('c')])
  expect(told()).toEqual(['b:b', 'c:c'])
  binding.remove()
  expect(told()).toEqual([])
  binding.update([tool('b')])
  expect(told()).toEqual(['b:b'])
})

it('a name that another component has taken over is not taken from it', () => {
  const client = idleClient()
  const [first, second] = [bindTools(client), bindTools(client)]
  const tool = (mark: string) => ({ name: 'list', description: mark, handler: () => mark })
  first.update([tool('first')])
  second.update([tool('second')])
  first.remove()
  expect(client.registeredTools.map(({ description }) => description)).toEqual(['second'])
})

it('context of two components stands side by side; undefined takes one back', () => {
  const client = idleClient()
  const [list, user] = [bindContext(client), bindContext(client)]
  list.update({ page: 'tasks' })
  user.update({ user: 'Ada' })
  list.update(undefined)
  expect(client.getContext()).toEqual({ user: 'Ada' })
  list.update({ page: 'done' })
  user.remove()
  expect(client.getContext()).toEqual({ page: 'done' })
})

it('a client that is let go and held again in one task stays connected; the last holder ends it', async () => {
  const client = idleClient()
  const first = holdClient(client)
  first()
  const second = holdClient(client)
  const third = holdClient(client)
  await settle()
  expect(client.state).toBe('connecting')
  second()
  second()
  await settle()
  expect(client.state).toBe('connecting')
  third()
  await settle()
  expect(client.state).toBe('disconnected')
})
