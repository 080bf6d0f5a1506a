import { createInterface } from 'node:readline'
import { styleText } from 'node:util'
import { describeThrown } from '@domos/spec'
import { TextBrowser } from '../browse/browser.ts'
import { type BrowseCommand, readCommand } from '../browse/read-command.ts'
import { openBrowserLink } from '../browser-link.ts'
import type { MainIo } from '../main.ts'
import { startProgress } from '../progress.ts'
import type { Settings } from '../settings.ts'

/** What `domos browse` is started with. */
export interface BrowseOptions {
  readonly settings: Settings
  readonly address: string | undefined
  /** A server's browser door; undefined = pages in this process. */
  readonly server: string | undefined
  readonly maxTokens: number
}

/**
 * Reads commands from standard input until `quit` or its end. Exit code 0; 1 when a piped command failed, since nobody
 * was there to see it.
 */
export async function browse(options: BrowseOptions, io: MainIo): Promise<number> {
  const { settings, server, address, maxTokens } = options
  const isTerminal = process.stdin.isTTY === true
  const token = io.env['DOMOS_TOKEN']
  const link = await openBrowserLink({
    settings,
    ...(server === undefined ? {} : { url: server }),
    ...(token === undefined ? {} : { token }),
  })
  const lines = createInterface({ input: process.stdin, ...(isTerminal ? { output: process.stdout } : {}) })
  // Asked for at once: lines that come before anybody iterates would be lost.
  const typed = lines[Symbol.asyncIterator]()
  let failed = false
  try {
    const client = await link.connect()
    const browser = new TextBrowser(await client.createSession(), maxTokens)
    const perform = async (command: Exclude<BrowseCommand, { type: 'quit' }>): Promise<void> => {
      const progress = startProgress(command.type === 'open' ? `Loading ${command.address}` : 'Working', io.err, io.env)
      try {
        const text = await browser.run(command)
        progress.stop()
        io.out(text)
      } finally {
        progress.stop()
      }
    }
    const read = async (line: string): Promise<boolean> => {
      try {
        const command = readCommand(line)
        if (command?.type === 'quit') return false
        if (command !== undefined) await perform(command)
      } catch (thrown) {
        failed = true
        io.err(styleText('red', describeThrown(thrown), { stream: process.stderr }))
      }
      return true
    }
    if (address !== undefined) await read(`open ${address}`)
    else if (isTerminal) io.out('open ADDRESS loads a page; help lists what there is.')
    lines.setPrompt('> ')
    if (isTerminal) lines.prompt()
    for await (const line of typed) {
      if (!(await read(line))) break
      if (isTerminal) lines.prompt()
    }
    client.close()
  } finally {
    lines.close()
    process.stdin.pause()
    await link.close()
  }
  return failed && !isTerminal ? 1 : 0
}
