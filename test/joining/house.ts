import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createVoiceClient,
  type VoiceClient,
  type VoiceClientEvents,
  type VoiceClientOptions,
} from '@domos/audio/client'
import { type ApprovalQuestion, type ApprovalVerdict, DomOSClient, type DomOSClientOptions } from '@domos/core'
import { silentLog } from '@domos/spec'
import { createDomos, type Domos, loadSettings } from 'domos'
import { openWebSocket } from '../../packages/core/src/connection/web-socket.ts'

/** A whole server as `domos serve` makes it, on a free port, with nothing outside. */
export interface House {
  readonly domos: Domos
  readonly port: number
  openPage(options?: DomOSClientOptions): Promise<Page>
  openVoice(options?: VoiceClientOptions): Speaker
  close(): Promise<void>
}

/** A page of a shop with a cart: adding is allowed, clearing is asked about. */
export interface Page {
  readonly client: DomOSClient
  readonly cart: { readonly product: string; readonly quantity: number }[]
  /** What the person was asked; answering lets the call go on. */
  readonly asked: { readonly question: ApprovalQuestion; answer(verdict: ApprovalVerdict): void }[]
  /** Words said elsewhere in the session, answers shown here, and notices, in order. */
  readonly shown: string[]
  /** Breaks the connection as a lost network does. */
  drop(): void
}

/** A microphone and loudspeaker somewhere. */
export interface Speaker {
  readonly client: VoiceClient
  readonly said: { readonly role: string; readonly text: string }[]
  readonly errors: VoiceClientEvents['error'][]
  readonly sessions: VoiceClientEvents['session'][]
  readonly sockets: WebSocket[]
  /** Samples of the answers so far. */
  heard: number
  answers: number
}

export async function openHouse(flags: Readonly<Record<string, unknown>> = {}): Promise<House> {
  const directory = mkdtempSync(join(tmpdir(), 'domos-joining-'))
  const settings = await loadSettings({ flags: { port: '0', dataDir: directory, ...flags }, env: {}, directory })
  const domos = await createDomos({ settings, log: silentLog, console: false })
  const { port } = await domos.server.listen({ port: 0 })
  const ends: (() => void)[] = []
  return {
    domos,
    port,
    async openPage(options = {}) {
      const page = makePage(`ws://127.0.0.1:${port}/adtp`, options)
      ends.push(() => page.client.destroy())
      await page.client.connect()
      return page
    },
    openVoice(options = {}) {
      const speaker = makeSpeaker(`ws://127.0.0.1:${port}/audio`, options)
      ends.push(() => speaker.client.close())
      speaker.client.connect()
      return speaker
    },
    async close() {
      for (const end of ends) end()
      await domos.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function makePage(endpoint: string, options: DomOSClientOptions): Page {
  const cart: Page['cart'] = []
  const asked: Page['asked'] = []
  const shown: string[] = []
  let connection: Awaited<ReturnType<typeof openWebSocket>> | undefined
  const client = new DomOSClient({
    endpoint,
    approvals: 'custom-unsafe',
    approver: {
      ask: (question, signal) =>
        new Promise((answer) => {
          asked.push({ question, answer })
          signal.addEventListener('abort', () => answer({ approved: false, why: 'cancelled' }))
        }),
    },
    transport: async (url, signal) => {
      connection = await openWebSocket(url, signal)
      return connection
    },
    reconnect: { strategy: () => 10 },
    ...options,
  })
  client.registerTool({
    name: 'add_to_cart',
    description: 'Add a product to the shopping cart',
    parameters: {
      type: 'object',
      properties: {
        product: { type: 'string', enum: ['headphones', 'kettle', 'lamp'], description: 'Product' },
        quantity: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      },
      required: ['product'],
    },
    risk: 'low',
    handler: (args: unknown) => {
      const { product, quantity = 1 } = args as { product: string; quantity?: number }
      cart.push({ product, quantity })
      return { added: true }
    },
  })
  client.registerTool({
    name: 'clear_cart',
    description: 'Empty the shopping cart',
    parameters: { type: 'object', properties: {} },
    risk: 'high',
    handler: () => {
      cart.length = 0
      return { cleared: true }
    },
  })
  client.onEvent('system.event', ({ kind, message, data }) => {
    if (kind === 'transcript') shown.push(`heard: ${(data as { text: string }).text}`)
    else if (kind === 'notice') shown.push(`notice: ${message}`)
  })
  client.onEvent('agent.response.done', ({ text }) => shown.push(`answer: ${text}`))
  return { client, cart, asked, shown, drop: () => connection?.close(3_999, 'lost') }
}

function makeSpeaker(url: string, options: VoiceClientOptions): Speaker {
  const sockets: WebSocket[] = []
  const client = createVoiceClient({
    url,
    config: { turns: true, resume: true, fastDelivery: true },
    openSocket: (target) => {
      const socket = new WebSocket(target)
      sockets.push(socket)
      return socket as never
    },
    ...options,
  })
  const speaker: Speaker = { client, sockets, said: [], errors: [], sessions: [], heard: 0, answers: 0 }
  client.on('transcript', ({ role, text, isFinal }) => void (isFinal && speaker.said.push({ role, text })))
  client.on('error', (error) => void speaker.errors.push(error))
  client.on('session', (session) => void speaker.sessions.push(session))
  client.on('audio', (samples) => {
    speaker.heard += samples.length
  })
  client.on('speech-end', () => {
    speaker.answers += 1
  })
  return speaker
}
