import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSupportedNode, missingPackages } from './project.mjs'
import { findSystemPackage, needSystemPackage } from './system-packages.mjs'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'domos-setup-'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

describe('isSupportedNode', () => {
  it('draws the line at 22.18', () => {
    expect(['v20.20.2', 'v22.17.1', 'v22.18.0', 'v24.0.0'].map(isSupportedNode)).toEqual([false, false, true, true])
  })
})

describe('missingPackages', () => {
  const lock = {
    '': {},
    'packages/a': { version: '1.0.0' },
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/x': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/only-elsewhere': { version: '1.0.0', integrity: 'sha512-y', optional: true },
  }

  async function install(present: Record<string, unknown> | undefined) {
    await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true })
    await writeFile(join(folder, 'node_modules/node/bin/node'), '')
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
    if (present !== undefined)
      await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }))
    return missingPackages(folder)
  }

  const { 'node_modules/a': a, 'node_modules/x': x } = lock

  it('finds nothing missing after an install, optional packages of other machines left out', async () => {
    expect(await install({ 'node_modules/a': a, 'node_modules/x': x })).toEqual([])
  })

  it('names a package that is absent, of another version or of other content', async () => {
    expect(await install({ 'node_modules/a': a })).toEqual(['node_modules/x'])
    expect(await install({ 'node_modules/a': a, 'node_modules/x': { ...x, version: '0.9.0' } })).toEqual([
      'node_modules/x',
    ])
    expect(await install({ 'node_modules/a': a, 'node_modules/x': { ...x, integrity: 'sha512-z' } })).toEqual([
      'node_modules/x',
    ])
  })

  it('counts an install that broke off as missing', async () => {
    expect(await install(undefined)).toEqual(['node_modules'])
  })
})

describe('needSystemPackage', () => {
  it('takes the program that the setting names', async () => {
    const program = join(folder, 'my-browser')
    await writeFile(program, '')
    await chmod(program, 0o755)
    vi.stubEnv('DOMOS_CHROMIUM', program)
    expect(await needSystemPackage('chromium')).toBe(program)
  })

  it('refuses a setting that names no program', () => {
    vi.stubEnv('DOMOS_CHROMIUM', join(folder, 'none'))
    expect(() => findSystemPackage('chromium')).toThrow('DOMOS_CHROMIUM names')
  })

  it('says how to get the program when it may not install it', async () => {
    vi.stubEnv('DOMOS_CHROMIUM', '')
    vi.stubEnv('PATH', folder)
    vi.stubEnv('DOMOS_SYSTEM_INSTALL', '0')
    if (findSystemPackage('chromium') === undefined) {
      await expect(needSystemPackage('chromium')).rejects.toThrow(
        /DOMOS_SYSTEM_INSTALL=0 forbids.*DOMOS_CHROMIUM to its path/,
      )
    } else {
      expect.unreachable('the empty PATH still had a browser')
    }
  })
})
