import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DomosError } from '@domos/spec'

/** Bounds of {@link download}. */
export interface DownloadLimits {
  /** @default 8 GiB */
  readonly maxBytes: number
  /** Time without a byte after which the connection counts as broken. @default 30000 */
  readonly idleTimeoutMs: number
  /** Broken connections in a row that are taken up again. @default 4 */
  readonly maxRetries: number
  /** Pause before taking up, times the number of the try. @default 1000 */
  readonly retryDelayMs: number
}

/** The defaults of {@link DownloadLimits}. */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  maxBytes: 8_589_934_592,
  idleTimeoutMs: 30_000,
  maxRetries: 4,
  retryDelayMs: 1_000,
}

/** What to get and where to put it. */
export interface DownloadOptions {
  readonly url: string
  /** SHA-256 of the file, in hex. */
  readonly sha256: string
  readonly path: string
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void
  readonly limits?: Partial<DownloadLimits>
  readonly signal?: AbortSignal
}

/**
 * Downloads a file and puts it in its place only when its SHA-256 is right. What came before a break stays beside it as `.part`
 * and is gone on with, in this call and in the next.
 * @throws DomosError `not_found`, `unavailable`, `too_large`, `conflict` (wrong SHA-256; what came is removed)
 */
export async function download(options: DownloadOptions): Promise<number> {
  const limits: DownloadLimits = { ...DOWNLOAD_LIMITS, ...options.limits }
  const part = `${options.path}.part`
  await mkdir(dirname(options.path), { recursive: true })
  for (let tries = 0; ; ) {
    const before = await sizeOf(part)
    try {
      await append(options, part, before, limits)
      break
    } catch (thrown) {
      if (thrown instanceof DomosError || options.signal?.aborted === true) throw thrown
      // Progress counts: a long file over a bad line is a matter of patience, not of tries.
      tries = (await sizeOf(part)) > before ? 1 : tries + 1
      if (tries > limits.maxRetries) {
        throw new DomosError('unavailable', `${options.url} cannot be read; what came is kept, call again to go on.`, {
          cause: thrown,
        })
      }
      await new Promise((resolve) => setTimeout(resolve, limits.retryDelayMs * tries))
    }
  }
  const actual = await sha256Of(part)
  if (actual !== options.sha256.toLowerCase()) {
    await rm(part, { force: true })
    throw new DomosError(
      'conflict',
      `${options.url} has the SHA-256 ${actual}, not the one that was named; it was removed.`,
    )
  }
  await rename(part, options.path)
  return await sizeOf(options.path)
}

async function append(options: DownloadOptions, part: string, have: number, limits: DownloadLimits): Promise<void> {
  const stall = new AbortController()
  let timer = setTimeout(() => stall.abort(), limits.idleTimeoutMs)
  const signal = options.signal === undefined ? stall.signal : AbortSignal.any([options.signal, stall.signal])
  try {
    const response = await fetch(options.url, {
      signal,
      headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
    })
    // Everything is there already; the check of the sum decides.
    if (response.status === 416 && have > 0) return
    if (!response.ok || response.body === null) {
      const code = response.status === 404 || response.status === 410 ? 'not_found' : 'unavailable'
      if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`)
      throw new DomosError(code, `${options.url} answered with HTTP ${response.status}.`)
    }
    const goesOn =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`) === true
    let bytes = goesOn ? have : 0
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    const total = Number.isFinite(length) ? bytes + length : undefined
    if ((total ?? 0) > limits.maxBytes) throw tooLarge(options.url, limits)
    const file = await open(part, goesOn ? 'a' : 'w')
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer)
        timer = setTimeout(() => stall.abort(), limits.idleTimeoutMs)
        bytes += chunk.length
        if (bytes > limits.maxBytes) throw tooLarge(options.url, limits)
        await file.write(chunk)
        options.onProgress?.(bytes, total)
      }
    } finally {
      await file.close()
    }
    if (total !== undefined && bytes < total) throw new Error('The connection broke.')
  } finally {
    clearTimeout(timer)
  }
}

function tooLarge(url: string, limits: DownloadLimits): DomosError {
  return new DomosError('too_large', `${url} is larger than ${limits.maxBytes} bytes.`)
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
