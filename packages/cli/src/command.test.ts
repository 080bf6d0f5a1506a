import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const SCRIPT = `
  const { main } = await import(${JSON.stringify(MAIN)})
  process.exitCode = await main(process.argv.slice(1), {
    out: (line) => process.stdout.write(line + '\\n'),
    err: (line) => process.stderr.write(line + '\\n'),
    env: process.env,
    directory: process.cwd(),
  })
`

interface Run {
  readonly child: ChildProcess
  stdout: string
  stderr: string
  readonly exit: Promise<number | null>
  /** Settles with the first line of standard output that matches. */
  line(pattern: RegExp): Promise<string>
}

const children: ChildProcess[] = []
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'domos-command-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    }
  }
  rmSync(directory, { recursive: true, force: true })
})

function domos(args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(
    process.execPath,
    ['--conditions=@domos/source', '--input-type=module', '-e', SCRIPT, '--', ...args],
    {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.push(child)
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = []
  const run: Run = {
    child,
    stdout: '',
    stderr: '',
    exit: new Promise((resolve) => child.once('exit', resolve)),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        waiting.push({ pattern, resolve })
        child.once('exit', (code) => reject(new Error(`ended with ${code}: ${run.stderr}`)))
        check()
      }),
  }
  const check = (): void => {
    for (const { pattern, resolve } of waiting) {
      const found = run.stdout.split('\n').find((line) => pattern.test(line))
      if (found !== undefined) resolve(found)
    }
  }
  child.stdout?.on('data', (data: Buffer) => {
    run.stdout += data.toString()
    check()
  })
  child.stderr?.on('data', (data: Buffer) => {
    run.stderr += data.toString()
  })
  return run
}

describe('domos serve', () => {
  it('prints one ready line with the doors that are on, as JSON, and ends at a signal with exit code 0', async () => {
    const run = domos(['serve', '--port', '0', '--log-format', 'json'])
    const ready = JSON.parse(await run.line(/"event":"ready"/)) as { urls: Record<string, string> }
    expect(ready.urls['adtp']).toMatch(/^ws:\/\/localhost:\d+\/adtp$/)
    expect(ready.urls['console']).toMatch(/^http:\/\/localhost:\d+\/$/)
    const health = (await (await fetch(new URL('/healthz', ready.urls['console']))).json()) as Record<string, unknown>
    expect(health).toMatchObject({ status: 'ok', model: { id: 'local/planner', embedded: true } })
    for (const line of run.stdout.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('names --port when the given port is taken', async () => {
    const first = domos(['serve', '--port', '0', '--log-format', 'json'])
    const ready = JSON.parse(await first.line(/"event":"ready"/)) as { urls: Record<string, string> }
    const port = new URL(ready.urls['console'] as string).port
    const second = domos(['serve', '--port', port])
    expect(await second.exit).toBe(1)
    expect(second.stderr).toContain('--port')
  })

  it('prints a line per URL and then ready, in text', async () => {
    const run = domos(['demo', '--port', '0'])
    await run.line(/^ready$/)
    expect(run.stdout).toMatch(/Page door \(ADTP\) +ws:\/\/localhost:\d+\/adtp/)
    expect(run.stdout.trim().split('\n').at(-1)).toBe('ready')
  })

  it('refuses to listen beyond loopback without a key and names the setting', async () => {
    const run = domos(['serve', '--host', '0.0.0.0', '--port', '0'])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain('apiKeys')
  })

  it('listens beyond loopback with a key, and refuses a client without it', async () => {
    const run = domos(['serve', '--host', '0.0.0.0', '--port', '0', '--log-format', 'json'], {
      DOMOS_API_KEYS: 'a-key-for-the-test',
    })
    const ready = JSON.parse(await run.line(/"event":"ready"/)) as { urls: Record<string, string> }
    const answer = await firstAnswer(ready.urls['adtp'] as string)
    expect(answer).toMatchObject({ type: 'SYSTEM_EVENT', payload: { kind: 'error', data: { code: 'unauthorized' } } })
    const welcomed = await firstAnswer(`${ready.urls['adtp']}?apiKey=a-key-for-the-test`)
    expect(welcomed).toMatchObject({ type: 'HANDSHAKE_ACK' })
    expect(run.stdout + run.stderr).not.toContain('a-key-for-the-test')
  })

  it.each([
    ['a certificate without its key', ['--tls-cert', 'cert.pem'], 'belong together'],
    ['files that are no certificate', ['--tls-cert', 'cert.pem', '--tls-key', 'cert.pem'], 'no certificate'],
    ['a file that is not there', ['--tls-cert', 'gone.pem', '--tls-key', 'cert.pem'], 'gone.pem cannot be read'],
  ])('ends, saying why, when it is given %s', async (_what, flags, sentence) => {
    writeFileSync(join(directory, 'cert.pem'), 'nothing')
    const run = domos(['serve', '--port', '0', ...flags])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain(sentence)
  })

  it.each(['agent', 'adtp', 'server'])('ends, naming it, when a limit of %s does not exist', async (organ) => {
    writeFileSync(join(directory, 'domos.config.json'), JSON.stringify({ limits: { [organ]: { bananasMax: 1 } } }))
    const run = domos(['serve', '--port', '0'])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain('bananasMax')
  })

  it('fails on a taken port that was asked for by the configuration file, also in demo', async () => {
    const first = domos(['serve', '--port', '0', '--log-format', 'json'])
    const ready = JSON.parse(await first.line(/"event":"ready"/)) as { urls: Record<string, string> }
    writeFileSync(
      join(directory, 'domos.config.json'),
      JSON.stringify({ port: Number(new URL(ready.urls['console'] as string).port) }),
    )
    const run = domos(['demo'])
    expect(await run.exit).toBe(1)
    expect(run.stderr).toContain('--port')
  })
})

describe('domos', () => {
  it('says what is wrong with a flag and exits with 2', async () => {
    const run = domos(['serve', '--port', 'many'])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain('--port must be a port')
  })

  it('refuses a model it does not know and names what it knows', async () => {
    const run = domos(['serve', '--model', 'parrot'])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain('compatible/NAME')
  })

  it.each([[['--help']], [['serve', '--help']]])('explains itself with examples: %j', async (args) => {
    const run = domos(args)
    expect(await run.exit).toBe(0)
    expect(run.stdout).toMatch(/Usage: domos/)
    if (args.includes('serve')) expect(run.stdout).toContain('DOMOS_API_KEYS')
  })

  it('prints its version', async () => {
    const run = domos(['--version'])
    expect(await run.exit).toBe(0)
    expect(run.stdout.trim()).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('exits with 2 for a command that does not exist', async () => {
    const run = domos(['fly'])
    expect(await run.exit).toBe(2)
    expect(run.stderr).toContain('fly')
  })
})

function firstAnswer(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.once('open', () => {
      const payload = { protocolVersion: '1.0.0', capabilities: ['text', 'tools'] }
      socket.send(
        JSON.stringify({ type: 'HANDSHAKE_INIT', payload, meta: { id: 'msg_1', timestamp: 1, version: '1.0.0' } }),
      )
    })
    socket.once('message', (data) => {
      resolve(JSON.parse(data.toString()))
      socket.terminate()
    })
    socket.once('error', reject)
  })
}
