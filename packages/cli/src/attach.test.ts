import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { attach } from './attach.ts'

let dataDir: string
const cleanup: (() => unknown)[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'domos-attach-'))
})
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
  rmSync(dataDir, { recursive: true, force: true })
})

const hosts: [string, () => Promise<Server>][] = [
  [
    'an http server',
    async () => {
      const server = createServer((_request, response) => response.end('own'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    },
  ],
  [
    'Express',
    async () => {
      const app = express()
      app.get('/', (_request, response) => {
        response.send('own')
      })
      return new Promise((resolve) => {
        const server = app.listen(0, '127.0.0.1', () => resolve(server))
      })
    },
  ],
  [
    'Fastify',
    async () => {
      const app = fastify()
      app.get('/', async () => 'own')
      await app.listen({ port: 0, host: '127.0.0.1' })
      cleanup.push(() => app.close())
      return app.server
    },
  ],
]

describe('attach', () => {
  it.each(hosts)('opens the page door on %s in one line and leaves its routes alone', async (_name, start) => {
    const server = await start()
    const domos = await attach(server, { dataDir })
    cleanup.push(() => domos.close())
    cleanup.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    const { port } = server.address() as AddressInfo
    const base = `http://127.0.0.1:${port}`
    expect(await (await fetch(`${base}/`)).text()).toBe('own')
    expect((await fetch(`${base}/nowhere`)).status).toBe(_name === 'an http server' ? 200 : 404)
    expect(await (await fetch(`${base}/healthz`)).json()).toMatchObject({ status: 'ok' })
    expect(await conversation(`ws://127.0.0.1:${port}/adtp`)).toEqual({
      name: 'set_lights',
      args: { room: 'kitchen', on: true },
    })
    await expect(conversation(`ws://127.0.0.1:${port}/adtp`, 'https://evil.example')).rejects.toThrow('403')
  })

  it('refuses a setting it does not know by its value, naming it', async () => {
    const server = createServer()
    await expect(attach(server, { dataDir, doors: ['telepathy'] })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

/** Connects as a page with one tool, says a sentence and gives back the call it got. */
function conversation(url: string, origin?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, origin === undefined ? {} : { origin })
    const send = (type: string, payload: unknown): void => {
      socket.send(
        JSON.stringify({
          type,
          payload,
          meta: { id: `msg_${Math.random()}`, timestamp: Date.now(), version: '1.0.0' },
        }),
      )
    }
    socket.once('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
    socket.once('error', reject)
    socket.once('open', () => send('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: ['text', 'tools'] }))
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as { type: string; payload: { name: string; args: unknown } }
      if (message.type === 'HANDSHAKE_ACK') {
        const parameters = {
          type: 'object',
          properties: { room: { type: 'string', enum: ['kitchen', 'bedroom'] }, on: { type: 'boolean' } },
          required: ['room', 'on'],
        }
        send('CONTEXT_UPDATE', {
          url: '/',
          activeTools: [{ name: 'set_lights', description: 'Turn the lights of a room on or off', parameters }],
        })
        send('USER_INPUT', { modality: 'text', content: 'turn on the kitchen lights' })
      }
      if (message.type !== 'TOOL_CALL') return
      socket.terminate()
      resolve({ name: message.payload.name, args: message.payload.args })
    })
  })
}
