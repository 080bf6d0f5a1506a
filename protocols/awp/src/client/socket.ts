import { type Clock, DomosError } from '@domos/spec'

/** The part of the WebSocket interface that is used; the browser's, Node's own and that of `ws` have it. */
export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'close' | 'error' | 'message', listener: (event: never) => void): void
}

/** Opens a socket. @throws DomosError `unavailable` when it cannot be opened, `timeout` when nothing answers in time */
export function openSocket(
  url: string,
  create: (url: string) => WebSocketLike,
  clock: Clock,
  timeoutMs: number,
): Promise<WebSocketLike> {
  return new Promise<WebSocketLike>((resolve, reject) => {
    const shown = url.split(/[?#]/)[0] ?? url
    let socket: WebSocketLike
    try {
      socket = create(url)
    } catch (thrown) {
      reject(new DomosError('invalid_request', `${shown} is no WebSocket address.`, { cause: thrown }))
      return
    }
    socket.binaryType = 'arraybuffer'
    const stopTimer = clock.schedule(timeoutMs, () => {
      reject(new DomosError('timeout', `${shown} did not answer within ${timeoutMs} ms.`))
      socket.close()
    })
    const failed = (): void => {
      stopTimer()
      reject(new DomosError('unavailable', `Cannot connect to ${shown}.`))
    }
    socket.addEventListener('open', () => {
      stopTimer()
      resolve(socket)
    })
    socket.addEventListener('error', failed)
    socket.addEventListener('close', failed)
  })
}
