import { describeThrown } from '@domos/spec'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { loadSettings } from './load-settings.ts'
import type { MainIo } from './main.ts'
import { addSettings } from './setting-options.ts'
import type { Settings } from './settings.ts'

const NETWORK = ['engine', 'allowPrivateNetwork', 'allowedHosts'] as const

/** Adds `som`, `fetch`, `browse` and `mcp`. Each loads its parts when it runs, so that none waits for another's. */
export function addBrowserCommands(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  addSom(program, io, exitWith)
  addFetch(program, io, exitWith)
  addBrowse(program, io, exitWith)
  addMcp(program, io, exitWith)
}

function addSom(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const command = program
    .command('som')
    .summary('Print the Semantic Object Model of an HTML file')
    .description('Prints the Semantic Object Model of a file, of standard input (-) or of a web address, as JSON.')
    .argument('<source>', 'file, - for standard input, or http(s) address')
    .option('--url <url>', 'address the document is compiled for (default: that of the file)')
  addPrinting(command)
  addSettings(command, NETWORK)
  command.addHelpText(
    'after',
    '\nExamples:\n  domos som page.html --url https://shop.example/\n  curl -s https://shop.example/ | domos som - --url https://shop.example/ --outline\n  domos som page.html --ext --max-tokens 4000',
  )
  command.action(async (source: string, flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        if (isAddress(source)) {
          const { fetchPage } = await import('./commands/fetch.ts')
          await fetchPage(source, { ...printing(flags), ...(await fetching(flags, io)) }, io)
          return
        }
        const { som } = await import('./commands/som.ts')
        await som(source, { ...printing(flags), url: flags['url'] as string | undefined }, io)
      }),
    )
  })
}

function addFetch(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const command = program
    .command('fetch')
    .summary('Load a web address and print its Semantic Object Model')
    .description(
      'Loads a web address with an engine, cookies and redirects included, and prints what it shows as JSON.',
    )
    .argument('<address>', 'http(s) address')
    .addOption(
      new Option('--wait <state>', 'what counts as loaded')
        .choices(['dom_content_loaded', 'load', 'network_idle', 'som_stable'])
        .default('load'),
    )
    .addOption(new Option('--timeout <ms>', 'time for it').argParser(positive).default(30_000))
  addPrinting(command)
  addSettings(command, NETWORK)
  command.addHelpText(
    'after',
    '\nExamples:\n  domos fetch https://example.com/ --outline\n  domos fetch http://localhost:8080/ --allow-host localhost --max-tokens 2000',
  )
  command.action(async (address: string, flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        const { fetchPage } = await import('./commands/fetch.ts')
        await fetchPage(withScheme(address), { ...printing(flags), ...(await fetching(flags, io)) }, io)
      }),
    )
  })
}

function addBrowse(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const command = program
    .command('browse')
    .summary('Browse the web as an agent sees it')
    .description(
      'Shows pages as numbered lines and acts on them by number. Commands may be piped in; "help" lists them.',
    )
    .argument('[address]', 'http(s) address to begin with')
    .option('--url <url>', "a server's browser door, such as ws://127.0.0.1:3000/awp; its key in DOMOS_TOKEN")
    .addOption(new Option('--max-tokens <n>', 'how much of a page is shown at once').argParser(positive).default(1_500))
  addSettings(command, NETWORK)
  command.addHelpText(
    'after',
    "\nExamples:\n  domos browse https://example.com/\n  domos browse --url ws://127.0.0.1:3000/awp\n  printf 'open https://example.com/\\nfind more\\n1\\n' | domos browse",
  )
  command.action(async (address: string | undefined, flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        const { browse } = await import('./commands/browse.ts')
        return browse(
          {
            settings: await settingsOf(flags, io),
            address: address === undefined ? undefined : withScheme(address),
            server: flags['url'] as string | undefined,
            maxTokens: flags['maxTokens'] as number,
          },
          io,
        )
      }),
    )
  })
}

function addMcp(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const command = program
    .command('mcp')
    .summary('Serve a browser to agents over the Model Context Protocol')
    .description('An MCP server over standard input and output, or over Streamable HTTP with --http.')
    .option(
      '--url <url>',
      "open pages at a server's browser door, such as ws://127.0.0.1:3000/awp; its key in DOMOS_TOKEN",
    )
    .addOption(
      new Option('--http <port>', 'serve Streamable HTTP on this port of --host at /mcp; 0 takes a free one').argParser(
        port,
      ),
    )
  addSettings(command, ['host', 'allowedOrigins', 'publicHosts', ...NETWORK])
  command.addHelpText(
    'after',
    '\nExamples:\n  domos mcp\n  domos mcp --http 3333\n  DOMOS_API_KEYS=a-long-random-key domos mcp --http 3333 --host 0.0.0.0\n\nFor a client that is configured by a file:\n  {"mcpServers": {"domos": {"command": "domos", "args": ["mcp"]}}}',
  )
  command.action(async (flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        const { mcp } = await import('./commands/mcp.ts')
        const server = flags['url'] as string | undefined
        await mcp({ settings: await settingsOf(flags, io), server, port: flags['http'] as number | undefined }, io)
      }),
    )
  })
}

type Flags = Readonly<Record<string, unknown>>

function addPrinting(command: Command): void {
  command
    .option('--outline', 'print the text view for models instead of JSON')
    .addOption(new Option('--max-tokens <n>', 'ceiling for what is printed, in tokens').argParser(positive))
    .option('--ext', 'print {som, som_ext} instead of the document alone')
}

function printing(flags: Flags): { outline: boolean; maxTokens: number | undefined; ext: boolean } {
  return {
    outline: flags['outline'] === true,
    maxTokens: flags['maxTokens'] as number | undefined,
    ext: flags['ext'] === true,
  }
}

async function fetching(flags: Flags, io: MainIo) {
  return {
    settings: await settingsOf(flags, io),
    wait: (flags['wait'] ?? 'load') as 'load',
    timeoutMs: (flags['timeout'] ?? 30_000) as number,
  }
}

function settingsOf(flags: Flags, io: MainIo): Promise<Settings> {
  const { config, url: _url, outline: _outline, ext: _ext, maxTokens: _tokens, http: _http, ...given } = flags
  const { wait: _wait, timeout: _timeout, ...rest } = given
  return loadSettings({
    flags: rest,
    env: io.env,
    directory: io.directory,
    ...(typeof config === 'string' ? { configFile: config } : {}),
  })
}

/** Runs a command that prints its result; whatever goes wrong is one line on standard error and exit code 2. */
async function reporting(io: MainIo, run: () => Promise<unknown>): Promise<number> {
  // Whoever reads the first lines alone, as `head` does, has got what it wanted.
  process.stdout.once('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2))
  try {
    const code = await run()
    return typeof code === 'number' ? code : 0
  } catch (thrown) {
    io.err(`domos: ${describeThrown(thrown)}`)
    return 2
  }
}

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

function withScheme(address: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^[\w.-]+:\d/.test(address) ? address : `https://${address}`
}

function positive(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return number
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return number
}
