import { writeFileSync } from 'node:fs'
import { wavHeader } from '@domos/audio'
import { createFlite } from '@domos/tts-flite'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './browser.ts'

const PEAK = 8_000

/** A file in which somebody says these sentences; numbers are pauses in milliseconds. */
export async function recordVoice(path: string, parts: readonly (string | number)[]): Promise<void> {
  const engine = createFlite({ voice: 'rms' })
  const samples: Int16Array[] = []
  try {
    for (const part of parts) {
      if (typeof part === 'number') samples.push(new Int16Array(part * 16))
      else {
        for await (const chunk of engine.synthesize({ text: part }, AbortSignal.timeout(20_000)))
          samples.push(chunk.samples)
      }
    }
  } finally {
    await engine.close()
  }
  // As loud as somebody speaks: the browser's gain control would clip a file at full scale.
  const loudest = samples.reduce((most, part) => part.reduce((max, sample) => Math.max(max, Math.abs(sample)), most), 1)
  const scaled = samples.map((part) => part.map((sample) => Math.round((sample * PEAK) / loudest)))
  const bytes = scaled.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  const length = bytes.reduce((sum, part) => sum + part.length, 0)
  writeFileSync(path, Buffer.concat([wavHeader(length, 16_000, 1), ...bytes]))
}

/** Starts Chromium with a microphone that plays the file from its beginning whenever it is opened. */
export async function launchWithMicrophone(file: string): Promise<Browser> {
  return launchChromium([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}%noloop`,
  ])
}

/** From now on, pages of this context measure what they play. */
export async function listenToPage(page: Page): Promise<{ loudness(): Promise<number> }> {
  await page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...args: unknown[]) => unknown
    const taps: AnalyserNode[] = []
    Object.assign(window, { taps })
    AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
      if (args[0] instanceof AudioDestinationNode) {
        const tap = this.context.createAnalyser()
        taps.push(tap)
        connect.call(this, tap)
      }
      return connect.apply(this, args)
    } as typeof AudioNode.prototype.connect
  })
  return {
    loudness: () =>
      page.evaluate(() => {
        const { taps = [] } = window as unknown as { taps?: AnalyserNode[] }
        return Math.max(
          0,
          ...taps.map((tap) => {
            const samples = new Float32Array(tap.fftSize)
            tap.getFloatTimeDomainData(samples)
            return Math.max(...samples)
          }),
        )
      }),
  }
}
