import { mkdirSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { createPinoLog } from '@domos/server'
import type { LanguageModel, Log, Principal, Tool } from '@domos/spec'
import { createDomos, type Domos } from './compose.ts'
import { loadSettings } from './load-settings.ts'
import type { SettingKey } from './settings.ts'

/** Settings by name, as in domos.config.ts, and what cannot stand in a file. */
export interface AttachOptions
  extends Readonly<Partial<Record<Exclude<SettingKey, 'host' | 'port' | 'tlsCert' | 'tlsKey'>, unknown>>> {
  readonly limits?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** A model of one's own. @default the one that `model` names */
  readonly languageModel?: LanguageModel
  /** Tools of the server itself, offered in every session. */
  readonly tools?: (principal: Principal) => readonly Tool[]
  /** @default one JSON object a line on standard error */
  readonly log?: Log
  /** Also serve the console at `/`. @default false */
  readonly console?: boolean
}

/**
 * Opens the doors on an HTTP server of one's own: `await attach(app.listen(3000))` with Express,
 * `await attach(fastify.server)` with Fastify. The server's own routes stay as they are; `/adtp` and the other doors,
 * `/healthz`, `/readyz` and `/metrics` are added. Who may connect is decided by Origin, Host and `apiKeys`.
 * @throws DomosError `invalid_request` naming the setting that is wrong
 */
export async function attach(server: HttpServer | HttpsServer, options: AttachOptions = {}): Promise<Domos> {
  const { limits, languageModel, tools, log = createPinoLog({ level: 'warn' }), console = false, ...given } = options
  const settings = await loadSettings({ flags: given, env: process.env, directory: process.cwd() })
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  const domos = await createDomos({
    settings: limits === undefined ? settings : { ...settings, limits: { ...settings.limits, ...limits } },
    log,
    console,
    ...(languageModel === undefined ? {} : { languageModel }),
    ...(tools === undefined ? {} : { tools }),
  })
  const detach = domos.server.attach(server as HttpServer)
  server.once('close', () => {
    detach()
    void domos.close()
  })
  return domos
}
