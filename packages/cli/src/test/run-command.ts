import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const SCRIPT = `
  const { main } = await import(${JSON.stringify(MAIN)})
  process.exitCode = await main(process.argv.slice(1), {
    out: (line) => process.stdout.write(line + '\\n'),
    err: (line) => process.stderr.write(line + '\\n'),
    env: process.env,
    directory: process.cwd(),
  })
`

/** A running `domos`, from its sources. */
export interface CommandRun {
  readonly child: ChildProcess
  readonly stdout: string
  readonly stderr: string
  /** Settles with the exit code once both outputs are read to their end. */
  readonly exit: Promise<number | null>
  /** Settles with the first line of standard output that matches. */
  line(pattern: RegExp): Promise<string>
}

/** Command line of a process that runs `domos`. */
export function commandLine(args: readonly string[]): readonly string[] {
  return ['--conditions=@domos/source', '--input-type=module', '-e', SCRIPT, '--', ...args]
}

/** Environment without anything of the machine that runs the test. */
export function commandEnv(directory: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: directory, NO_COLOR: '1', ...env }
}

/** Runs `domos` in a directory, with `input` as its whole standard input. */
export function runCommand(
  args: readonly string[],
  options: {
    readonly directory: string
    readonly input?: string | Uint8Array
    readonly env?: Readonly<Record<string, string>>
  },
): CommandRun {
  const child = spawn(process.execPath, commandLine(args), {
    cwd: options.directory,
    env: commandEnv(options.directory, options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = []
  let stdout = ''
  let stderr = ''
  const check = (): void => {
    for (const { pattern, resolve } of waiting) {
      const found = stdout.split('\n').find((line) => pattern.test(line))
      if (found !== undefined) resolve(found)
    }
  }
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    stdout += data
    check()
  })
  child.stderr.setEncoding('utf8').on('data', (data: string) => {
    stderr += data
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return {
    child,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    exit: new Promise((resolve) => child.once('close', resolve)),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        waiting.push({ pattern, resolve })
        child.once('close', (code) => reject(new Error(`ended with ${code}: ${stderr}`)))
        check()
      }),
  }
}
