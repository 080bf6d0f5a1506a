import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAdtpDoor } from '@domos/adtp/door'
import { type Agent, createAgent } from '@domos/agent'
import {
  createPrometheusMetrics,
  createServer,
  createStaticFiles,
  type HttpHandler,
  isLoopbackHost,
  type Server,
} from '@domos/server'
import { DomosError, type Door, type LanguageModel, type Log, type Principal, type Tool, type Voice } from '@domos/spec'
import { keyIdOf, toApiKey } from './api-keys.ts'
import { type BoundAddress, createJoining, phonePageUrl } from './joining.ts'
import { openModel } from './model.ts'
import type { Settings } from './settings.ts'
import { openStore } from './store.ts'
import { readTlsFiles } from './tls-files.ts'

/** What a running DomOS is made of. */
export interface DomosOptions {
  readonly settings: Settings
  readonly log: Log
  /** Serve the demo shop under /demo/, when it has been built. @default false */
  readonly demo?: boolean
  /** Where the demo's built files are. @default where the workspace builds them */
  readonly demoDirectory?: string
  /** Serve the console at /. @default true */
  readonly console?: boolean
  /** A model of one's own instead of the one that the settings name. */
  readonly languageModel?: LanguageModel
  /** A voice of one's own instead of the speech engines that the settings name; closed with the server. */
  readonly voice?: Voice
  /** Tools of the server itself, offered in every session. */
  readonly tools?: (principal: Principal) => readonly Tool[]
}

/** A composed server. */
export interface Domos {
  readonly server: Server
  readonly agent: Agent
  readonly doors: readonly Door[]
  readonly servesDemo: boolean
  /** What the voice door hears and speaks with; its engines start with the first use, or when its health is asked for. */
  readonly voice: Voice | undefined
  /** One sentence about the model in use. */
  readonly modelNote: string
  /** Closes doors, sessions and the store. Safe to call twice. */
  close(): Promise<void>
}

/** The doors this build has. */
export const BUILT_DOORS: readonly string[] = ['adtp', 'voice', 'awp']

const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; " +
  "media-src 'self' blob:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"

/**
 * Puts a server together from settings; nothing listens yet.
 * @throws DomosError `invalid_request` naming the setting that is wrong or missing
 */
export async function createDomos(options: DomosOptions): Promise<Domos> {
  const opened: (() => Promise<unknown> | undefined)[] = []
  try {
    return await compose(options, opened)
  } catch (thrown) {
    // What stays open keeps the process alive that has nothing to serve.
    await Promise.allSettled(opened.reverse().map((close) => close()))
    throw thrown
  }
}

