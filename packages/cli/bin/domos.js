#!/usr/bin/env node
// The `domos` command. It is plain JavaScript that any Node from 16 on can read: on a Node too old for DomOS it runs
// itself again under the Node that is installed beside it, and the two end together.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldest = [22, 18]
const lifelineFd = 3
const lifelineVariable = 'DOMOS_LIFELINE_FD'
const shutdownGraceMs = 10_000

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) await runHere()
else runUnderNewerNode()

async function runHere() {
  if (process.env[lifelineVariable] !== undefined) endWithLauncher()
  const entry = new URL('../dist/main.js', import.meta.url)
  if (!existsSync(entry)) {
    console.error('domos is not built yet. Run: npm run build')
    process.exitCode = 1
    return
  }
  const { main } = await import(entry.href)
  process.exitCode = await main(process.argv.slice(2), {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    env: process.env,
    directory: process.cwd(),
  })
}

/**
 * The launcher holds the other end of this socket, and the system closes it however the launcher ends, SIGKILL
 * included. Then this process asks itself to stop, and stops in any case a while later.
 */
function endWithLauncher() {
  const lifeline = new Socket({ fd: Number(process.env[lifelineVariable]), readable: true, writable: false })
  delete process.env[lifelineVariable]
  const end = () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), shutdownGraceMs).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  lifeline.on('error', () => {})
  lifeline.once('close', end)
  lifeline.resume()
  lifeline.unref()
}

function runUnderNewerNode() {
  const node = findNewerNode()
  if (node === undefined) {
    console.error(
      `domos needs Node ${oldest.join('.')} or later; this is ${process.version}. ` +
        'Install a current Node, or put one beside this package: npm install node@24',
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [lifelineVariable]: String(lifelineFd) },
  })
  const passed = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
  for (const signal of passed) {
    process.on(signal, () => {
      // A terminal sends its interrupt to both processes; passing it on would count as a second one.
      const sentByTerminal = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!sentByTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`domos could not start ${node}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code)
    }
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function findNewerNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}
