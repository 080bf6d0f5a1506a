import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wavHeader } from '@domos/audio'
import { silentLog } from '@domos/spec'
import { createFlite } from '@domos/tts-flite'
import { createDomos, type Domos } from 'domos'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../packages/cli/src/load-settings.ts'
import { launchChromium, servePages } from './browser.ts'

// Hears with speech/stt-pocketsphinx and answers with speech/tts-flite, as a server does that nobody configured.

/** The document's browser sample as it stands there; undefined where the documents are not at hand. */
function documentSample(): string | undefined {
  const folder = fileURLToPath(new URL('../../../shared/spec', import.meta.url))
  if (!existsSync(folder)) return undefined
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    const section = text.split('## Example: Browser Client')[1]
    const sample = section === undefined ? undefined : /```javascript[^\n]*\n([\s\S]*?)\n```/.exec(section)?.[1]
    if (text.includes('# WebSocket Voice Protocol') && sample !== undefined) return sample
  }
  return undefined
}

const sample = documentSample()

/** Somebody says this into the microphone, with silence before and after. */
async function recordSentence(path: string, text: string): Promise<void> {
  const engine = createFlite({ voice: 'slt' })
  const parts: Int16Array[] = [new Int16Array(16_000)]
  try {
    for await (const { samples } of engine.synthesize({ text }, AbortSignal.timeout(20_000))) parts.push(samples)
  } finally {
    await engine.close()
  }
  parts.push(new Int16Array(16_000 * 60))
  const bytes = parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  const length = bytes.reduce((sum, part) => sum + part.length, 0)
  writeFileSync(path, Buffer.concat([wavHeader(length, 16_000, 1), ...bytes]))
}

describe.runIf(sample !== undefined)("the document's browser sample in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), 'domos-voice-sample-'))
  let domos: Domos
  let browser: Browser
  let page: Page
  let pages: Awaited<ReturnType<typeof servePages>>
  const lines: string[] = []

  beforeAll(async () => {
    const wav = join(folder, 'question.wav')
    await recordSentence(wav, 'turn on the kitchen lights')
    const settings = await loadSettings({ flags: { port: '0', dataDir: folder }, env: {}, directory: folder })
    domos = await createDomos({ settings, log: silentLog })
    const { port } = await domos.server.listen({ port: 0 })
    pages = await servePages({
      '/': {
        body: `<!doctype html><title>Voice</title><button onclick="startMicrophone()">Talk</button>
<script>
  window.heard = [];
  function playAudio(samples) { window.heard.push(...samples) }
  window.WebSocket = class extends WebSocket {
    constructor(url, ...rest) { super(url.replace(':3000/', ':${port}/'), ...rest) }
  };
</script>
<script src="/sample.js"></script>`,
      },
      '/sample.js': { body: sample as string, type: 'text/javascript; charset=utf-8' },
    })
    browser = await launchChromium([
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${wav}%noloop`,
    ])
    page = await browser.newPage()
    page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => lines.push(`pageerror: ${error.message}`))
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await pages?.close()
    await domos?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('AUDIO-SAMPLE-1: runs byte for byte, and hears an answer to what was said', async () => {
    await page.goto(`${pages.origin}/`)
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^log: Session: session-[0-9a-f]{32}$/))
    await page.click('button')
    await expect.poll(() => lines, { timeout: 40_000 }).toContain('log: TTS playback complete')
    expect(lines.indexOf('log: TTS playback starting')).toBeLessThan(lines.indexOf('log: TTS playback complete'))
    expect(lines.filter((line) => /^(error|pageerror)/.test(line))).toEqual([])
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: number[] }).heard)
    expect(heard.length).toBeGreaterThan(8_000)
    expect(Math.max(...heard)).toBeGreaterThan(1_000)
    const [session] = domos.agent.sessions()
    const messages = await domos.agent.store.loadMessages(session?.id ?? '', 10)
    expect(JSON.stringify(messages[0])).toMatch(/light/)
  }, 60_000)
})
