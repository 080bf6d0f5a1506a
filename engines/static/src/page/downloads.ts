import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomosError, type DownloadInfo } from '@domos/spec'
import { downloadName } from './filename.ts'

/** What is known of a download before its bytes. */
export interface DownloadFacts {
  readonly url: string
  readonly contentType: string
  readonly disposition: string | undefined
  /** What the link says the file should be called. */
  readonly suggested: string | undefined
}

/** Bounds of the downloads of one context. */
export interface DownloadLimits {
  readonly maxDownloadBytes: number
  /** @default four times the bound of one file */
  readonly maxTotalBytes?: number
  /** @default 256 */
  readonly maxFiles?: number
}

/** Downloads of one context: files under random names in a folder of their own, never opened, removed with the context. */
export interface Downloads {
  /** @throws DomosError `too_large` over the bound of a file or of the session; then nothing is kept */
  receive(source: AsyncIterable<Uint8Array>, facts: DownloadFacts): Promise<DownloadInfo>
  /** @throws DomosError `not_found` */
  read(
    id: string,
    offset: number,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly totalBytes: number; readonly done: boolean }>
  close(): Promise<void>
}

/** Creates the downloads of a context; the folder is made with the first one. */
export function createDownloads(parentDirectory: string, limits: DownloadLimits): Downloads {
  const directory = join(parentDirectory, randomBytes(16).toString('hex'))
  const maxTotalBytes = limits.maxTotalBytes ?? limits.maxDownloadBytes * 4
  const maxFiles = limits.maxFiles ?? 256
  const known = new Map<string, number>()
  /** Bytes on disk, those still arriving included. */
  let totalBytes = 0
  let receiving = 0
  let isMade = false

  const tooLarge = (maxBytes: number, whose: string): DomosError =>
    new DomosError('too_large', `The download is larger than ${whose} may be (${maxBytes} bytes).`, {
      details: { reason: 'DOWNLOAD_TOO_LARGE', maxBytes },
    })

  const store = async (path: string, source: AsyncIterable<Uint8Array>) => {
    if (!isMade) await mkdir(directory, { recursive: true, mode: 0o700 })
    isMade = true
    // Exclusive: nothing that is there already, a link least of all, is written to.
    const file = await open(path, 'wx', 0o600)
    const digest = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of source) {
        bytes += chunk.length
        totalBytes += chunk.length
        if (bytes > limits.maxDownloadBytes) throw tooLarge(limits.maxDownloadBytes, 'one file')
        if (totalBytes > maxTotalBytes) throw tooLarge(maxTotalBytes, 'all downloads of a session')
        digest.update(chunk)
        await file.writeFile(chunk)
      }
    } catch (thrown) {
      totalBytes -= bytes
      await file.close()
      await rm(path, { force: true })
      throw thrown
    }
    await file.close()
    return { bytes, sha256: digest.digest('hex') }
  }

  return {
    async receive(source, facts) {
      if (known.size + receiving >= maxFiles) {
        throw new DomosError('busy', `This session has ${maxFiles} downloads; close it to drop them.`, {
          details: { reason: 'RESOURCE_EXHAUSTED', maxFiles },
        })
      }
      const id = `d_${randomBytes(8).toString('hex')}`
      receiving += 1
      let stored: { readonly bytes: number; readonly sha256: string }
      try {
        stored = await store(join(directory, id), source)
      } finally {
        receiving -= 1
      }
      const { bytes, sha256 } = stored
      known.set(id, bytes)
      return {
        id,
        filename: downloadName(facts.disposition, facts.suggested, facts.url),
        bytes,
        contentType: facts.contentType,
        state: 'done',
        sha256,
        url: facts.url,
      }
    },
    async read(id, offset, maxBytes) {
      const size = known.get(id)
      if (size === undefined) {
        throw new DomosError('not_found', 'There is no such download in this session.', {
          details: { field: 'download_id' },
        })
      }
      const length = Math.max(0, Math.min(maxBytes, size - offset))
      const data = new Uint8Array(length)
      const file = await open(join(directory, id), 'r')
      try {
        let at = 0
        while (at < length) {
          const { bytesRead } = await file.read(data, at, length - at, offset + at)
          if (bytesRead === 0) break
          at += bytesRead
        }
      } finally {
        await file.close()
      }
      return { data, totalBytes: size, done: offset + length >= size }
    },
    async close() {
      known.clear()
      if (isMade) await rm(directory, { recursive: true, force: true })
    },
  }
}
