import { WebSocket } from 'ws'

/** A frame as a peer saw it. */
export interface SeenMessage {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** A connection that speaks the document's dialect and keeps what it is sent. */
export interface CasePeer {
  send(message: Readonly<Record<string, unknown>>, wait: boolean): Promise<void>
  /** The next unread message of a type, within the time. */
  next(type: string, timeoutMs: number): Promise<SeenMessage>
  /** Unread messages of a type. */
  unread(type: string): readonly SeenMessage[]
  close(): void
}

/** Opens a peer. */
export async function openPeer(url: string): Promise<CasePeer> {
  const socket = new WebSocket(url)
  const inbox: SeenMessage[] = []
  let wake: () => void = () => {}
  socket.on('message', (data) => {
    inbox.push(JSON.parse(data.toString()) as SeenMessage)
    wake()
  })
  socket.on('close', () => wake())
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  let count = 0
  return {
    async send(message, wait) {
      count += 1
      const meta = { id: `msg_case_${count}`, timestamp: Date.now(), version: '1.0.0' }
      socket.send(JSON.stringify({ meta, ...message }))
      if (!wait) return
      // A pong comes after the server has read the frame.
      await new Promise<void>((resolve) => {
        socket.once('pong', () => resolve())
        socket.once('close', () => resolve())
        socket.ping()
      })
    },
    async next(type, timeoutMs) {
      const end = Date.now() + timeoutMs
      for (;;) {
        const index = inbox.findIndex((message) => message.type === type)
        if (index >= 0) return inbox.splice(index, 1)[0] as SeenMessage
        const left = end - Date.now()
        if (left <= 0 || socket.readyState === socket.CLOSED) {
          const others = inbox.map((message) => JSON.stringify(message)).join(' ')
          throw new Error(
            `no ${type} came within ${timeoutMs} ms${others === '' ? '' : `; unread: ${others.slice(0, 300)}`}`,
          )
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
    unread: (type) => inbox.filter((message) => message.type === type),
    close: () => socket.terminate(),
  }
}

/** Tries an upgrade and says whether it was accepted; undefined when there is no such door. */
export function tryUpgrade(url: string, origin: string | undefined): Promise<'accepted' | 'refused' | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, origin === undefined ? {} : { origin })
    socket.once('open', () => {
      // An immediate close counts as a refusal, too.
      const timer = setTimeout(() => {
        resolve('accepted')
        socket.terminate()
      }, 300)
      socket.once('close', () => {
        clearTimeout(timer)
        resolve('refused')
      })
    })
    socket.once('unexpected-response', (_request, response) =>
      resolve(response.statusCode === 404 ? undefined : 'refused'),
    )
    socket.once('error', () => resolve('refused'))
  })
}
