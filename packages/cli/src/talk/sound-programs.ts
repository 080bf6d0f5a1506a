import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program of the system that records or plays 16 kHz mono, 16-bit little-endian. */
export interface SoundProgram {
  readonly name: string
  readonly args: readonly string[]
  /** Where it comes from, for a person who has none. */
  readonly package: string
}

/** Recorders, the preferred one first; they write samples to standard output. */
export const RECORDERS: readonly SoundProgram[] = [
  { name: 'arecord', args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', '16000', '-c', '1'], package: 'alsa-utils' },
  {
    name: 'parec',
    args: ['--raw', '--format=s16le', '--rate=16000', '--channels=1', '--latency-msec=20'],
    package: 'pulseaudio-utils',
  },
  { name: 'rec', args: ['-q', '-t', 'raw', '-r', '16000', '-e', 'signed', '-b', '16', '-c', '1', '-'], package: 'sox' },
]

/** Players, the preferred one first; they read samples from standard input. */
export const PLAYERS: readonly SoundProgram[] = [
  { name: 'aplay', args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', '16000', '-c', '1'], package: 'alsa-utils' },
  {
    name: 'pacat',
    args: ['--raw', '--format=s16le', '--rate=16000', '--channels=1', '--latency-msec=40'],
    package: 'pulseaudio-utils',
  },
  {
    name: 'play',
    args: ['-q', '-t', 'raw', '-r', '16000', '-e', 'signed', '-b', '16', '-c', '1', '-'],
    package: 'sox',
  },
]

/** The first program of a list that is on the PATH, with its place. */
export function findSoundProgram(
  programs: readonly SoundProgram[],
  path: string | undefined,
): (SoundProgram & { readonly file: string }) | undefined {
  for (const program of programs) {
    for (const folder of (path ?? '').split(delimiter)) {
      const file = join(folder, program.name)
      try {
        accessSync(file, constants.X_OK)
        return { ...program, file }
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined
}
