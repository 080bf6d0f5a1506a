import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startVoiceServer, type VoiceServer } from '../audio/voice-server.ts'
import { bundleForPage, launchChromium, servePages } from './browser.ts'
import type { VoiceClientPage } from './voice-client-page.ts'

declare const voicePage: VoiceClientPage

const STRICT =
  "default-src 'none'; script-src 'self'; connect-src ws://127.0.0.1:*; base-uri 'none'; form-action 'none'"

/** Chromium's own fake microphone beeps once a second. */
const BEEPING = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

describe('the voice client in Chromium', () => {
  let pages: Awaited<ReturnType<typeof servePages>>
  let voice: VoiceServer
  let browser: Browser | undefined

  async function openPage(args: readonly string[], path = '/'): Promise<Page> {
    browser = await launchChromium(['--autoplay-policy=no-user-gesture-required', ...args])
    const page = await browser.newPage()
    await page.goto(`${pages.origin}${path}`)
    return page
  }

  beforeAll(async () => {
    const [script, worklet] = await Promise.all([
      bundleForPage('./voice-client-page.ts', import.meta.url),
      bundleForPage('../../protocols/audio/src/client/browser/worklet.ts', import.meta.url),
    ])
    const html = { body: '<!doctype html><title>Voice</title><script src="/page.js"></script>' }
    pages = await servePages({
      '/': html,
      '/strict': { ...html, headers: { 'content-security-policy': STRICT } },
      '/forbidden': { ...html, headers: { 'permissions-policy': 'microphone=()' } },
      '/page.js': { body: script, type: 'text/javascript; charset=utf-8' },
      '/worklet.js': { body: worklet, type: 'text/javascript; charset=utf-8' },
    })
    voice = await startVoiceServer()
  })
  afterEach(async () => {
    await browser?.close()
    browser = undefined
  })
  afterAll(async () => {
    await voice.server.close()
    await pages.close()
  })

  it.each([
    ['under a strict policy, with the worklet from its own origin', '/strict', '/worklet.js'],
    ['without a policy, with nothing else to serve', '/', undefined],
  ])('records and plays %s', async (_name, path, worklet) => {
    const page = await openPage(BEEPING, path)
    const before = voice.voice.conversations.length
    expect(await page.evaluate(([url, file]) => voicePage.start(url as string, file), [voice.url, worklet])).toBe(
      'started',
    )
    await expect.poll(() => voice.voice.conversations.length).toBe(before + 1)
    const { last } = voice.voice
    await expect.poll(() => last.heard.length, { timeout: 10_000 }).toBeGreaterThan(20_000)
    expect(Math.max(...last.heard.map(Math.abs))).toBeGreaterThan(1_000)
    expect(await page.evaluate(() => Math.max(...voicePage.levels))).toBeGreaterThan(0.01)
    last.answer('hello', 'Hi there.', 500)
    const played = () => page.evaluate(() => voicePage.talk?.speaker.playedMs ?? 0)
    await expect.poll(played, { timeout: 10_000 }).toBeGreaterThan(440)
    expect(await page.evaluate(() => voicePage.transcripts)).toEqual(['user: hello', 'assistant: Hi there.'])
  })

  it('falls silent at once when the answer is interrupted', async () => {
    const page = await openPage(BEEPING)
    await page.evaluate((url) => voicePage.start(url, undefined), voice.url)
    await expect.poll(() => page.evaluate(() => voicePage.talk?.client.link)).toBe('ready')
    await expect
      .poll(() => page.evaluate(() => voicePage.talk?.client.sessionId))
      .toBe(`session-${voice.voice.last.session.id}`)
    const { sink } = voice.voice.last
    await expect.poll(() => voice.voice.last.config.partials).toBe(true)
    sink.onSpeechStart({ turn: 1 })
    sink.onAudio(new Int16Array(16_000 * 5).fill(1_000))
    const queued = () => page.evaluate(() => voicePage.talk?.speaker.queuedMs ?? 0)
    await expect.poll(queued).toBeGreaterThan(1_000)
    sink.onSpeechEnd({ turn: 1, audioMs: 5_000, interrupted: true, playedMs: 300 })
    await expect.poll(queued).toBe(0)
    expect(await page.evaluate(() => voicePage.talk?.speaker.playedMs ?? 0)).toBeLessThan(4_000)
  })

  it('push to talk mutes the microphone until the button is down, and commits when it is up', async () => {
    const page = await openPage(BEEPING)
    await page.evaluate((url) => voicePage.start(url, undefined), voice.url)
    await expect.poll(() => page.evaluate(() => voicePage.talk?.client.link)).toBe('ready')
    await page.evaluate(() => voicePage.talk?.press())
    await page.evaluate(() => voicePage.talk?.release())
    await expect.poll(() => voice.voice.last.calls).toEqual(['interrupt asked by the client', 'arm', 'commit'])
  })

  it.each([
    ['denied', '/forbidden', BEEPING],
    ['missing', '/', ['--use-fake-ui-for-media-stream']],
  ])('says why there is no microphone: %s', async (kind, path, args) => {
    const page = await openPage(args, path)
    expect(await page.evaluate((url) => voicePage.start(url, undefined), voice.url)).toBe(kind)
  })
})
