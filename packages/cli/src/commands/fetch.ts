import { DomosError, type WaitUntil } from '@domos/spec'
import { openBrowserLink } from '../browser-link.ts'
import type { MainIo } from '../main.ts'
import { startProgress } from '../progress.ts'
import type { Settings } from '../settings.ts'
import type { PrintOptions } from './som.ts'

/** What a fetch waits for, and how long. */
export interface FetchOptions extends PrintOptions {
  readonly settings: Settings
  readonly wait: WaitUntil
  readonly timeoutMs: number
}

/** Opens an address with an engine and prints its Semantic Object Model. */
export async function fetchPage(address: string, options: FetchOptions, io: MainIo): Promise<void> {
  const { maxTokens, wait, timeoutMs } = options
  const progress = startProgress(`Loading ${address}`, io.err, io.env)
  const link = await openBrowserLink({ settings: options.settings })
  try {
    const client = await link.connect()
    const session = await client.createSession()
    const page = await session.createPage()
    const loaded = await page.navigate(address, { wait: { until: wait, timeoutMs }, timeoutMs: timeoutMs + 5_000 })
    if (loaded.download !== undefined) {
      const { filename, contentType, bytes } = loaded.download
      throw new DomosError(
        'unsupported',
        `${address} is no page but a file: ${filename} (${contentType}, ${bytes} bytes).`,
      )
    }
    progress.update('Reading')
    if (options.outline) {
      const outline = await page.outline(maxTokens === undefined ? {} : { maxTokens })
      progress.stop()
      io.out(outline.text)
      if (outline.cursor !== undefined) io.err('More lines follow; raise --max-tokens to see them.')
    } else {
      const snapshot = await page.observe(maxTokens === undefined ? {} : { maxTokens })
      progress.stop()
      io.out(JSON.stringify(options.ext ? { som: snapshot.som, som_ext: snapshot.ext } : snapshot.som))
    }
    if (loaded.status >= 400) io.err(`The server answered with HTTP ${loaded.status}.`)
    client.close()
  } finally {
    progress.stop()
    await link.close()
  }
}
