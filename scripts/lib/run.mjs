// Child processes: run to the end, or run in the foreground with signals passed on. Runs on Node 20 without packages.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/**
 * Runs a command to its end.
 * @returns `{ code, output }`; `output` holds stdout and stderr when `quiet`, else they go to the terminal
 */
export function run(command, args, { env = process.env, cwd = root, quiet = false } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    const release = endWithUs(child)
    child.on('error', failed)
    child.on('close', (code, signal) => {
      release()
      done({ code: code ?? exitCodeOf(signal), output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Runs a command in the foreground until it ends, passing signals on to it, and gives its exit code. */
export function runInForeground(command, args, { env = process.env } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' })
    const release = passSignals(child)
    child.on('error', failed)
    child.on('close', (code, signal) => {
      release()
      done(code ?? exitCodeOf(signal))
    })
  })
}

/**
 * Ends this process, as SIGTERM would, when npm started it and is gone. A signal to npm ends the shell between the two
 * and does not come this far.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

/** The exit code a shell gives for a process that a signal ended. */
export const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0)

function passSignals(child) {
  const passed = ['SIGTERM', 'SIGHUP', 'SIGINT']
  const pass = (signal) => {
    // A terminal sends its interrupt to the child as well; passing it on would count as a second one.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of passed) process.on(signal, pass)
  return () => {
    for (const signal of passed) process.off(signal, pass)
  }
}

function endWithUs(child) {
  const end = (signal) => {
    child.kill('SIGTERM')
    process.exitCode = exitCodeOf(signal)
    child.once('close', () => process.exit())
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  return () => {
    process.off('SIGTERM', end)
    process.off('SIGINT', end)
  }
}
