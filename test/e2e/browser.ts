import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { needSystemPackage } from '../../scripts/lib/system-packages.mjs'

/** Starts the machine's Chromium without a window. As root its sandbox cannot run; the pages of these tests are our own. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath: string = await needSystemPackage('chromium')
  return await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args: [...args] })
}

/** Bundles a module of this repository's sources for a page, as one classic script; its exports in the global named. */
export async function bundleForPage(entry: string, base: string, globalName?: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, base))],
    bundle: true,
    write: false,
    format: 'iife',
    ...(globalName !== undefined && { globalName }),
    target: 'es2022',
    conditions: ['@domos/source'],
  })
  const [output] = result.outputFiles
  if (!output) throw new Error(`Bundling ${entry} gave nothing.`)
  return output.text
}

/** A page or script served to the browser, with the headers it needs. */
export interface Served {
  readonly body: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A web server for the pages of a test, on a free port of loopback. */
export async function servePages(
  pages: Readonly<Record<string, Served>>,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://localhost').pathname]
    if (!page) return response.writeHead(404).end()
    const { body, type = 'text/html; charset=utf-8', headers = {} } = page
    return response.writeHead(200, { 'content-type': type, ...headers }).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
