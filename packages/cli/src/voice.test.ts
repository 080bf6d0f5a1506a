import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog, silentMetrics } from '@domos/spec'
import { afterAll, describe, expect, it } from 'vitest'
import { createDomos } from './compose.ts'
import { loadSettings } from './load-settings.ts'
import { openVoice } from './voice.ts'

const folder = mkdtempSync(join(tmpdir(), 'domos-voice-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const settingsOf = (flags: Record<string, unknown>) =>
  loadSettings({ flags: { dataDir: folder, ...flags }, env: {}, directory: folder })

describe('the voice of a server', () => {
  it.each([
    [{ recognition: 'siri' }, '--stt'],
    [{ synthesis: 'pocketsphinx' }, '--tts'],
    [{ recognition: 'wyoming://host' }, '--stt'],
    [{ synthesis: 'sherpa:' }, '--tts'],
  ])('names the setting of an engine nobody knows: %j', async (flags, flag) => {
    const settings = await settingsOf(flags)
    expect(() => openVoice(settings, { log: silentLog, metrics: silentMetrics, isEager: false })).toThrow(flag)
  })

  it('says what is missing, and still has what is left', async () => {
    const settings = await settingsOf({ recognition: 'sherpa:/nowhere', synthesis: ['sherpa:/nowhere', 'flite'] })
    const voice = openVoice(settings, { log: silentLog, metrics: silentMetrics, isEager: false })
    try {
      voice.health()
      await expect
        .poll(() => voice.health(), { timeout: 15_000 })
        .toMatchObject({
          recognition: { state: 'unavailable' },
          synthesis: { engine: 'flite', state: 'ready' },
          canHear: false,
          canSpeak: true,
        })
      expect([voice.canHear, voice.canSpeak]).toEqual([false, true])
    } finally {
      await voice.close()
    }
  })

  it('a device network that cannot be read is refused at the start, by name', async () => {
    const settings = await settingsOf({ port: '0', deviceNetworks: 'kitchen' })
    await expect(createDomos({ settings, log: silentLog })).rejects.toThrow('--allow-device-network')
  })

  it('health says which networks need no key', async () => {
    const settings = await settingsOf({ port: '0', deviceNetworks: '192.168.1.0/24' })
    const domos = await createDomos({ settings, log: silentLog })
    try {
      const door = domos.doors.find(({ name }) => name === 'voice')
      expect(door?.health()).toMatchObject({ unauthenticatedDevicesFrom: ['192.168.1.0/24'], maxClients: 10 })
    } finally {
      await domos.close()
    }
  })
})
