// Programs of the operating system that a part of DomOS needs: found, else installed where that is allowed, else
// named with the way to get them. Runs on Node 20 without packages.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { machinePath } from './project.mjs'
import { run } from './run.mjs'

/**
 * One line per program: what it is for, the names it goes by on PATH, other places to look, the setting that names it
 * and the Debian package that brings it.
 */
export const systemPackages = {
  chromium: {
    purpose: 'end-to-end tests in a real browser',
    commands: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
    ],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    setting: 'DOMOS_CHROMIUM',
    debian: 'chromium-headless-shell',
    elsewhere: 'Install Chromium or Google Chrome',
  },
}

/** The full path of a program of the table, or undefined. */
export function findProgram(name) {
  const entry = systemPackages[name]
  const named = process.env[entry.setting]
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`${entry.setting} names ${named}, which is not a program. Correct or unset it.`)
  }
  const onPath = entry.commands.flatMap((command) =>
    machinePath()
      .split(delimiter)
      .map((folder) => join(folder, command)),
  )
  return [...onPath, ...entry.places].find(isExecutable)
}

/** The path of a program, installing it first if need be. Throws a sentence that says how to get it. */
export async function needProgram(name) {
  const found = findProgram(name)
  if (found !== undefined) return found
  const entry = systemPackages[name]
  const obstacle = installObstacle()
  const advice = isDebian() ? `As root: apt-get install ${entry.debian}` : entry.elsewhere
  if (obstacle !== undefined) {
    throw new Error(
      `${name} is needed for ${entry.purpose} and was not found; ${obstacle}. ${advice}, or set ${entry.setting} to its path.`,
    )
  }
  console.log(
    `Installing system packages with apt-get, for ${entry.purpose}: ${entry.debian} (DOMOS_SYSTEM_INSTALL=0 forbids it) …`,
  )
  await install([entry.debian])
  const installed = findProgram(name)
  if (installed === undefined)
    throw new Error(
      `apt-get installed ${entry.debian}, yet no ${entry.commands.join(' or ')} is on PATH. Set ${entry.setting}.`,
    )
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
