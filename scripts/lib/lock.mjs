// One at a time: two starts in one checkout would install and build over each other. Runs on Node 20 without packages.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inProject } from './project.mjs'

const defaults = { path: inProject('.stamp/setup.lock'), pollMs: 300, waitMs: 15 * 60_000 }

/**
 * Runs `work` while no other process of this checkout does; waits for one that does, and takes over from one that died.
 * Throws a sentence when the other one takes too long.
 */
export async function exclusively(work, { path, pollMs, waitMs } = defaults) {
  mkdirSync(dirname(path), { recursive: true })
  const giveUpAt = Date.now() + waitMs
  for (let isTold = false; !take(path); await delay(pollMs)) {
    const owner = ownerOf(path)
    if (owner === undefined || !isAlive(owner)) {
      rmSync(path, { force: true })
      continue
    }
    if (Date.now() > giveUpAt)
      throw new Error(`Process ${owner} is still installing or building here. End it, or delete ${path}.`)
    if (!isTold) console.log(`Process ${owner} is installing or building in this folder; waiting for it …`)
    isTold = true
  }
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function ownerOf(path) {
  try {
    const owner = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(owner) && owner > 0 ? owner : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
