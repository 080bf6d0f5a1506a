import { describe, expect, it } from 'vitest'
import { settle } from './test/fake-clock.ts'
import { ALL } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

const JOIN = [...ALL, 'join']

describe('a join token', () => {
  it('is asked for and given to who asked', async () => {
    const { client, server } = await openClient({}, JOIN)
    const [first, second] = [client.requestJoinToken(), client.requestJoinToken()]
    await settle()
    const [one, two] = server.of('JOIN_TOKEN_REQUEST').map(({ id }) => id ?? '')
    server.send('JOIN_TOKEN', { token: 't-2', expiresAt: 2, ref: two ?? '' })
    server.send('JOIN_TOKEN', {
      token: 't-1',
      code: '004217',
      url: 'https://x.test/#t-1',
      expiresAt: 1,
      ref: one ?? '',
    })
    await expect(first).resolves.toEqual({ token: 't-1', code: '004217', url: 'https://x.test/#t-1', expiresAt: 1 })
    await expect(second).resolves.toEqual({ token: 't-2', expiresAt: 2 })
  })

  it('is refused with the code of the server, and that is no error of the page', async () => {
    const { client, server, events } = await openClient({}, JOIN)
    const asked = client.requestJoinToken()
    await settle()
    const ref = server.of('JOIN_TOKEN_REQUEST')[0]?.id ?? ''
    server.send('SYSTEM_EVENT', { kind: 'error', message: 'No.', data: { code: 'not_found', ref, path: 'type' } })
    await expect(asked).rejects.toMatchObject({ code: 'not_found', message: 'No.' })
    expect(events.filter(({ name }) => name === 'system.error')).toEqual([])
  })

  it('does not keep anybody waiting: without a connection, without the extension, without an answer, on a loss', async () => {
    const old = await openClient()
    await expect(old.client.requestJoinToken()).rejects.toMatchObject({ code: 'unsupported' })
    const { client, server, clock } = await openClient({}, JOIN)
    const unanswered = client.requestJoinToken()
    unanswered.catch(() => {})
    await clock.advance(10_000)
    await expect(unanswered).rejects.toMatchObject({ code: 'timeout' })
    const lost = client.requestJoinToken()
    lost.catch(() => {})
    server.connection.close(1006, 'gone')
    await settle()
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
    await expect(client.requestJoinToken()).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('the answer to what was said elsewhere in the session', () => {
  it('is not taken for the answer to what this page said meanwhile', async () => {
    const { client, server, events } = await openClient({}, JOIN)
    server.send('SYSTEM_EVENT', {
      kind: 'transcript',
      data: { role: 'user', text: 'what time is it', modality: 'audio' },
    })
    await settle()
    expect(client.state).toBe('thinking')
    const mine = client.sendText('add two')
    await settle()
    server.send('AGENT_RESPONSE', { chunk: 'Noon.', done: true })
    server.send('AGENT_RESPONSE', { chunk: 'Added.', done: true, ref: mine.id })
    await expect(mine.done).resolves.toMatchObject({ text: 'Added.' })
    expect(events.filter(({ name }) => name === 'agent.response.done').map(({ data }) => data)).toEqual([
      { text: 'Noon.', turnId: undefined },
      { text: 'Added.', turnId: mine.id },
    ])
    expect(client.state).toBe('connected')
  })
})