async function compose(options: DomosOptions, opened: (() => Promise<unknown> | undefined)[]): Promise<Domos> {
  const { settings, log } = options
  checkExposure(settings)
  const tls = readTlsFiles(settings)
  const doorNames = settings.doors ?? BUILT_DOORS
  for (const name of doorNames) {
    if (!BUILT_DOORS.includes(name)) {
      throw new DomosError(
        'invalid_request',
        `This build has no ${name} door; --doors knows ${BUILT_DOORS.join(', ')}.`,
        {
          details: { setting: 'doors' },
        },
      )
    }
  }
  const metrics = createPrometheusMetrics()
  const model = options.languageModel ?? (await openModel(settings))
  const store = openStore(settings)
  opened.push(() => store.close())
  const agent = createAgent({
    model,
    store,
    policy: { refuseRiskyWithoutApproval: settings.refuseRiskyWithoutApproval },
    keys: settings.apiKeys.map(toApiKey),
    log,
    metrics,
    ...(settings.limits['agent'] === undefined ? {} : { limits: settings.limits['agent'] }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
  })
  opened.push(() => agent.close())
  const doors: Door[] = []
  let bound: BoundAddress | undefined
  let voice = options.voice
  if (doorNames.includes('voice')) {
    // Loaded only where the door is open; engines start with the first conversation.
    const { openVoice } = await import('./voice.ts')
    voice ??= openVoice(settings, { log, metrics, isEager: model.embedded === true })
    opened.push(() => voice?.close())
  }
  if (doorNames.includes('adtp')) {
    const joining = createJoining(agent, () => (servesDemo ? phonePageUrl(bound, settings) : undefined))
    doors.push(
      createAdtpDoor(agent, {
        limits: settings.limits['adtp'] ?? {},
        joining,
        ...(voice === undefined ? {} : { voice }),
      }),
    )
  }

  if (voice !== undefined && doorNames.includes('voice')) {
    const { openVoiceDoor } = await import('./voice-door.ts')
    doors.push(openVoiceDoor(agent, voice, settings))
  }
  if (doorNames.includes('awp')) {
    // Loaded only where the door is open, so that a server without it starts without it.
    const [{ openBrowsing }, { openAwpDoor }] = await Promise.all([import('./browsing.ts'), import('./awp.ts')])
    doors.push(openAwpDoor(agent, openBrowsing(settings, log, metrics), settings, keyIdOf, store))
  }

  const demoDirectory = options.demoDirectory ?? packageDirectory('@domos/example-shop/package.json', 'dist')
  const consoleDirectory = packageDirectory('@domos/console/package.json', 'public')
  const sdkDirectory = packageDirectory('@domos/browser/package.json', 'dist/browser')
  const servesDemo = options.demo === true && demoDirectory !== undefined && existsSync(demoDirectory)
  const routes: HttpHandler[] = []
  if (servesDemo) {
    routes.push(
      createStaticFiles({
        prefix: '/demo/',
        directory: demoDirectory,
        singlePage: true,
        contentSecurityPolicy: PAGE_POLICY,
      }),
    )
  }
  if (sdkDirectory !== undefined) routes.push(createStaticFiles({ prefix: '/sdk/', directory: sdkDirectory }))
  if (options.console !== false && consoleDirectory !== undefined) {
    routes.push(
      createStaticFiles({
        prefix: '/',
        directory: consoleDirectory,
        contentSecurityPolicy: "default-src 'self'; object-src 'none'; base-uri 'none'",
      }),
    )
  }
  const modelNote = describeModel(model)
  const server = createServer({
    host: agent,
    doors,
    routes,
    metrics,
    allowedOrigins: settings.allowedOrigins,
    publicHosts: settings.publicHosts,
    health: () => ({ ...agent.health(), modelNote, demo: servesDemo }),
    ...(settings.limits['server'] === undefined ? {} : { limits: settings.limits['server'] }),
    ...(tls === undefined ? {} : { tls }),
  })
  let closing: Promise<void> | undefined
  return {
    server: {
      ...server,
      async listen(where) {
        bound = await server.listen(where)
        return bound
      },
    },
    agent,
    doors,
    servesDemo,
    voice,
    modelNote,
    close() {
      closing ??= server
        .close()
        .then(() => voice?.close())
        .then(() => agent.close())
      return closing
    },
  }
}

function describeModel(model: LanguageModel): string {
  return model.embedded
    ? `${model.id}: built in, plans over the page's tools by itself, no key and no network; --model names another`
    : model.id
}

/** Anything but loopback needs a key: whoever reaches the port reaches the agent. */
function checkExposure(settings: Settings): void {
  if (isLoopbackHost(settings.host) || settings.apiKeys.length > 0) return
  throw new DomosError(
    'invalid_request',
    `Listening on ${settings.host} without a key would let anybody in. Set apiKeys (DOMOS_API_KEYS, or apiKeys in domos.config.yml), or keep --host 127.0.0.1.`,
    { details: { setting: 'apiKeys' } },
  )
}

/** A directory inside an installed package; undefined when the package is not there. */
function packageDirectory(manifest: string, inside: string): string | undefined {
  try {
    return fileURLToPath(new URL(inside, import.meta.resolve(manifest)))
  } catch {
    return undefined
  }
}
