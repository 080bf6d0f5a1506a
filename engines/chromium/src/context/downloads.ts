import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DomosError, type DownloadInfo } from '@domos/spec'
import { parse } from 'content-disposition'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

/** Bounds of the downloads of one context. */
export interface DownloadBounds {
  readonly maxDownloadBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
}

/** Downloads of one context: kept under random names in quarantine, never opened, removed with the context. */
export class Downloads {
  readonly #browser: CdpSession
  readonly #browserContextId: string
  readonly #browserDirectory: string
  readonly #directory: string
  readonly #bounds: DownloadBounds
  readonly #running = new Map<string, { info: DownloadInfo; tell: (info: DownloadInfo) => void; why?: string }>()
  readonly #known = new Map<string, number>()
  #totalBytes = 0
  #count = 0

  constructor(
    browser: CdpSession,
    browserContextId: string,
    browserDirectory: string,
    parentDirectory: string,
    bounds: DownloadBounds,
  ) {
    this.#browser = browser
    this.#browserContextId = browserContextId
    this.#browserDirectory = browserDirectory
    this.#directory = join(parentDirectory, randomBytes(16).toString('hex'))
    this.#bounds = bounds
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** A download of one of the context's frames has begun. `tell` is called once more when it has ended. */
  begin(
    { guid, url, suggestedFilename }: Protocol.Browser.DownloadWillBeginEvent,
    head: { readonly contentType: string; readonly disposition: string | undefined } | undefined,
    tell: (info: DownloadInfo) => void,
  ): void {
    const info: DownloadInfo = {
      id: `d_${randomBytes(8).toString('hex')}`,
      filename: safeName(statedName(head?.disposition) ?? suggestedFilename),
      bytes: 0,
      contentType: head?.contentType ?? '',
      state: 'running',
      url: url.slice(0, 2_000),
    }
    this.#running.set(guid, { info, tell })
    this.#count += 1
    tell(info)
    if (this.#count > this.#bounds.maxFiles)
      this.#cancel(guid, `a session has ${this.#bounds.maxFiles} downloads at most`)
  }

  progress({ guid, receivedBytes, totalBytes, state }: Protocol.Browser.DownloadProgressEvent): void {
    const running = this.#running.get(guid)
    if (running === undefined) return
    const { maxDownloadBytes, maxTotalBytes } = this.#bounds
    const bytes = Math.max(receivedBytes, state === 'inProgress' ? totalBytes : 0)
    if (bytes > maxDownloadBytes) this.#cancel(guid, `one file may have ${maxDownloadBytes} bytes`)
    else if (this.#totalBytes + bytes > maxTotalBytes)
      this.#cancel(guid, `all downloads of a session may have ${maxTotalBytes} bytes`)
    if (state === 'completed') void this.#keep(guid, running)
    if (state === 'canceled') this.#fail(guid)
  }

  async read(
    id: string,
    offset: number,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly totalBytes: number; readonly done: boolean }> {
    const totalBytes = this.#known.get(id)
    if (totalBytes === undefined) {
      throw new DomosError('not_found', 'There is no such download in this session.', {
        details: { field: 'download_id' },
      })
    }
    const length = Math.max(0, Math.min(maxBytes, totalBytes - offset))
    const data = new Uint8Array(length)
    const file = await open(join(this.#directory, id), 'r')
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
    return { data, totalBytes, done: offset + length >= totalBytes }
  }

  async close(): Promise<void> {
    for (const guid of this.#running.keys())
      this.#browser.post('Browser.cancelDownload', { guid, browserContextId: this.#browserContextId })
    this.#known.clear()
    await rm(this.#directory, { recursive: true, force: true })
  }

  #cancel(guid: string, why: string): void {
    const running = this.#running.get(guid)
    if (running === undefined || running.why !== undefined) return
    running.why = why
    this.#browser.post('Browser.cancelDownload', { guid, browserContextId: this.#browserContextId })
    this.#fail(guid)
  }

  #fail(guid: string): void {
    const running = this.#running.get(guid)
    if (running === undefined) return
    this.#running.delete(guid)
    running.tell({ ...running.info, state: 'failed', ...(running.why === undefined ? {} : { error: running.why }) })
    void rm(join(this.#browserDirectory, guid), { force: true })
  }

  /** Moves a finished file from where the browser may write into quarantine. */
  async #keep(guid: string, running: { info: DownloadInfo; tell: (info: DownloadInfo) => void }): Promise<void> {
    const source = join(this.#browserDirectory, guid)
    const target = join(this.#directory, running.info.id)
    try {
      const { size } = await stat(source)
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await copyFile(source, target, 1)
      await chmod(target, 0o600)
      await rm(source, { force: true })
      const digest = createHash('sha256')
      for await (const chunk of createReadStream(target)) digest.update(chunk as Buffer)
      if (!this.#running.delete(guid)) return
      this.#totalBytes += size
      this.#known.set(running.info.id, size)
      running.tell({ ...running.info, bytes: size, state: 'done', sha256: digest.digest('hex') })
    } catch {
      this.#fail(guid)
    }
  }
}

/** The name the server states; what the browser suggests has its separators replaced already. */
function statedName(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined
  try {
    return parse(disposition).parameters['filename']
  } catch {
    return undefined
  }
}

/** The name without folders, control and direction-changing characters. Metadata alone: nothing is stored under it. */
function safeName(name: string): string {
  const last = (name.split(/[/\\]/).at(-1) ?? '').normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
  const plain = last.replaceAll(/[<>:"|?*]/g, '_').replaceAll(/^[.\s]+|[.\s]+$/g, '')
  return plain === '' ? 'download' : plain.slice(0, 200)
}
