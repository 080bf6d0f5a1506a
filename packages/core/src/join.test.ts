import { describe, expect, it } from 'vitest'
import { requestJoinToken } from './join.ts'
import { settle } from './test/fake-clock.ts'
import { ALL, type FakeServer } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

const JOIN = [...ALL, 'join']
const questions = (server: FakeServer) =>
  server.of('SYSTEM_EVENT').filter(({ payload }) => payload.kind === 'join_token')

describe('a join token', () => {
  it('is asked for and given to who asked', async () => {
    const { client, server } = await openClient({}, JOIN)
    const [first, second] = [requestJoinToken(client), requestJoinToken(client)]
    await settle()
    const [one = '', two = ''] = questions(server).map(({ id }) => id ?? '')
    const answer = (data: object) => server.send('SYSTEM_EVENT', { kind: 'join_token', data: { ...data } })
    answer({ token: 't-2', expiresAt: 2, ref: two })
    answer({ token: 't-1', code: '004217', url: 'https://x.test/#t-1', expiresAt: 1, ref: one })
    await expect(first).resolves.toEqual({ token: 't-1', code: '004217', url: 'https://x.test/#t-1', expiresAt: 1 })
    await expect(second).resolves.toEqual({ token: 't-2', expiresAt: 2 })
  })

  it('is refused with the code and the sentence of the server', async () => {
    const { client, server } = await openClient({}, JOIN)
    const asked = requestJoinToken(client)
    await settle()
    const ref = questions(server)[0]?.id ?? ''
    server.send('SYSTEM_EVENT', { kind: 'error', message: 'No.', data: { code: 'not_found', ref, path: 'type' } })
    await expect(asked).rejects.toMatchObject({ code: 'not_found', message: 'No.' })
  })

  it('keeps nobody waiting: not without the extension, an answer or a connection', async () => {
    const old = await openClient()
    await expect(requestJoinToken(old.client)).rejects.toMatchObject({ code: 'unavailable' })
    const { client, server, clock } = await openClient({}, JOIN)
    const unanswered = requestJoinToken(client, { clock })
    unanswered.catch(() => {})
    await clock.advance(10_000)
    await expect(unanswered).rejects.toMatchObject({ code: 'timeout' })
    const lost = requestJoinToken(client, { clock })
    lost.catch(() => {})
    server.connection.close(1006, 'gone')
    await expect(lost).rejects.toMatchObject({ code: 'unavailable', message: 'The connection was lost.' })
    await expect(requestJoinToken(client)).rejects.toMatchObject({ code: 'unavailable' })
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
