import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPinoLog } from '@domos/server'
import { createDomos, loadSettings } from 'domos'
import { build } from 'vite'

/** Files of the shop, built from the present sources into a folder of their own. */
export interface BuiltShop {
  readonly directory: string
  remove(): Promise<void>
}

/** Builds the shop. */
export async function buildShop(): Promise<BuiltShop> {
  const directory = await mkdtemp(join(tmpdir(), 'domos-shop-files-'))
  const root = fileURLToPath(new URL('../../examples/shop', import.meta.url))
  // The test's own NODE_ENV would bring in the development code of the page's framework.
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ root, logLevel: 'error', build: { outDir: directory, emptyOutDir: true } })
  } finally {
    process.env['NODE_ENV'] = before
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** A running server with the shop at `url`. */
export interface ShopServer {
  /** Ends in `/demo/`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Starts the server as `domos serve` does, with the given settings, on a free port unless one is given. */
export async function serveShop(files: BuiltShop, flags: Readonly<Record<string, unknown>> = {}): Promise<ShopServer> {
  const directory = await mkdtemp(join(tmpdir(), 'domos-shop-'))
  const settings = await loadSettings({ flags: { port: '0', dataDir: directory, ...flags }, env: {}, directory })
  const log = createPinoLog({ level: 'silent', destination: { write: () => {} } })
  const domos = await createDomos({ settings, log, demo: true, demoDirectory: files.directory })
  const { port } = await domos.server.listen({ address: settings.host, port: settings.port })
  return {
    url: `http://127.0.0.1:${port}/demo/`,
    port,
    close: async () => {
      await domos.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
