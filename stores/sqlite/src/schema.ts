import type { DatabaseSync } from 'node:sqlite'
import { DomosError } from '@domos/spec'

/** Marks a file as ours ("DomS"). */
const APPLICATION_ID = 0x446f_6d53

/** One step per version; a file is brought forward step by step, each in its own transaction. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY, principal_id TEXT NOT NULL, tenant TEXT NOT NULL, door TEXT NOT NULL,
    created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, closed_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX sessions_active ON sessions (last_active_at);
  CREATE INDEX sessions_tenant ON sessions (tenant, last_active_at);
  CREATE TABLE messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, message TEXT NOT NULL);
  CREATE INDEX messages_session ON messages (session_id, seq);
  CREATE TABLE tool_calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, call_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, turn_id TEXT NOT NULL,
    name TEXT NOT NULL, args TEXT NOT NULL, risk TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, outcome TEXT
  );
  CREATE INDEX tool_calls_session ON tool_calls (session_id, seq);
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, session_id TEXT NOT NULL, event TEXT NOT NULL, entry TEXT NOT NULL
  );
  CREATE INDEX audit_session ON audit (session_id, seq);
  CREATE INDEX audit_at ON audit (at);
  CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;`,
]

/** The schema version this build writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length

/**
 * Brings a database to {@link SCHEMA_VERSION}.
 * @throws DomosError `unsupported` for a file of a newer build, `conflict` for a database that is not ours
 */
export function migrate(database: DatabaseSync, path: string): void {
  const version = readNumber(database, 'user_version')
  const application = readNumber(database, 'application_id')
  const tables = database.prepare('SELECT count(*) AS number FROM sqlite_master').get()?.['number']
  if (application !== APPLICATION_ID && (application !== 0 || version !== 0 || tables !== 0)) {
    throw new DomosError('conflict', `${path} is a SQLite database of another program; name another file.`, {
      details: { path },
    })
  }
  if (version > SCHEMA_VERSION) {
    throw new DomosError(
      'unsupported',
      `${path} was written by a newer DomOS (schema ${version}, this build knows ${SCHEMA_VERSION}); update DomOS or name another file.`,
      { details: { path, version, supported: SCHEMA_VERSION } },
    )
  }
  for (let next = version; next < SCHEMA_VERSION; next += 1) {
    database.exec(
      `BEGIN IMMEDIATE; ${MIGRATIONS[next] ?? ''}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${next + 1}; COMMIT;`,
    )
  }
}

function readNumber(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0)
}
