import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDownloads } from './downloads.ts'
import { downloadName, sanitizeName } from './filename.ts'

async function* bytes(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size).fill(65)
}
const facts = { url: 'http://a.example/x.bin', contentType: 'x/y', disposition: undefined, suggested: undefined }

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'domos-downloads-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

describe('names of downloads', () => {
  it.each([
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="..\\\\..\\\\x.exe"', 'x.exe'],
    ["attachment; filename*=UTF-8''%E2%80%AEgpj.exe", 'gpj.exe'],
    ['attachment; filename="a\u0000b.txt"', 'ab.txt'],
    ['attachment; filename=".."', 'page.html'],
    ['attachment; filename="CON.txt"', '_CON.txt'],
    ['attachment; filename="a:b?.txt"', 'a_b_.txt'],
    ['attachment', 'page.html'],
    ['inline; broken=', 'page.html'],
  ])('are safe to show and to save under: %s', (header, name) => {
    expect(downloadName(header, undefined, 'http://a.example/dir/page.html?x=1')).toBe(name)
  })

  it('come from the link or the URL when the server says nothing, and keep their ending when they are long', () => {
    expect(downloadName(undefined, 'from link.csv', 'http://a.example/')).toBe('from link.csv')
    expect(downloadName(undefined, undefined, 'http://a.example/')).toBe('download')
    expect(downloadName(undefined, undefined, 'http://a.example/%E4%B8%AD.pdf')).toBe('中.pdf')
    const long = sanitizeName(`${'ü'.repeat(300)}.pdf`)
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200)
    expect(long.endsWith('.pdf')).toBe(true)
  })
})

describe('the quarantine', () => {
  it('keeps files under random names, for their owner alone, and reads them in pieces', async () => {
    const parent = await folder()
    const downloads = createDownloads(parent, { maxDownloadBytes: 1_000 })
    const made = await downloads.receive(bytes(10, 20), { ...facts, disposition: 'attachment; filename="a.txt"' })
    expect(made).toMatchObject({ filename: 'a.txt', bytes: 30, state: 'done' })
    const [own = ''] = await readdir(parent)
    expect(await readdir(join(parent, own))).toEqual([made.id])
    expect((await stat(join(parent, own, made.id))).mode & 0o777).toBe(0o600)
    expect(await downloads.read(made.id, 25, 100)).toMatchObject({
      totalBytes: 30,
      done: true,
      data: new Uint8Array(5).fill(65),
    })
    expect(await downloads.read(made.id, 99, 100)).toMatchObject({ done: true, data: new Uint8Array() })
    await expect(downloads.read('../../etc/passwd', 0, 1)).rejects.toMatchObject({ code: 'not_found' })
    await downloads.close()
    expect(await readdir(parent)).toEqual([])
  })

  it('keeps nothing of what is too large, for one file or for all of a session, or breaks off', async () => {
    const parent = await folder()
    const downloads = createDownloads(parent, { maxDownloadBytes: 50, maxTotalBytes: 80, maxFiles: 3 })
    await expect(downloads.receive(bytes(30, 30), facts)).rejects.toMatchObject({
      code: 'too_large',
      details: { maxBytes: 50 },
    })
    await downloads.receive(bytes(50), facts)
    await expect(downloads.receive(bytes(40), facts)).rejects.toMatchObject({
      code: 'too_large',
      details: { maxBytes: 80 },
    })
    const broken = (async function* () {
      yield new Uint8Array(1)
      throw new Error('gone')
    })()
    await expect(downloads.receive(broken, facts)).rejects.toThrow('gone')
    const [own = ''] = await readdir(parent)
    expect(await readdir(join(parent, own))).toHaveLength(1)
    await downloads.receive(bytes(1), facts)
    await downloads.receive(bytes(1), facts)
    await expect(downloads.receive(bytes(1), facts)).rejects.toMatchObject({ code: 'busy', details: { maxFiles: 3 } })
  })

  it('counts downloads that come at the same time', async () => {
    const downloads = createDownloads(await folder(), { maxDownloadBytes: 50, maxTotalBytes: 60 })
    const both = await Promise.allSettled([
      downloads.receive(bytes(20, 20), facts),
      downloads.receive(bytes(20, 20), facts),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
