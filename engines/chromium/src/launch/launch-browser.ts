import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { DomosError } from '@domos/spec'
import { CdpConnection } from '../cdp/connection.ts'
import type { ChromiumLimits } from '../limits.ts'
import { type Account, unprivilegedAccount } from './account.ts'
import { HOW_TO_GET_A_BROWSER } from './find-browser.ts'
import { browserFlags } from './flags.ts'

const MAX_STDERR_CHARS = 4_000

/** A browser process with its connection and folders. */
export interface LaunchedBrowser {
  readonly process: ChildProcess
  readonly connection: CdpConnection
  readonly product: string
  readonly userAgent: string
  readonly account: Account | undefined
  /** Where the browser may write: each of these belongs to its account. */
  readonly downloadDirectory: string
  readonly uploadDirectory: string
  /** Resolves with why, once the process is gone. */
  readonly exited: Promise<string>
  /** Ends the process and removes its folders. */
  close(): Promise<void>
}

/** Starts a browser. @throws DomosError `unavailable` with what to do */
export async function launchBrowser(path: string, sandbox: boolean, limits: ChromiumLimits): Promise<LaunchedBrowser> {
  const account = sandbox ? unprivilegedAccount() : undefined
  if (sandbox && account === undefined && process.getuid?.() === 0) {
    throw new DomosError(
      'unavailable',
      'Chromium keeps its sandbox only as an unprivileged user, and there is no account "nobody" to run it as. Start DomOS as another user, or give --no-sandbox.',
    )
  }
  const home = await mkdtemp(join(tmpdir(), 'domos-chromium-'))
  const folders = ['profile', 'downloads', 'uploads'].map((name) => join(home, name))
  for (const folder of [home, ...folders]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (account !== undefined) await chown(folder, account.uid, account.gid)
  }
  const [profileDirectory = '', downloadDirectory = '', uploadDirectory = ''] = folders
  const flags = browserFlags({
    profileDirectory,
    isShell: basename(path).includes('headless-shell') || basename(path).includes('headless_shell'),
    sandbox,
    maxJsHeapMb: limits.maxJsHeapMb,
  })
  // A process group of its own, so that a signal for the terminal's group is not also one for the browser.
  const child = spawn(path, flags, {
    cwd: home,
    detached: process.platform !== 'win32',
    env: { HOME: home, PATH: process.env['PATH'], LANG: process.env['LANG'] ?? 'C.UTF-8', TZ: process.env['TZ'] },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR_CHARS)
  })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`),
    )
  })
  const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable, limits.maxMessageBytes)
  void exited.then((why) => connection.end(why))

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      connection.browser.post('Browser.close')
      const timer = setTimeout(() => killGroup(child), limits.closeTimeoutMs)
      await exited
      clearTimeout(timer)
      connection.end('it was closed')
      await rm(home, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
    })()
    return closing
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const version = await Promise.race([
      connection.browser.send('Browser.getVersion'),
      exited.then((why) => Promise.reject(new Error(why))),
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error(`it did not answer in ${limits.launchTimeoutMs} ms`)),
          limits.launchTimeoutMs,
        )
      }),
    ])
    return {
      process: child,
      connection,
      product: version.product,
      userAgent: version.userAgent,
      account,
      downloadDirectory,
      uploadDirectory,
      exited,
      close,
    }
  } catch (thrown) {
    killGroup(child)
    await close()
    throw failedToStart(path, thrown instanceof Error ? thrown.message : '', stderr)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a browser and all its children at once. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function failedToStart(path: string, why: string, stderr: string): DomosError {
  const isSandbox = /sandbox/i.test(stderr)
  const advice = isSandbox
    ? 'This system gives it no sandbox: allow unprivileged user namespaces, or give --no-sandbox where all pages are trusted.'
    : HOW_TO_GET_A_BROWSER
  return new DomosError('unavailable', `The browser ${path} did not start: ${why}. ${advice}`, {
    details: { reason: 'BROWSER_START_FAILED', sandbox: isSandbox },
    cause: new Error(stderr.slice(-1_000)),
  })
}
