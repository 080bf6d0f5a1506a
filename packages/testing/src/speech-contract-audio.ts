import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { resample } from './speech-contract-resample.ts'

const run = promisify(execFile)

/** A voice of a program of the system, for tests that need real speech from somebody else than the engine under test. */
export interface SystemVoice {
  readonly program: 'flite' | 'espeak-ng'
  readonly voice: string
}

/** Two voices that differ in everything. */
export const SYSTEM_VOICES = {
  slt: { program: 'flite', voice: 'slt' },
  rms: { program: 'flite', voice: 'rms' },
  espeak: { program: 'espeak-ng', voice: 'en-us' },
} as const satisfies Readonly<Record<string, SystemVoice>>

/** Speaks a sentence with a program of the system; 16 kHz. */
export async function speakWithSystem({ program, voice }: SystemVoice, text: string): Promise<Int16Array> {
  const directory = await mkdtemp(join(tmpdir(), 'domos-voice-'))
  try {
    const file = join(directory, 'speech.wav')
    const args =
      program === 'flite' ? ['-voice', voice, '-t', text, '-o', file] : ['-v', voice, '-s', '150', '-w', file, text]
    await run(program, args)
    const { samples, sampleRateHz } = readPcm(await readFile(file))
    return resample(samples, sampleRateHz, 16_000)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Makes sure that Debian packages are installed: installs them as root on Debian or Ubuntu after printing their names,
 * unless `DOMOS_SYSTEM_INSTALL` is `0`. Gives undefined when all are there, else a sentence that says what is missing, for a
 * test to be skipped with.
 */
export async function needDebianPackages(...names: readonly string[]): Promise<string | undefined> {
  if (!existsSync('/usr/bin/dpkg-query')) return `This system has no Debian packages; needed: ${names.join(', ')}.`
  const missing = await missingPackages(names)
  if (missing.length === 0) return undefined
  const advice = `as root: apt-get install ${missing.join(' ')}`
  if (process.env.DOMOS_SYSTEM_INSTALL === '0') return `DOMOS_SYSTEM_INSTALL=0 forbids installing; ${advice}.`
  if (process.getuid?.() !== 0) return `Only root may install; ${advice}.`
  console.log(
    `Installing system packages for speech tests: ${missing.join(', ')} (DOMOS_SYSTEM_INSTALL=0 forbids it) …`,
  )
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const lock = ['-o', 'DPkg::Lock::Timeout=300']
  try {
    // A list that cannot be refreshed may still be good enough; the install decides.
    await run('apt-get', ['update', '-qq', ...lock], { env }).catch(() => {})
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...lock, ...missing], { env })
  } catch {
    // What counts is what is there afterwards.
  }
  const still = await missingPackages(names)
  return still.length === 0 ? undefined : `apt-get could not install ${still.join(', ')}.`
}

async function missingPackages(names: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(
    names.map(async (name) => {
      try {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholder
        const { stdout } = await run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name])
        return stdout === 'installed'
      } catch {
        return false
      }
    }),
  )
  return names.filter((_, index) => !states[index])
}

/** The samples of a 16-bit mono WAVE file and their rate. */
export function readPcm(file: Uint8Array): { readonly samples: Int16Array; readonly sampleRateHz: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let sampleRateHz = 0
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const tag = String.fromCharCode(...file.subarray(at, at + 4))
    const size = Math.min(view.getUint32(at + 4, true), file.byteLength - at - 8)
    if (tag === 'fmt ') sampleRateHz = view.getUint32(at + 12, true)
    if (tag === 'data') {
      const bytes = file.slice(at + 8, at + 8 + size - (size % 2))
      return { samples: new Int16Array(bytes.buffer), sampleRateHz }
    }
    at += 8 + size + (size & 1)
  }
  throw new Error('The WAVE file has no data.')
}

/** Reads raw signed 16-bit little-endian samples. */
export function readRawPcm(path: string | URL): Int16Array {
  const bytes = Uint8Array.from(readFileSync(path))
  return new Int16Array(bytes.buffer, 0, bytes.byteLength >> 1)
}
