import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { CONTRACT_PAGES } from './engine-contract-pages.ts'

/** A site on loopback, written for the suite: pages of every kind, and servers that misbehave. */
export interface ContractSite {
  /** Its first origin, `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The same server as another origin, `http://localhost:PORT`. */
  readonly otherUrl: string
  /** Requests so far: method, path with query, and body. */
  readonly seen: readonly {
    readonly method: string
    readonly url: string
    readonly body: string
    readonly headers: IncomingMessage['headers']
  }[]
  /** An address of this machine where nobody listens. */
  closedUrl(): Promise<string>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 1_048_576

/** Opens the site on a free port. */
export async function openContractSite(): Promise<ContractSite> {
  const seen: ContractSite['seen'][number][] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      if (body.length < MAX_BODY_BYTES) body += chunk.toString('latin1')
    })
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', body, headers: request.headers })
      answer(request, response, port)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('upgrade', (request, socket) => {
    const key = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`,
    )
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    seen,
    closedUrl,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}/`
}

function answer(request: IncomingMessage, response: ServerResponse, port: number): void {
  const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
  const special = SPECIAL[url.pathname]
  if (special !== undefined && Object.hasOwn(SPECIAL, url.pathname)) {
    special(request, response, url)
    return
  }
  const page = Object.hasOwn(CONTRACT_PAGES, url.pathname) ? CONTRACT_PAGES[url.pathname] : undefined
  html(
    response,
    page ?? '<!doctype html><title>Not found</title><h1>Not found</h1>',
    page === undefined ? 404 : 200,
    port,
  )
}

function html(response: ServerResponse, text: string, status = 200, port = 0): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(text.replaceAll('{other}', `http://localhost:${port}`))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location })
  response.end()
}

const SPECIAL: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => void>> = {
  '/redirect': (_request, response) => redirect(response, '/redirect-2'),
  '/redirect-2': (_request, response) => {
    response.setHeader('set-cookie', ['hop=1; Path=/', 'secret=2; Path=/; HttpOnly'])
    redirect(response, '/plain')
  },
  '/circle': (_request, response) => redirect(response, '/circle'),
  '/fail-500': (_request, response) => html(response, '<!doctype html><title>Broken</title><h1>It broke</h1>', 500),
  '/nothing': (_request, response) => {
    response.writeHead(204)
    response.end()
  },
  '/never': () => {},
  '/hang-up': (request) => {
    request.socket.destroy()
  },
  '/late-data': (_request, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"items":["Alpha","Beta","Gamma"]}')
    }, 600)
  },
  '/poll': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{}')
  },
  '/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: hello\n\n')
  },
  '/stream': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<!doctype html><title>Stream</title><h1>Begin</h1>')
    setTimeout(() => response.end('<p>The end of the stream</p>'), 300)
  },
  '/large': (_request, response) => {
    const row =
      '<tr><td>row</td><td>some text that is not read by anybody in particular</td><td><a href="/plain">go</a></td></tr>'
    html(
      response,
      `<!doctype html><title>Large</title><main><h1>Large page</h1><table>${row.repeat(Math.ceil(5_242_880 / row.length))}</table><p>last words</p></main>`,
    )
  },
  '/file': (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="../../report.csv"',
    })
    response.end('a,b\n1,2\n')
  },
  '/big-file': (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="big.bin"',
    })
    const piece = Buffer.alloc(65_536)
    let left = 64
    const more = (): void => {
      while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more)
      response.end()
    }
    more()
  },
  '/handlers.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end("document.getElementById('quiet').addEventListener('click', () => { document.title = 'heard' })")
  },
  '/echo': (request, response) => {
    html(
      response,
      `<!doctype html><title>Echo</title><h1>Echo</h1><pre>${request.method} ${(request.url ?? '').replaceAll('<', '&lt;')}</pre>`,
    )
  },
  '/headers': (request, response) => {
    const {
      'user-agent': agent = '',
      'accept-language': language = '',
      'sec-ch-ua-platform': platform = '',
    } = request.headers
    html(
      response,
      `<!doctype html><title>Headers</title><p>agent ${agent}</p><p>language ${language}</p><p>platform ${String(platform)}</p>`,
    )
  },
}
