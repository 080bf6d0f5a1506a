import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AwpClient, connectAwp } from '@domos/awp/client'
import { createAwpDoor } from '@domos/awp/door'
import {
  DomosError,
  type Door,
  type Host,
  type Principal,
  SCOPES,
  silentLog,
  silentMetrics,
  systemClock,
} from '@domos/spec'
import { openBrowsing } from './browsing.ts'
import { openLinkedSocket } from './linked-socket.ts'
import type { Settings } from './settings.ts'

/** Where pages are opened: in this process, or at a server. Speaks the same protocol either way. */
export interface BrowserLink {
  /** A connection of its own. `token` is the key of whoever it is for. */
  connect(token?: string): Promise<AwpClient>
  close(): Promise<void>
}

/** How {@link openBrowserLink} finds its browser. */
export interface BrowserLinkOptions {
  readonly settings: Settings
  /** A server's `/awp`; without it pages are opened in this process. */
  readonly url?: string
  /** Key for that server. */
  readonly token?: string
  /** Who a key stands for, where keys decide; without it everybody may do everything. */
  readonly authenticate?: Host['authenticate']
}

/** Frames do not leave the process, so that the wire's limit on them has no reason here. */
const LOCAL_FRAME_BYTES = 64 * 1_048_576

/** Opens a browser. Nothing is loaded before the first page. */
export async function openBrowserLink(options: BrowserLinkOptions): Promise<BrowserLink> {
  const { url, token } = options
  const client = { name: 'domos', version: '0.1.0' }
  if (url !== undefined) {
    if (!/^wss?:\/\//.test(url)) {
      throw new DomosError('invalid_request', '--url must be the address of a server, such as ws://127.0.0.1:3000/awp.')
    }
    return {
      connect: (key = token) => connectAwp(url, { client, ...(key === undefined ? {} : { token: key }) }),
      close: async () => {},
    }
  }
  const directory = await mkdtemp(join(tmpdir(), 'domos-pages-'))
  const browsing = openBrowsing({ ...options.settings, dataDir: directory }, silentLog, silentMetrics)
  const limits = { maxFrameBytes: LOCAL_FRAME_BYTES, maxInflatedBytes: LOCAL_FRAME_BYTES }
  const door: Door = createAwpDoor({ host: localHost(options.authenticate), browsing, limits })
  return {
    connect: (key) =>
      connectAwp('ws://localhost/awp', {
        client,
        reconnect: false,
        webSocket: () => openLinkedSocket(door, key),
      }),
    async close() {
      await door.close(AbortSignal.timeout(5_000))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function localHost(authenticate: Host['authenticate'] | undefined): Host {
  const everything: Principal = { id: 'local', tenant: 'default', allows: (scope) => SCOPES.includes(scope as never) }
  const unused = (): never => {
    throw new DomosError('unsupported', 'Pages of this command belong to no conversation.')
  }
  return {
    clock: systemClock,
    log: silentLog,
    metrics: silentMetrics,
    requiresKey: authenticate !== undefined,
    authenticate: authenticate ?? (async () => everything),
    openSession: unused,
    session: unused,
  }
}
