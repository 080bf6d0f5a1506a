import { readFileSync } from 'node:fs'
import { DomosError, describeThrown } from '@domos/spec'
import { Command, CommanderError } from 'commander'
import { addBrowserCommands } from './browser-commands.ts'
import { loadSettings } from './load-settings.ts'
import { addSettings } from './setting-options.ts'
import { addVoiceCommands } from './voice-commands.ts'

/** Exit codes of the command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** Where the command writes. */
export interface MainIo {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
}

/** Runs the `domos` command. Settles with the exit code; never throws. */
export async function main(args: readonly string[], io: MainIo): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = new Command('domos')
    .description('One server that lets language-model agents use the web through three doors.')
    .version(version(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .showHelpAfterError('(domos --help shows what there is)')

  const serving = (
    name: string,
    summary: string,
    example: string,
    defaults: { demo: boolean; seekPort: boolean },
  ): void => {
    const command = program.command(name).summary(summary).description(summary)
    addSettings(command)
    command.addHelpText(
      'after',
      `\nExamples:\n${example}\n\nEvery flag is also an environment name (DOMOS_PORT) and a key of domos.config.{ts,yml,json}; flags win.\nAPI keys are no flag, so that no process list shows them: DOMOS_API_KEYS=KEY[,KEY], or apiKeys in that file.`,
    )
    command.action(async (flags: Record<string, unknown>) => {
      const { config, ...rest } = flags
      // Loaded here, so that commands that serve nothing start fast.
      const { serve } = await import('./commands/serve.ts')
      const settings = await loadSettings({
        flags: rest,
        env: io.env,
        directory: io.directory,
        ...(typeof config === 'string' ? { configFile: config } : {}),
      })
      exitCode = await serve({
        settings,
        demo: defaults.demo,
        seekPort: defaults.seekPort && !settings.isPortGiven,
        out: io.out,
        err: io.err,
      })
    })
  }
  serving(
    'serve',
    'Serve all doors on one port',
    '  domos serve\n  domos serve --port 0 --log-format json\n  domos serve --model openai/gpt-5 --allow-origin https://shop.example',
    { demo: true, seekPort: false },
  )
  serving(
    'demo',
    'Serve the demo shop, on the next free port if 3000 is taken',
    '  domos demo\n  domos demo --model compatible/llama3 --model-base-url http://127.0.0.1:11434/v1',
    { demo: true, seekPort: true },
  )
  addBrowserCommands(program, io, (code) => {
    exitCode = code
  })

  addVoiceCommands(program, io, (code) => {
    exitCode = code
  })

  try {
    if (args.length === 0) {
      program.outputHelp()
      return EXIT.usage
    }
    await program.parseAsync([...args], { from: 'user' })
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage
    io.err(`domos: ${describeThrown(thrown)}`)
    return thrown instanceof DomosError && thrown.code === 'invalid_request' ? EXIT.usage : EXIT.failed
  }
  return exitCode
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
