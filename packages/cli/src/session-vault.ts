import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SessionVault } from '@domos/headless'
import { DomosError } from '@domos/spec'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Opens the vault of persistent browsing sessions under the data directory: AES-256-GCM with a key in a file of its own
 * that only its owner can read. Opened with the first session that needs it.
 */
export function openSessionVault(dataDir: string): SessionVault {
  let opened: { readonly database: DatabaseSync; readonly key: Buffer } | undefined
  const use = (): NonNullable<typeof opened> => {
    opened ??= open(dataDir)
    return opened
  }
  return {
    async encrypt(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', use().key, nonce)
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    async decrypt(sealed, context) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', use().key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()])
    },
    async save({ id, principalId, tenant, secretDigest, expiresAt, sealed }) {
      use()
        .database.prepare('INSERT OR REPLACE INTO browsing_session VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, principalId, tenant, secretDigest, expiresAt, sealed)
    },
    async load(id) {
      const row = use().database.prepare('SELECT * FROM browsing_session WHERE id = ?').get(id)
      if (row === undefined) return undefined
      return {
        id,
        principalId: String(row['principal_id']),
        tenant: String(row['tenant']),
        secretDigest: String(row['secret_digest']),
        expiresAt: Number(row['expires_at']),
        sealed: row['sealed'] as Uint8Array,
      }
    },
    async remove(id) {
      use().database.prepare('DELETE FROM browsing_session WHERE id = ?').run(id)
    },
    async prune(now) {
      // Nothing to forget while nothing was kept in this run; the next opening looks again.
      opened?.database.prepare('DELETE FROM browsing_session WHERE expires_at <= ?').run(now)
    },
    close() {
      opened?.database.close()
      opened = undefined
    },
  }
}

function open(dataDir: string): { readonly database: DatabaseSync; readonly key: Buffer } {
  const path = join(dataDir, 'browsing.sqlite')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const key = readOrMakeKey(join(dataDir, 'browsing.key'))
    const database = new DatabaseSync(path)
    chmodSync(path, 0o600)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000')
    database.exec(
      'CREATE TABLE IF NOT EXISTS browsing_session (id TEXT PRIMARY KEY, principal_id TEXT NOT NULL, tenant TEXT NOT NULL, ' +
        'secret_digest TEXT NOT NULL, expires_at INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT',
    )
    return { database, key }
  } catch (thrown) {
    throw new DomosError('unavailable', `Persistent sessions cannot be kept in ${path}; check --data-dir.`, {
      details: { setting: 'dataDir' },
      cause: thrown,
    })
  }
}

function readOrMakeKey(path: string): Buffer {
  try {
    // Exclusive: two servers that start at once agree on the key of the first.
    writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
  const key = readFileSync(path)
  if (key.length !== 32) throw new Error('browsing.key is damaged')
  return key
}
