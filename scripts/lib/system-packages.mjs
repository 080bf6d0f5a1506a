// Programs of the operating system that a part of DomOS needs: found, else installed where that is allowed, else
// named with the way to get them. Runs on Node 20 without packages.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { machinePath } from './project.mjs'
import { run } from './run.mjs'

/**
 * One entry each: what it is for, how it is found (the names of a program on PATH and other places to look, or a shared
 * library and the files it reads), the setting that names it, the Debian packages that bring it, and what a test has
 * in its text or path when it needs it.
 */
export const systemPackages = {
  chromium: {
    purpose: 'end-to-end tests in a real browser',
    commands: [
      ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    ],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    setting: 'DOMOS_CHROMIUM',
    debian: ['chromium-headless-shell'],
    elsewhere: 'Install Chromium or Google Chrome',
    usedBy: /playwright-core|chromium/i,
  },
  pocketsphinx: {
    purpose: 'speech recognition',
    library: 'libpocketsphinx.so.3',
    files: ['/usr/share/pocketsphinx/model/en-us'],
    debian: ['libpocketsphinx3', 'pocketsphinx-en-us'],
    elsewhere: 'Install pocketsphinx 0.8 and its English model',
    usedBy: /stt-pocketsphinx/,
  },
}

const libraryFolders = [
  ...['/usr/local/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib', '/lib'],
]

/** The full path of a program or library of the table, or undefined when it, or a file it reads, is not there. */
export function findSystemPackage(name) {
  const { setting, commands = [], places = [], library, files = [] } = systemPackages[name]
  const named = setting === undefined ? undefined : process.env[setting]
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`${setting} names ${named}, which is not a program. Correct or unset it.`)
  }
  if (!files.every((path) => existsSync(path))) return undefined
  if (library !== undefined)
    return libraryFolders.map((folder) => join(folder, library)).find((path) => existsSync(path))
  const folders = machinePath().split(delimiter)
  return [...commands.flatMap((command) => folders.map((folder) => join(folder, command))), ...places].find(
    isExecutable,
  )
}

/** The path of a program or library, installing it first if need be. Throws a sentence that says how to get it. */
export async function needSystemPackage(name) {
  const found = findSystemPackage(name)
  if (found !== undefined) return found
  const { purpose, setting, debian, elsewhere } = systemPackages[name]
  const list = debian.join(' ')
  const obstacle = installObstacle()
  if (obstacle !== undefined) {
    const advice = isDebian() ? `As root: apt-get install ${list}` : elsewhere
    const orSet = setting === undefined ? '' : `, or set ${setting} to its path`
    throw new Error(`${name} is needed for ${purpose} and was not found; ${obstacle}. ${advice}${orSet}.`)
  }
  console.log(`Installing with apt-get, for ${purpose}: ${list} (DOMOS_SYSTEM_INSTALL=0 forbids it) …`)
  await install(debian)
  const installed = findSystemPackage(name)
  if (installed === undefined) throw new Error(`apt-get installed ${list}, yet ${name} is not found.`)
  return installed
}

async function install(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // A half-read list still allows an install, so only the install decides.
  await run('apt-get', ['update', '-qq'], { env, quiet: true })
  const args = ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...names]
  const { code, output } = await run('apt-get', args, { env, quiet: true })
  if (code !== 0)
    throw new Error(`apt-get install ${names.join(' ')} failed with exit code ${code}:\n${output.slice(-2000)}`)
}

function installObstacle() {
  if (process.env.DOMOS_SYSTEM_INSTALL === '0') return 'DOMOS_SYSTEM_INSTALL=0 forbids installing it'
  if (!isDebian()) return 'this system is neither Debian nor Ubuntu'
  if (process.getuid?.() !== 0) return 'only root may install it'
  return undefined
}

function isDebian() {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return false
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
