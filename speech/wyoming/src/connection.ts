import { connect, type Socket } from 'node:net'
import { DomosError } from '@domos/spec'
import { createEventDecoder, encodeEvent, type WyomingEvent } from './event-codec.ts'
import type { WyomingLimits } from './limits.ts'

/** Where a Wyoming server listens. */
export interface WyomingAddress {
  readonly host: string
  readonly port: number
}

/** One TCP connection. It is read only while somebody waits, so a slow reader slows the server. */
export interface WyomingConnection {
  send(type: string, data?: Readonly<Record<string, unknown>>, payload?: Uint8Array): void
  /** @throws `unavailable` (ended, refused, no Wyoming, or an `error` event), `timeout`, `cancelled` */
  receive(signal: AbortSignal): Promise<WyomingEvent>
  close(): void
}

/**
 * Connects; aborting `signal` later ends the connection too.
 * @throws `unavailable`, `timeout`, `cancelled`
 */
export async function openConnection(
  address: WyomingAddress,
  limits: WyomingLimits,
  signal: AbortSignal,
): Promise<WyomingConnection> {
  const name = `${address.host}:${address.port}`
  const socket = connect({ host: address.host, port: address.port, noDelay: true })
  const ended = (cause?: unknown): DomosError =>
    new DomosError('unavailable', `The Wyoming server ${name} cannot be reached or broke off.`, { cause })
  // Told to whoever waits; without a listener it would end the process.
  socket.on('error', () => {})
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', (cause) => reject(ended(cause)))
  })
  await bounded(connected, socket, name, limits, signal)
  const end = (): void => void socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))

  const decoder = createEventDecoder(limits)
  const bytes = socket[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const queue: WyomingEvent[] = []
  const next = async (): Promise<WyomingEvent> => {
    for (;;) {
      const event = queue.shift()
      if (event?.type === 'error') throw new DomosError('unavailable', `The Wyoming server ${name} reports an error.`)
      if (event) return event
      let read: IteratorResult<Uint8Array>
      try {
        read = await bytes.next()
      } catch (cause) {
        throw ended(cause)
      }
      if (read.done) throw ended()
      queue.push(...decoder.push(read.value))
    }
  }
  return {
    send(type, data = {}, payload) {
      if (!socket.destroyed) socket.write(encodeEvent(type, data, payload))
    },
    receive: (each) => bounded(next(), socket, name, limits, each),
    close: () => void socket.destroy(),
  }
}

/** Waits within the time limit; what is given up destroys the connection, for its next event would be taken for another's. */
async function bounded<T>(
  work: Promise<T>,
  socket: Socket,
  name: string,
  limits: WyomingLimits,
  signal: AbortSignal,
): Promise<T> {
  const race = Promise.withResolvers<T>()
  const give = (error: DomosError): void => {
    race.reject(error)
    socket.destroy()
  }
  const late = new DomosError('timeout', `The Wyoming server ${name} did not answer in time (timeoutMs).`)
  const timer = setTimeout(() => give(late), limits.timeoutMs)
  const cancel = (): void => give(new DomosError('cancelled', 'The work was cancelled.'))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  work.then(race.resolve, race.reject)
  try {
    return await race.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
