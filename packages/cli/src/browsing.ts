import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBrowsing } from '@domos/headless'
import type { BrowserEngine, Browsing, Log, Metrics } from '@domos/spec'
import { openSessionVault } from './session-vault.ts'
import type { Settings } from './settings.ts'

/** Opens the headless organ with the engines of this build. Engines are loaded with the first session. */
export function openBrowsing(settings: Settings, log: Log, metrics: Metrics): Browsing {
  const downloadDirectory = join(settings.dataDir, 'downloads')
  // Downloads live as long as their session: what a crash left belongs to nobody.
  void rm(downloadDirectory, { recursive: true, force: true }).catch(() => {})
  return createBrowsing({
    engines: openEngines(settings, log),
    engine: settings.engine,
    network: { allowPrivateNetwork: settings.allowPrivateNetwork, allowedHosts: settings.allowedHosts },
    downloadDirectory,
    vault: openSessionVault(settings.dataDir),
    log,
    metrics,
    ...(settings.limits['browsing'] === undefined ? {} : { limits: settings.limits['browsing'] }),
  })
}

/** `auto` first, for sessions that name no engine; then the two it chooses between. */
function openEngines(settings: Settings, log: Log): readonly BrowserEngine[] {
  const plain = lazyEngine('static', STATIC_ABILITIES, async () => {
    const { createStaticEngine } = await import('@domos/engine-static')
    return createStaticEngine()
  })
  const abilities = { ...CHROMIUM_ABILITIES, evaluate: settings.allowEvaluate }
  const script = lazyEngine('chromium', abilities, async () => {
    const { createChromiumEngine } = await import('@domos/engine-chromium')
    return createChromiumEngine({ sandbox: !settings.noSandbox, evaluate: settings.allowEvaluate, log })
  })
  const auto = lazyEngine('auto', abilities, async () => {
    const { createAutoEngine } = await import('@domos/engine-auto')
    return createAutoEngine({ plain, script })
  })
  return [auto, plain, script]
}

const STATIC_ABILITIES: BrowserEngine['abilities'] = {
  script: false,
  screenshots: false,
  evaluate: false,
  applies: ['locale', 'viewport'],
}
const CHROMIUM_ABILITIES: BrowserEngine['abilities'] = {
  script: true,
  screenshots: true,
  evaluate: false,
  applies: ['locale', 'timezone', 'viewport', 'colorScheme', 'maxJsHeapMb'],
}

/** An engine whose modules are loaded when the first session opens. */
function lazyEngine(
  id: string,
  abilities: BrowserEngine['abilities'],
  create: () => Promise<BrowserEngine>,
): BrowserEngine {
  let loading: Promise<BrowserEngine> | undefined
  const load = (): Promise<BrowserEngine> => {
    loading ??= create()
    return loading
  }
  return {
    id,
    abilities,
    openContext: async (options) => (await load()).openContext(options),
    // Health of an engine nobody used yet is asked for too, since it says what is missing.
    health: async () => (await load()).health(),
    close: async () => (await loading)?.close(),
  }
}
