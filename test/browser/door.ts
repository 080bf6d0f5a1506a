import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type AwpClient, type ConnectAwpOptions, connectAwp } from '@domos/awp/client'
import { silentLog } from '@domos/spec'
import { createDomos, loadSettings } from 'domos'
import { afterEach } from 'vitest'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

/** A whole server on a free port, with the browser door; pages may reach 127.0.0.1. */
export async function openDoor(
  flags: Readonly<Record<string, unknown>> = {},
  dataDir?: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'domos-door-')))
  if (dataDir === undefined) cleanup.push(() => rm(directory, { recursive: true, force: true }))
  const settings = await loadSettings({
    flags: {
      doors: ['awp'],
      engine: 'static',
      dataDir: directory,
      allowedHosts: ['127.0.0.1'],
      logLevel: 'silent',
      ...flags,
    },
    env: {},
    directory,
  })
  const domos = await createDomos({ settings, log: silentLog })
  const { port } = await domos.server.listen({ port: 0 })
  const close = (): Promise<void> => domos.close()
  cleanup.push(close)
  return { url: `ws://127.0.0.1:${port}/awp`, close }
}

/** A client of a door, closed with the test. */
export async function connect(url: string, options: ConnectAwpOptions = {}): Promise<AwpClient> {
  const client = await connectAwp(url, {
    zstd: {
      compress: (bytes) => zstdCompressSync(bytes),
      decompress: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
    },
    reconnect: false,
    ...options,
  })
  cleanup.push(() => client.close())
  return client
}
