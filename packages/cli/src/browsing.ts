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
    engines: [staticEngine()],
    engine: settings.engine,
    network: { allowPrivateNetwork: settings.allowPrivateNetwork, allowedHosts: settings.allowedHosts },
    downloadDirectory,
    vault: openSessionVault(settings.dataDir),
    log,
    metrics,
    ...(settings.limits['browsing'] === undefined ? {} : { limits: settings.limits['browsing'] }),
  })
}

/** The static engine, whose modules are loaded when the first session opens. */
function staticEngine(): BrowserEngine {
  let loading: Promise<BrowserEngine> | undefined
  const load = (): Promise<BrowserEngine> => {
    loading ??= import('@domos/engine-static').then(({ createStaticEngine }) => createStaticEngine())
    return loading
  }
  return {
    id: 'static',
    abilities: { script: false, screenshots: false, evaluate: false, applies: ['locale', 'viewport'] },
    openContext: async (options) => (await load()).openContext(options),
    health: async () => (loading === undefined ? { ready: true, contexts: 0 } : (await load()).health()),
    close: async () => (await loading)?.close(),
  }
}
