import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// The real launcher in a project of its own, whose "built command" reports what it was given and waits for a signal.

const builtCommand = `
export async function main(args, io) {
  if (args[0] === 'exit') return Number(args[1])
  if (args[0] === 'crash') process.kill(process.pid, 'SIGABRT')
  return new Promise((done) => {
    const keep = setInterval(() => {}, 1000)
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.on(signal, () => { io.out(JSON.stringify({ signal })); clearInterval(keep); done(5) })
    }
    io.out(JSON.stringify({ pid: process.pid, args, lifeline: process.env.DOMOS_LIFELINE_FD ?? null }))
  })
}`

const oldNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`

let project: string
let children: ChildProcess[]

beforeEach(async () => {
  children = []
  project = await mkdtemp(join(tmpdir(), 'domos-launcher-'))
  for (const folder of ['cli/bin', 'cli/dist', 'node_modules/node/bin'])
    await mkdir(join(project, folder), { recursive: true })
  await copyFile(fileURLToPath(new URL('./domos.js', import.meta.url)), join(project, 'cli/bin/domos.js'))
  await writeFile(join(project, 'cli/package.json'), '{ "type": "module" }')
  await writeFile(join(project, 'cli/dist/main.js'), builtCommand)
  await writeFile(join(project, 'node_modules/node/package.json'), '{ "name": "node" }')
  await symlink(process.execPath, join(project, 'node_modules/node/bin/node'))
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(project, { recursive: true, force: true })
})

/** Starts the launcher, seemingly under Node 20 when `old`. */
function launch(args: readonly string[], { old = true } = {}) {
  const runtime = old ? ['--import', `data:text/javascript,${encodeURIComponent(oldNode)}`] : []
  const child = spawn(process.execPath, [...runtime, join(project, 'cli/bin/domos.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  return {
    child,
    nextLine: async () => JSON.parse((await lines.next()).value ?? 'null') as Record<string, unknown>,
    end: async () => {
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
      return { code, signal, stderr: errors.join('') }
    },
  }
}

describe.each([
  { name: 'on a current Node', old: false },
  { name: 'on an old Node', old: true },
])('the domos launcher $name', ({ old }) => {
  it('gives back the exit code of the command', async () => {
    expect(await launch(['exit', '7'], { old }).end()).toMatchObject({ code: 7 })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'hands %s to the command once and ends with its exit code',
    async (signal) => {
      const launched = launch(['serve', '--port', '0'], { old })
      expect(await launched.nextLine()).toMatchObject({ args: ['serve', '--port', '0'], lifeline: null })
      const ended = launched.end()
      launched.child.kill(signal)
      expect(await launched.nextLine()).toEqual({ signal })
      expect(await ended).toMatchObject({ code: 5 })
    },
  )

  it('ends by the signal that ended the command', async () => {
    expect(await launch(['crash'], { old }).end()).toMatchObject({ code: null, signal: 'SIGABRT' })
  })

  it('says how to build when the command is not built', async () => {
    await rm(join(project, 'cli/dist'), { recursive: true })
    const { code, stderr } = await launch(['serve'], { old }).end()
    expect(code).toBe(1)
    expect(stderr).toContain('npm run build')
  })
})

it('tells the command to stop when the launcher is killed outright', async () => {
  const launched = launch(['serve'])
  const { pid } = await launched.nextLine()
  expect(pid).not.toBe(launched.child.pid)
  launched.child.kill('SIGKILL')
  expect(await launched.nextLine()).toEqual({ signal: 'SIGTERM' })
})

it('says which Node it needs when there is no newer one', async () => {
  await rm(join(project, 'node_modules'), { recursive: true })
  const { code, stderr } = await launch(['serve']).end()
  expect(code).toBe(1)
  expect(stderr).toContain('needs Node 22.18 or later')
})
