import type { WebSocketLike } from '@domos/awp/client'

/** Opens real sockets and keeps the text of everything that arrives on them. */
export function recordingSocket(): { readonly open: (url: string) => WebSocketLike; readonly received: () => string } {
  const frames: string[] = []
  return {
    open(url) {
      const socket = new WebSocket(url)
      socket.addEventListener('message', ({ data }) => frames.push(String(data)))
      return socket as unknown as WebSocketLike
    },
    received: () => frames.join('\n'),
  }
}
