import { DEFAULT_VOICE_URL } from '@domos/audio'
import { describeThrown } from '@domos/spec'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { loadSettings } from './load-settings.ts'
import type { MainIo } from './main.ts'

type Flags = Readonly<Record<string, unknown>>

/** Adds `talk`, `models` and `devices`. Each loads its parts when it runs, so that none waits for another's. */
export function addVoiceCommands(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  addTalk(program, io, exitWith)
  addModels(program, io, exitWith)
  addDevices(program, io, exitWith)
}

function addTalk(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  program
    .command('talk')
    .summary('Speak with a server')
    .description(
      "Speaks with a server through the system's recorder and player, or with WAV files, and shows captions. Its key in DOMOS_TOKEN.",
    )
    .option('--url <url>', "a server's voice door", DEFAULT_VOICE_URL)
    .option('--in <file>', 'speak this WAV file instead of the microphone')
    .option('--out <file>', 'write the answers to this WAV file instead of playing them')
    .option('--device-id <id>', 'name of this device', 'domos-talk')
    .option('--join <token>', 'enter the session this token was issued for')
    .addOption(
      new Option('--answer-timeout <ms>', 'time for the answer after the end of the file')
        .argParser(positive)
        .default(60_000),
    )
    .addHelpText('after', '\nExamples:\n  domos talk\n  domos talk --in question.wav --out answer.wav')
    .action(async (flags: Flags) => {
      const stop = new AbortController()
      const end = (): void => stop.abort()
      process.once('SIGINT', end).once('SIGTERM', end)
      exitWith(
        await reporting(io, async () => {
          const { talk } = await import('./commands/talk.ts')
          return await talk(
            {
              url: flags['url'] as string,
              input: flags['in'] as string | undefined,
              output: flags['out'] as string | undefined,
              deviceId: flags['deviceId'] as string,
              joinToken: flags['join'] as string | undefined,
              answerTimeoutMs: flags['answerTimeout'] as number,
            },
            io,
            stop.signal,
          )
        }),
      )
      process.off('SIGINT', end).off('SIGTERM', end)
    })
}

function addModels(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const models = program
    .command('models')
    .summary('Get speech models')
    .description('Models of the data directory. There is no built-in catalogue: you name the address and its SHA-256.')
  withDataDir(models.command('list').description('List the models that were pulled')).action(async (flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        const { printModels } = await import('./commands/models.ts')
        await printModels(await dataDirOf(flags, io), io)
      }),
    )
  })
  withDataDir(
    models
      .command('pull')
      .description('Get a model; goes on where it was broken off')
      .argument('<source>', 'http(s) address, or a manifest file')
      .option('--sha256 <hex>', 'SHA-256 of the file')
      .option('--name <name>', 'name of the model (default: that of the file)'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  domos models pull https://models.example/tiny.onnx --sha256 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae\n  domos models pull moonshine.json\n\nA manifest: {"name": "tiny", "files": [{"url": "https://…", "sha256": "…", "path": "tokens.txt"}]}',
    )
    .action(async (source: string, flags: Flags) => {
      exitWith(
        await reporting(io, async () => {
          const { pullModel } = await import('./commands/models.ts')
          const sha256 = flags['sha256'] as string | undefined
          await pullModel(
            { dataDir: await dataDirOf(flags, io), source, sha256, name: flags['name'] as string | undefined },
            io,
          )
        }),
      )
    })
}

function addDevices(program: Command, io: MainIo, exitWith: (code: number) => void): void {
  const devices = program
    .command('devices')
    .summary('Devices of the voice door')
    .description('Devices that have a secret of their own, and those that showed themselves.')
  withDataDir(devices.command('list').description('List them')).action(async (flags: Flags) => {
    exitWith(
      await reporting(io, async () => {
        const { printDevices } = await import('./commands/devices.ts')
        await printDevices(await dataDirOf(flags, io), io)
      }),
    )
  })
  withDataDir(devices.command('add').description('Enter a device and print its secret').argument('<id>')).action(
    async (id: string, flags: Flags) => {
      exitWith(
        await reporting(io, async () => {
          const { addDevice } = await import('./commands/devices.ts')
          await addDevice(await dataDirOf(flags, io), id, io)
        }),
      )
    },
  )
  for (const [name, state, what] of [
    ['activate', 'active', 'Let a device in (again)'],
    ['suspend', 'suspended', 'Keep a device out for now'],
    ['revoke', 'revoked', 'Keep a device out for good'],
  ] as const) {
    withDataDir(devices.command(name).description(what).argument('<id>')).action(async (id: string, flags: Flags) => {
      exitWith(
        await reporting(io, async () => {
          const { changeDevice } = await import('./commands/devices.ts')
          await changeDevice(await dataDirOf(flags, io), id, state, io)
        }),
      )
    })
  }
}

function withDataDir(command: Command): Command {
  return command.option('--data-dir <directory>', 'where it is kept (default: .domos)')
}

async function dataDirOf(flags: Flags, io: MainIo): Promise<string> {
  const dataDir = flags['dataDir']
  const settings = await loadSettings({
    flags: dataDir === undefined ? {} : { dataDir },
    env: io.env,
    directory: io.directory,
  })
  return settings.dataDir
}

/** Runs a command that prints its result; whatever goes wrong is one line on standard error and exit code 2. */
async function reporting(io: MainIo, run: () => Promise<unknown>): Promise<number> {
  try {
    const code = await run()
    return typeof code === 'number' ? code : 0
  } catch (thrown) {
    io.err(`domos: ${describeThrown(thrown)}`)
    return 2
  }
}

function positive(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return number
}
