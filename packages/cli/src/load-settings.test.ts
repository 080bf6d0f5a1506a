import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from './load-settings.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'domos-settings-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const load = (flags: Record<string, unknown> = {}, env: Record<string, string> = {}, configFile?: string) =>
  loadSettings({ flags, env, directory, ...(configFile === undefined ? {} : { configFile }) })

describe('settings', () => {
  it('have documented defaults: loopback, port 3000, no key, the local model', async () => {
    expect(await load()).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      isPortGiven: false,
      model: 'local',
      apiKeys: [],
      logFormat: 'text',
      logLevel: 'warn',
      dataDir: join(directory, '.domos'),
    })
  })

  it('take a flag before the environment before the file before the default', async () => {
    writeFileSync(join(directory, 'domos.config.yml'), 'port: 1001\nhost: 127.0.0.3\nmodel: openai/a\n')
    expect(await load({ port: '1003' }, { DOMOS_PORT: '1002', DOMOS_HOST: '127.0.0.2' })).toMatchObject({
      port: 1003,
      host: '127.0.0.2',
      model: 'openai/a',
      isPortGiven: true,
    })
  })

  it('honour VOICE_PORT, after DOMOS_PORT', async () => {
    expect((await load({}, { VOICE_PORT: '4000' })).port).toBe(4000)
    expect((await load({}, { VOICE_PORT: '4000', DOMOS_PORT: '4001' })).port).toBe(4001)
  })

  it.each([
    ['domos.config.json', '{"port": 1005, "apiKeys": ["0123456789"]}'],
    ['domos.config.yml', 'port: 1005\napiKeys: ["0123456789"]\n'],
    ['domos.config.ts', 'export default { port: 1005 as number, apiKeys: ["0123456789"] }\n'],
  ])('are read from %s', async (name, text) => {
    writeFileSync(join(directory, name), text)
    expect(await load()).toMatchObject({ port: 1005, apiKeys: [{ key: '0123456789' }] })
  })

  it('take lists apart at commas and from repeated flags', async () => {
    expect(
      (await load({ allowedOrigins: ['https://a.example,https://b.example', 'https://c.example'] })).allowedOrigins,
    ).toEqual(['https://a.example', 'https://b.example', 'https://c.example'])
  })

  it.each([
    [{ port: 'abc' }, {}, '--port'],
    [{ port: '70000' }, {}, '--port'],
    [{ port: ' ' }, {}, '--port'],
    [{}, { DOMOS_PORT: '-1' }, 'DOMOS_PORT'],
    [{ doors: ['adtp,telepathy'] }, {}, '--doors'],
    [{ logFormat: 'xml' }, {}, '--log-format'],
    [{}, { DOMOS_REFUSE_RISKY_WITHOUT_APPROVAL: 'maybe' }, 'DOMOS_REFUSE_RISKY_WITHOUT_APPROVAL'],
    [{}, { DOMOS_API_KEYS: 'short' }, 'DOMOS_API_KEYS'],
  ])('refuse %j %j and name %s', async (flags, env, named) => {
    await expect(load(flags, env)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(named),
    })
  })

  it.each([
    ['prot: 3000', 'prot'],
    ['- a\n- b', 'object of settings'],
    ['port: [', 'cannot be read'],
    ['limits: {agent: {toolTimeoutMs: -1}}', 'limits.agent.toolTimeoutMs'],
    ['limits: {agnet: {toolTimeoutMs: 1}}', 'limits.agnet'],
  ])('refuse a file that says %j', async (text, named) => {
    writeFileSync(join(directory, 'domos.config.yml'), text)
    await expect(load()).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(named) })
  })

  it('refuse a configuration file that is not there', async () => {
    await expect(load({}, {}, 'nowhere.yml')).rejects.toMatchObject({ message: expect.stringContaining('--config') })
  })
})
