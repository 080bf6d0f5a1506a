import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDeviceRegistry } from '@domos/audio/door'
import { systemClock } from '@domos/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileDeviceStore } from './device-store.ts'
import { main } from './main.ts'

describe('domos devices', () => {
  let folder: string
  const out: string[] = []
  const err: string[] = []
  const run = (...args: string[]) => {
    const io = {
      out: (line: string) => out.push(line),
      err: (line: string) => err.push(line),
      env: {},
      directory: folder,
    }
    return main(['devices', ...args, '--data-dir', folder], io)
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'domos-devices-'))
    out.length = 0
    err.length = 0
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('enters a device, prints its secret once, and what is changed here counts for a running server', async () => {
    const running = createDeviceRegistry({ store: createFileDeviceStore(folder), clock: systemClock })
    expect(await run('add', 'kitchen')).toBe(0)
    const secret = out[0] ?? ''
    expect(secret).toMatch(/^[0-9a-f]{48}$/)
    expect(await running.findBySecret(secret)).toMatchObject({ id: 'kitchen', state: 'active' })
    const file = join(folder, 'devices.json')
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await run('suspend', 'kitchen')).toBe(0)
    expect(await running.find('kitchen')).toMatchObject({ state: 'suspended' })
    expect(await run('list')).toBe(0)
    expect(out.at(-1)).toMatch(/^kitchen +suspended/)
  })

  it('says what is wrong and exits with 2', async () => {
    expect(await run('activate', 'nobody')).toBe(2)
    expect(err.at(-1)).toContain('There is no device nobody')
    expect(await run('add', 'a b')).toBe(2)
    writeFileSync(join(folder, 'devices.json'), 'not json')
    expect(await run('list')).toBe(2)
    expect(err.at(-1)).toContain('devices.json')
  })
})
