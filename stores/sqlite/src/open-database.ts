import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DomosError, describeThrown } from '@domos/spec'
import { migrate } from './schema.ts'

/** When a write counts as durable. */
export type Durability = 'process' | 'power'

/**
 * Opens the file, makes it where there is none (mode 0600, in a directory of mode 0700), and brings its schema forward.
 * @throws DomosError `unavailable` when the file cannot be opened or is damaged, `unsupported`, `conflict`
 */
export function openDatabase(path: string, durability: Durability): DatabaseSync {
  const inMemory = path === ':memory:'
  const file = inMemory ? path : resolve(path)
  let database: DatabaseSync | undefined
  try {
    if (!inMemory) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      closeSync(openSync(file, 'a', 0o600))
      chmodSync(file, 0o600) // SQLite gives its -wal and -shm files the mode of the main file
    }
    database = new DatabaseSync(file, { timeout: 2_000 })
    database.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF',
    )
    database.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
    migrate(database, file)
    return database
  } catch (thrown) {
    database?.close()
    if (thrown instanceof DomosError) throw thrown
    const text = describeThrown(thrown)
    const damaged = /not a database|malformed|corrupt/i.test(text)
    throw new DomosError(
      'unavailable',
      damaged
        ? `The store file ${file} is damaged (${text}). Move it away to start with an empty one, or put a backup in its place.`
        : `The store file ${file} cannot be opened: ${text}. Check the path and its permissions; the setting is --data-dir.`,
      { cause: thrown, details: { path: file, reason: damaged ? 'damaged' : 'unreadable' } },
    )
  }
}
