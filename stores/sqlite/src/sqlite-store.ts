import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry, ModelMessage, SessionRecord, Store, ToolCallRecord } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { type Durability, openDatabase } from './open-database.ts'
import { createWriteQueue } from './write-queue.ts'

/** How a SQLite store is opened. */
export interface SqliteStoreOptions {
  /** The file; it is made, with its directory, where there is none. `:memory:` keeps nothing. */
  readonly path: string
  /**
   * When a write's promise may settle. `process`: the write survives the end of this process, kill included; a loss of power may
   * take the last moments, never the file. `power`: it survives that too, at the price of waiting for the disk with every
   * commit, which stops the whole server for that long.
   * @default 'process'
   */
  readonly durability?: Durability
  /** How long a write may wait so that several share one commit. @default 5 */
  readonly commitDelayMs?: number
  /** Writes that may wait; further ones fail with `busy`. @default 50000 */
  readonly pendingWritesMax?: number
}

const BATCH_MAX = 64
const PRUNE_ROWS = 500

/**
 * Opens the durable store: one SQLite file in WAL mode, prepared statements, several writes to a commit.
 * @throws DomosError `unavailable` (cannot be opened, or damaged), `unsupported` (written by a newer build), `conflict` (the
 * database of another program)
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const database = openDatabase(options.path, options.durability ?? 'process')
  const queue = createWriteQueue(database, {
    delayMs: options.commitDelayMs ?? 5,
    batchMax: BATCH_MAX,
    pendingMax: options.pendingWritesMax ?? 50_000,
  })
  const sql = prepareStatements(database)
  let isOpen = true

  /** Reads see every write that was asked for before them. */
  async function read<Result>(query: () => Result): Promise<Result> {
    if (!isOpen) throw new DomosError('unavailable', 'The store is closed.')
    queue.flush()
    return query()
  }

  return {
    saveSession: (record) =>
      queue.add(() => {
        const { id, principalId, tenant, door, createdAt, lastActiveAt, closedAt } = record
        sql.saveSession.run(id, principalId, tenant, door, createdAt, lastActiveAt, closedAt ?? null)
      }),
    loadSession: (id) =>
      read(() => {
        const row = sql.loadSession.get(id)
        return row === undefined ? undefined : sessionOf(row)
      }),
    listSessions: ({ tenant, limit }) =>
      read(() => {
        const rows =
          tenant === undefined ? sql.listSessions.all(bound(limit)) : sql.listTenant.all(tenant, bound(limit))
        return rows.map(sessionOf)
      }),
    appendMessages(sessionId, messages) {
      const texts = messages.map((message) => JSON.stringify(message))
      return queue.add(() => {
        for (const text of texts) sql.appendMessage.run(sessionId, text)
      })
    },
    replaceMessage(sessionId, message, by) {
      const [from, to] = [JSON.stringify(message), JSON.stringify(by)]
      return queue.add(() => {
        sql.replaceMessage.run(to, sessionId, from)
      })
    },
    loadMessages: (sessionId, limit) =>
      read(() =>
        sql.loadMessages
          .all(sessionId, bound(limit))
          .map((row) => parse<ModelMessage>(row['message']))
          .reverse(),
      ),
    saveToolCall(record) {
      const { callId, sessionId, turnId, name, risk, startedAt, endedAt } = record
      const args = JSON.stringify(record.args)
      const outcome = record.outcome === undefined ? null : JSON.stringify(record.outcome)
      return queue.add(() => {
        sql.saveCall.run(callId, sessionId, turnId, name, args, risk, startedAt, endedAt ?? null, outcome)
      }, callId)
    },
    listToolCalls: (sessionId, limit) => read(() => sql.listCalls.all(sessionId, bound(limit)).map(callOf).reverse()),
    appendAudit(entry) {
      const text = JSON.stringify(entry)
      return queue.add(() => {
        sql.appendAudit.run(entry.at, entry.sessionId, entry.event, text)
      })
    },
    listAudit: ({ sessionId, limit }) =>
      read(() => {
        const rows =
          sessionId === undefined ? sql.listAudit.all(bound(limit)) : sql.listSessionAudit.all(sessionId, bound(limit))
        return rows.map((row) => parse<AuditEntry>(row['entry'])).reverse()
      }),
    async prune(before, auditBefore) {
      // In small pieces, so that a large clean-up does not hold up the server.
      const pieces = [
        () => sql.pruneMessages.run(before, PRUNE_ROWS),
        () => sql.pruneCalls.run(before, PRUNE_ROWS),
        () => sql.pruneSessions.run(before, PRUNE_ROWS),
        () => sql.pruneAudit.run(auditBefore, PRUNE_ROWS),
      ]
      for (const piece of pieces) {
        for (let changes = PRUNE_ROWS; changes >= PRUNE_ROWS && isOpen; ) {
          await queue.add(() => {
            changes = Number(piece().changes)
          })
        }
      }
      if (isOpen) database.exec('PRAGMA incremental_vacuum(1000)')
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      queue.close()
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

function prepareStatements(database: DatabaseSync) {
  const old = 'SELECT id FROM sessions WHERE last_active_at < ?'
  return {
    saveSession: database.prepare(
      `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET principal_id = excluded.principal_id,
       tenant = excluded.tenant, door = excluded.door, created_at = excluded.created_at,
       last_active_at = excluded.last_active_at, closed_at = excluded.closed_at`,
    ),
    loadSession: database.prepare('SELECT * FROM sessions WHERE id = ?'),
    listSessions: database.prepare('SELECT * FROM sessions ORDER BY last_active_at DESC LIMIT ?'),
    listTenant: database.prepare('SELECT * FROM sessions WHERE tenant = ? ORDER BY last_active_at DESC LIMIT ?'),
    appendMessage: database.prepare('INSERT INTO messages (session_id, message) VALUES (?, ?)'),
    replaceMessage: database.prepare(
      `UPDATE messages SET message = ? WHERE seq =
       (SELECT seq FROM messages WHERE session_id = ? AND message = ? ORDER BY seq DESC LIMIT 1)`,
    ),
    loadMessages: database.prepare('SELECT message FROM messages WHERE session_id = ? ORDER BY seq DESC LIMIT ?'),
    saveCall: database.prepare(
      `INSERT INTO tool_calls (call_id, session_id, turn_id, name, args, risk, started_at, ended_at, outcome)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call_id) DO UPDATE SET name = excluded.name, args = excluded.args,
       risk = excluded.risk, started_at = excluded.started_at, ended_at = excluded.ended_at, outcome = excluded.outcome`,
    ),
    listCalls: database.prepare('SELECT * FROM tool_calls WHERE session_id = ? ORDER BY seq DESC LIMIT ?'),
    appendAudit: database.prepare('INSERT INTO audit (at, session_id, event, entry) VALUES (?, ?, ?, ?)'),
    listAudit: database.prepare('SELECT entry FROM audit ORDER BY seq DESC LIMIT ?'),
    listSessionAudit: database.prepare('SELECT entry FROM audit WHERE session_id = ? ORDER BY seq DESC LIMIT ?'),
    pruneMessages: database.prepare(
      `DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE session_id IN (${old}) LIMIT ?)`,
    ),
    pruneCalls: database.prepare(
      `DELETE FROM tool_calls WHERE seq IN (SELECT seq FROM tool_calls WHERE session_id IN (${old}) LIMIT ?)`,
    ),
    pruneSessions: database.prepare(`DELETE FROM sessions WHERE id IN (${old} LIMIT ?)`),
    pruneAudit: database.prepare('DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < ? LIMIT ?)'),
  }
}

type Row = Readonly<Record<string, unknown>>

function sessionOf(row: Row): SessionRecord {
  return {
    id: String(row['id']),
    principalId: String(row['principal_id']),
    tenant: String(row['tenant']),
    door: String(row['door']),
    createdAt: Number(row['created_at']),
    lastActiveAt: Number(row['last_active_at']),
    ...(row['closed_at'] === null ? {} : { closedAt: Number(row['closed_at']) }),
  }
}

function callOf(row: Row): ToolCallRecord {
  return {
    callId: String(row['call_id']),
    sessionId: String(row['session_id']),
    turnId: String(row['turn_id']),
    name: String(row['name']),
    args: parse(row['args']),
    risk: row['risk'] as ToolCallRecord['risk'], // written by saveToolCall
    startedAt: Number(row['started_at']),
    ...(row['ended_at'] === null ? {} : { endedAt: Number(row['ended_at']) }),
    ...(row['outcome'] === null ? {} : { outcome: parse(row['outcome']) }),
  }
}

/** Text this store wrote itself. */
function parse<Value>(text: unknown): Value {
  return JSON.parse(String(text)) as Value
}

function bound(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), 1_000_000))
}
