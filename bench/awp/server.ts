import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@domos/spec'
import { createDomos, loadSettings } from 'domos'

// The browser door on the engine that needs no browser, in a process of its own.

const directory = mkdtempSync(join(tmpdir(), 'domos-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())
process.on('message', () => {
  ;(globalThis as { gc?: () => void }).gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed, cpuUs: user + system })
})

const settings = await loadSettings({
  flags: { dataDir: directory, doors: ['awp'], engine: 'static', allowPrivateNetwork: true },
  env: {},
  directory,
})
const limits = { browsing: { maxSessions: 5_000, maxSessionsPerPrincipal: 5_000 } }
const domos = await createDomos({ settings: { ...settings, limits }, log: silentLog, console: false })
process.send?.({ port: (await domos.server.listen({ port: 0 })).port })
