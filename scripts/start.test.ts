import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

// What `npm start` does, with the real server on a free port. The first run may have to build what changed.

const buildMs = 180_000
const start = fileURLToPath(new URL('./start.mjs', import.meta.url))

let dataDir: string
let child: ChildProcess | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'domos-start-'))
})

afterEach(async () => {
  child?.kill('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts the demo and gives its lines up to `ready`. */
async function startDemo(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const started = spawn(command, [...args, '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: undefined, ...env },
  })
  child = started
  const lines: string[] = []
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line)
    if (line === 'ready') break
  }
  const url =
    /http:\S+\/demo\//.exec(lines.join('\n'))?.[0] ?? expect.unreachable(`no demo URL in: ${lines.join('\n')}`)
  return { started, lines, url }
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'serves the shop where it says, until %s ends it',
  { timeout: buildMs },
  async (signal) => {
    const { started, lines, url } = await startDemo(process.execPath, [start])
    expect(lines.filter((line) => line.includes('ws://'))).not.toEqual([])
    expect(lines.at(-1)).toBe('ready')
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script')
    const closed = once(started, 'close')
    started.kill(signal)
    expect(await closed).toEqual([0, null])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  },
)

it('ends when the npm that started it is killed outright', { timeout: buildMs }, async () => {
  // A shell stands for npm: it starts the script, waits for it, and cannot pass SIGKILL on.
  const shell = ['-c', '"$0" "$@"; true', process.execPath, start]
  const { started, url } = await startDemo('sh', shell, { npm_lifecycle_event: 'start' })
  expect((await fetch(url)).status).toBe(200)
  started.kill('SIGKILL')
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'served',
          () => 'gone',
        ),
      { timeout: 20_000, interval: 100 },
    )
    .toBe('gone')
})
