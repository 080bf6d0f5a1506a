import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPinoLog } from '@domos/server'
import { createDomos, loadSettings } from 'domos'
import { build } from 'vite'

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const SOURCES = ['examples/shop', 'packages/core/src', 'packages/wire/src', 'packages/spec/src', 'protocols/adtp/src']

/** Builds the shop when its pages are older than what they are made of, so that the story is told of the present one. */
export async function buildShop(): Promise<void> {
  const page = root('examples/shop/dist/index.html')
  const builtAt = existsSync(page) ? statSync(page).mtimeMs : 0
  const changedAt = Math.max(...(await Promise.all(SOURCES.map((folder) => newestIn(root(folder))))))
  if (changedAt > builtAt) await build({ root: root('examples/shop'), logLevel: 'error' })
}

async function newestIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const ours = entries.filter((entry) => entry.isFile() && !/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath))
  return Math.max(...ours.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

/** A running server with the shop at `url`. */
export interface ShopServer {
  /** Ends in `/demo/`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Starts the server as `domos serve` does, with the given settings, on a free port unless one is given. */
export async function serveShop(flags: Readonly<Record<string, unknown>> = {}): Promise<ShopServer> {
  const directory = await mkdtemp(join(tmpdir(), 'domos-shop-'))
  const settings = await loadSettings({ flags: { port: '0', dataDir: directory, ...flags }, env: {}, directory })
  const log = createPinoLog({ level: 'silent', destination: { write: () => {} } })
  const domos = await createDomos({ settings, log, demo: true })
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
