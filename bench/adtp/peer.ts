import { WebSocket } from 'ws'
import { resultFrame } from './frames.ts'

function open(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

const send = (socket: WebSocket, type: string, payload: unknown): void => {
  socket.send(
    JSON.stringify({ type, payload, meta: { id: `msg_${Math.random()}`, timestamp: Date.now(), version: '1.0.0' } }),
  )
}

/** Answers every call at once; the same code for the page door and for the controls. */
function answerCalls(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (!text.includes('"TOOL_CALL"')) return
    const frame = resultFrame(text)
    if (frame !== undefined) socket.send(frame)
  })
}

/** Connects to a control. */
export async function openControl(port: number): Promise<WebSocket> {
  const socket = await open(`ws://127.0.0.1:${port}/`)
  answerCalls(socket)
  return socket
}

/** Connects to the page door and shakes hands; unless `isIdle`, offers a tool and answers its calls. */
export async function openPage(port: number, isIdle: boolean): Promise<WebSocket> {
  const socket = await open(`ws://127.0.0.1:${port}/adtp`)
  const welcomed = new Promise((resolve) => socket.once('message', resolve))
  send(socket, 'HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: ['text', 'tools'] })
  await welcomed
  if (isIdle) return socket
  answerCalls(socket)
  const parameters = {
    type: 'object',
    properties: { quantity: { type: 'number', minimum: 1 } },
    required: ['quantity'],
  }
  send(socket, 'CONTEXT_UPDATE', {
    url: '/',
    activeTools: [{ name: 'add_to_cart', description: 'Add the shown product to the cart', risk: 'none', parameters }],
  })
  // A pong comes after the server has read what came before.
  await new Promise((resolve) => {
    socket.once('pong', resolve)
    socket.ping()
  })
  return socket
}
