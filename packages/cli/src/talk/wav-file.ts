import { readFile, writeFile } from 'node:fs/promises'
import { createResampler, readWavHeader, wavHeader } from '@domos/audio'
import { DomosError } from '@domos/spec'

/**
 * The samples of a WAV file at 16 kHz, mono.
 * @throws DomosError `not_found`, `unsupported` (no 16-bit PCM)
 */
export async function readWavFile(path: string): Promise<Int16Array<ArrayBuffer>> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (thrown) {
    throw new DomosError('not_found', `--in: ${path} cannot be read.`, { cause: thrown })
  }
  const header = readWavHeader(bytes)
  const isPcm = header !== undefined && (header.encoding === 1 || header.encoding === 65_534)
  if (header === undefined || !isPcm || header.bitDepth !== 16 || (header.channels !== 1 && header.channels !== 2)) {
    throw new DomosError('unsupported', `--in: ${path} is no WAV file with 16-bit samples and 1 or 2 channels.`)
  }
  const { channels, dataOffset, sampleRateHz } = header
  const count = Math.floor((bytes.length - dataOffset) / (2 * channels))
  const mono = new Int16Array(count)
  for (let index = 0; index < count; index++) {
    const at = dataOffset + index * 2 * channels
    mono[index] = channels === 1 ? bytes.readInt16LE(at) : (bytes.readInt16LE(at) + bytes.readInt16LE(at + 2)) >> 1
  }
  return createResampler(sampleRateHz, 16_000).process(mono).slice()
}

/** Writes 16 kHz mono samples as a WAV file. */
export async function writeWavFile(path: string, parts: readonly Int16Array[]): Promise<void> {
  const bytes = parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  const length = bytes.reduce((sum, part) => sum + part.length, 0)
  try {
    await writeFile(path, Buffer.concat([wavHeader(length, 16_000, 1), ...bytes]))
  } catch (thrown) {
    throw new DomosError('unavailable', `--out: ${path} cannot be written.`, { cause: thrown })
  }
}
