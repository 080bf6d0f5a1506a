import { mkdirSync } from 'node:fs'
import { createPinoLog } from '@domos/server'
import { DomosError } from '@domos/spec'
import { createDomos, type Domos } from '../compose.ts'
import { watchLifetime } from '../lifetime.ts'
import type { Settings } from '../settings.ts'
import { createTextLog } from '../text-log.ts'
import { serverUrls, urlLines } from '../urls.ts'

/** What a serving command may differ in. */
export interface ServeOptions {
  readonly settings: Settings
  /** Serve the demo shop under /demo/. */
  readonly demo: boolean
  /** Take the next free port when the wanted one is taken, instead of failing. */
  readonly seekPort: boolean
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

/** Ports tried after the wanted one before giving up. */
const PORTS_SOUGHT = 50

/** Serves until the process is asked to end. Settles with the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { settings } = options
  const isJson = settings.logFormat === 'json'
  const log = isJson
    ? createPinoLog({ level: settings.logLevel, destination: { write: (line: string) => options.out(line.trimEnd()) } })
    : createTextLog(settings.logLevel, (line) => options.err(line.trimEnd()))
  const lifetime = watchLifetime()
  try {
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
    const domos = await createDomos({ settings, log, demo: options.demo })
    try {
      const bound = await listen(domos, options)
      const urls = serverUrls(bound, domos.doors, { console: true, demo: domos.servesDemo })
      if (isJson) {
        options.out(JSON.stringify({ event: 'ready', urls }))
      } else {
        for (const line of urlLines(urls)) options.out(line)
        options.out(`  ${'Model'.padEnd(20)} ${domos.modelNote}`)
        options.out('ready')
      }
      // Starts the speech engines, so that the first person who speaks does not wait for them.
      domos.voice?.health()
      const reason = await lifetime.ended
      log.info('server-stop', { reason })
    } finally {
      await domos.close()
    }
    return 0
  } finally {
    lifetime.dispose()
  }
}

async function listen(domos: Domos, options: ServeOptions): Promise<{ address: string; port: number; isTls: boolean }> {
  const { host, port } = options.settings
  for (let offset = 0; ; offset++) {
    try {
      const bound = await domos.server.listen({ address: host, port: port === 0 ? 0 : port + offset })
      if (offset > 0) options.err(`Port ${port} is taken, so this server uses ${bound.port}.`)
      return bound
    } catch (thrown) {
      const isTaken = thrown instanceof DomosError && thrown.details['reason'] === 'port-taken'
      if (!isTaken || !options.seekPort || offset >= PORTS_SOUGHT) throw thrown
    }
  }
}
