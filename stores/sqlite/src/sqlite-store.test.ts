import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { storeContract } from '@domos/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCHEMA_VERSION } from './schema.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'domos-sqlite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const

describe('the SQLite store', () => {
  for (const { title, run } of storeContract({
    open: async () => openSqliteStore({ path: join(folder, 'a', 'b.db') }),
  })) {
    it(title, run)
  }
  for (const { title, run } of storeContract({
    open: async () => openSqliteStore({ path: ':memory:', durability: 'power' }),
  })) {
    it(`in memory: ${title}`, run)
  }

  it('keeps everything over a restart, in a file only its owner can read', async () => {
    const path = join(folder, 'domos.db')
    const first = openSqliteStore({ path })
    await first.appendMessages('a', [message('hello')])
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600)
    await first.close()
    const second = openSqliteStore({ path })
    expect(await second.loadMessages('a', 5)).toEqual([message('hello')])
    await second.close()
  })

  it('commits writes that nobody waited for before it closes, and refuses later ones', async () => {
    const path = join(folder, 'domos.db')
    const first = openSqliteStore({ path, commitDelayMs: 60_000 })
    const writing = first.appendMessages('a', [message('last words')])
    await first.close()
    await writing
    await expect(first.appendMessages('a', [message('too late')])).rejects.toMatchObject({ code: 'unavailable' })
    await expect(first.loadMessages('a', 1)).rejects.toMatchObject({ code: 'unavailable' })
    const second = openSqliteStore({ path })
    expect(await second.loadMessages('a', 5)).toEqual([message('last words')])
    await second.close()
  })

  it('loses nothing it acknowledged when the process is killed in the middle of writing', async () => {
    const path = join(folder, 'domos.db')
    const writer = fileURLToPath(new URL('./test/writer.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@domos/source', writer, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.split('\n').length > 300) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const acknowledged = output.split('\n').slice(0, -1).map(Number)
    expect(acknowledged.length).toBeGreaterThan(299)
    const store = openSqliteStore({ path })
    const messages = await store.loadMessages('a', 1_000_000)
    const audit = await store.listAudit({ sessionId: 'a', limit: 1_000_000 })
    await store.close()
    for (const number of acknowledged) {
      expect(messages[number]).toEqual(message(`${number} ${'x'.repeat(500)}`))
      expect(audit[number]?.at).toBe(number)
    }
  })

  it('refuses a file of a newer build and says so', () => {
    const path = join(folder, 'domos.db')
    void openSqliteStore({ path }).close()
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    database.close()
    expect(() => openSqliteStore({ path })).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(() => openSqliteStore({ path })).toThrow(/newer DomOS.*update DomOS/)
  })

  it('refuses a file that is no database, and says what to do', () => {
    const path = join(folder, 'domos.db')
    writeFileSync(path, 'this is not a database, and it is longer than a header '.repeat(100))
    expect(() => openSqliteStore({ path })).toThrow(expect.objectContaining({ code: 'unavailable' }))
    expect(() => openSqliteStore({ path })).toThrow(/damaged.*Move it away/)
  })

  it('refuses the database of another program instead of writing into it', () => {
    const path = join(folder, 'other.db')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE theirs (x)')
    database.close()
    expect(() => openSqliteStore({ path })).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  it('refuses a path it cannot open and names the setting', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => openSqliteStore({ path: join(folder, 'file', 'domos.db') })).toThrow(/cannot be opened.*--data-dir/)
  })

  it('does not let an audit entry be changed', async () => {
    const path = join(folder, 'domos.db')
    const store = openSqliteStore({ path })
    await store.appendAudit({ at: 1, sessionId: 'a', principalId: 'p', event: 'approval-given' })
    await store.close()
    const database = new DatabaseSync(path)
    expect(() => database.exec("UPDATE audit SET event = 'x'")).toThrow(/append-only/)
    database.close()
  })

  it('fails further writes with busy once too many wait', async () => {
    const store = openSqliteStore({ path: join(folder, 'domos.db'), commitDelayMs: 60_000, pendingWritesMax: 2 })
    const waiting = [store.appendMessages('a', [message('1')]), store.appendMessages('a', [message('2')])]
    await expect(store.appendMessages('a', [message('3')])).rejects.toMatchObject({ code: 'busy' })
    await store.close()
    await Promise.all(waiting)
  })

  it('prunes more rows than fit into one piece', async () => {
    const store = openSqliteStore({ path: join(folder, 'domos.db') })
    await store.saveSession({ id: 'a', principalId: 'p', tenant: 't', door: 'adtp', createdAt: 1, lastActiveAt: 1 })
    await store.appendMessages(
      'a',
      Array.from({ length: 1_234 }, (_, number) => message(String(number))),
    )
    await store.prune(2, 2)
    expect(await store.loadMessages('a', 5)).toEqual([])
    await store.close()
  })
})
