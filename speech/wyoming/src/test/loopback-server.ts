import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What the next answer is instead of the right one. */
export type Trouble = 'cut' | 'hang' | 'error' | 'garbage' | 'huge-header' | 'split-data'

/** A server that speaks Wyoming over TCP with recognition and speech; the models behind it are not here. */
export interface LoopbackServer {
  readonly host: string
  readonly port: number
  readonly troubles: Trouble[]
  readonly received: { readonly type: string; readonly data: Record<string, unknown> }[]
  close(): Promise<void>
}

/** @param texts what is said in an utterance, by its samples as bytes in base64 */
export async function openLoopbackServer(texts: ReadonlyMap<string, string> = new Map()): Promise<LoopbackServer> {
  const troubles: Trouble[] = []
  const received: { type: string; data: Record<string, unknown> }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let rest = Buffer.alloc(0)
    let audio: Buffer[] = []
    const send = (type: string, data: object, payload?: Buffer): void => {
      // As the reference server does: data in a block of its own after the header line.
      const block = Buffer.from(JSON.stringify(data))
      const header = { type, version: '1.7.2', data_length: block.length, payload_length: payload?.length ?? null }
      socket.write(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), block, payload ?? Buffer.alloc(0)]))
    }
    const isTroubled = (): boolean => {
      const trouble = troubles.shift()
      if (trouble === 'cut') socket.end('{"type": "audio-chunk", "payload_length": 100}\nabc')
      if (trouble === 'error') send('error', { text: 'out of memory', code: 'oom' })
      if (trouble === 'garbage') socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
      if (trouble === 'huge-header') socket.write(`{"type":"${'x'.repeat(100_000)}"}\n`)
      if (trouble === 'split-data') {
        socket.write('{"type":"pong"}\n{"type":"transcr')
        setImmediate(() => socket.write('ipt","data":{"text":"in two pieces"}}\n'))
      }
      return trouble !== undefined
    }
    const handle = (type: string, data: Record<string, unknown>, payload: Buffer): void => {
      received.push({ type, data })
      if (type === 'audio-start') audio = []
      if (type === 'audio-chunk') audio.push(payload)
      if (type === 'describe') {
        const voice = (name: string): object => ({
          name,
          languages: ['en_US'],
          description: `${name} voice`,
          installed: true,
        })
        send('info', {
          asr: [{ name: 'whisper', models: [] }],
          tts: [{ name: 'piper', voices: [voice('amy'), voice('ryan')] }],
        })
      }
      if (type === 'audio-stop' && !isTroubled()) {
        send('transcript', { text: texts.get(Buffer.concat(audio).toString('base64')) ?? '' })
      }
      if (type === 'synthesize' && !isTroubled()) speak(String(data['text']), send)
    }
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        const end = rest.indexOf(10)
        if (end < 0) return
        const header = JSON.parse(rest.toString('utf8', 0, end)) as {
          type: string
          data?: Record<string, unknown>
          payload_length?: number
        }
        const payloadEnd = end + 1 + (header.payload_length ?? 0)
        if (rest.length < payloadEnd) return
        const payload = Buffer.from(rest.subarray(end + 1, payloadEnd))
        rest = rest.subarray(payloadEnd)
        handle(header.type, header.data ?? {}, payload)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    troubles,
    received,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function speak(text: string, send: (type: string, data: object, payload?: Buffer) => void): void {
  const format = { rate: 22_050, width: 2, channels: 1 }
  const length = Math.round(text.length * 0.06 * format.rate)
  const samples = Int16Array.from({ length }, (_, index) => Math.round(8_000 * Math.sin(index / 18)))
  const bytes = Buffer.from(samples.buffer)
  send('audio-start', format)
  for (let at = 0; at < bytes.length; at += 2_048) send('audio-chunk', format, bytes.subarray(at, at + 2_048))
  send('audio-stop', {})
}
