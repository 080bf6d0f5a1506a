import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPinoLog } from '@domos/server'
import { attach } from 'domos'
import type { Served } from '../e2e/browser.ts'

/** A web site with the page door on its own server, as its owner would add it. */
export interface Site {
  readonly origin: string
  close(): Promise<void>
}

/** Serves these files by path on a free port of loopback, with the door beside them. */
export async function openSite(files: (path: string) => Promise<Served | undefined>): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'domos-site-'))
  const server = createServer(async (request, response) => {
    const served = await files(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!served) return response.writeHead(404).end()
    const { body, type = 'text/html; charset=utf-8', headers = {} } = served
    return response.writeHead(200, { 'content-type': type, ...headers }).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const log = createPinoLog({ level: 'silent', destination: { write: () => {} } })
  const domos = await attach(server, { dataDir, log })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await domos.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
