import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { openBrowserLink } from '../browser-link.ts'
import { watchLifetime } from '../lifetime.ts'
import type { MainIo } from '../main.ts'
import type { Settings } from '../settings.ts'
import { createMcpServer } from './mcp-server.ts'

/** What `domos mcp` is started with. */
export interface McpOptions {
  readonly settings: Settings
  /** A server's browser door; undefined = pages in this process. */
  readonly server: string | undefined
  /** Port of Streamable HTTP; undefined = standard input and output. */
  readonly port: number | undefined
}

/** Serves until its client goes away or the process is asked to end. Standard output carries the protocol alone. */
export async function mcp(options: McpOptions, io: MainIo): Promise<void> {
  const { settings, server: url, port } = options
  const token = io.env['DOMOS_TOKEN']
  const lifetime = watchLifetime()
  const common = {
    settings,
    ...(url === undefined ? {} : { url }),
    ...(token === undefined ? {} : { token }),
  }
  try {
    if (port !== undefined) {
      const { serveHttp } = await import('./http.ts')
      await serveHttp(common, port, lifetime.ended, io)
      return
    }
    const link = await openBrowserLink(common)
    const { server, close } = createMcpServer(() => link.connect())
    const gone = new Promise<void>((resolve) => {
      server.onclose = resolve
      process.stdin.once('end', resolve)
      process.stdin.once('close', resolve)
    })
    await server.connect(new StdioServerTransport())
    await Promise.race([gone, lifetime.ended])
    await close()
    await link.close()
    process.stdin.pause()
  } finally {
    lifetime.dispose()
  }
}
