import type { AuditEntry, ModelMessage, SessionRecord, Store, ToolCallRecord } from '@domos/spec'

/** Bounds of {@link createMemoryStore}; the oldest goes when one is reached. */
export interface MemoryStoreLimits {
  /** @default 10000 */
  readonly sessionsMax?: number
  /** Per session. @default 1000 */
  readonly messagesMax?: number
  /** Per session. @default 1000 */
  readonly toolCallsMax?: number
  /** @default 100000 */
  readonly auditMax?: number
}

interface Conversation {
  readonly messages: ModelMessage[]
  readonly calls: Map<string, ToolCallRecord>
}

/** A store that forgets everything when the process ends. */
export function createMemoryStore(limits: MemoryStoreLimits = {}): Store {
  const { sessionsMax = 10_000, messagesMax = 1_000, toolCallsMax = 1_000, auditMax = 100_000 } = limits
  const sessions = new Map<string, SessionRecord>()
  const conversations = new Map<string, Conversation>()
  let audit: AuditEntry[] = []

  function conversation(sessionId: string): Conversation {
    let found = conversations.get(sessionId)
    if (found === undefined) {
      found = { messages: [], calls: new Map() }
      conversations.set(sessionId, found)
      dropOldest(conversations, sessionsMax)
    }
    return found
  }

  return {
    async saveSession(record) {
      sessions.set(record.id, record)
      for (const id of dropOldest(sessions, sessionsMax)) conversations.delete(id)
    },
    loadSession: async (id) => sessions.get(id),
    listSessions: async ({ tenant, limit }) =>
      [...sessions.values()]
        .filter((record) => tenant === undefined || record.tenant === tenant)
        .sort((a, b) => b.lastActiveAt - a.lastActiveAt)
        .slice(0, limit),
    async appendMessages(sessionId, messages) {
      const kept = conversation(sessionId).messages
      kept.push(...messages)
      if (kept.length > messagesMax) kept.splice(0, kept.length - messagesMax)
    },
    async replaceMessage(sessionId, message, by) {
      const kept = conversations.get(sessionId)?.messages ?? []
      const text = JSON.stringify(message)
      const index = kept.findLastIndex((each) => each === message || JSON.stringify(each) === text)
      if (index >= 0) kept[index] = by
    },
    loadMessages: async (sessionId, limit) => newest(conversations.get(sessionId)?.messages ?? [], limit),
    async saveToolCall(record) {
      const { calls } = conversation(record.sessionId)
      calls.set(record.callId, record)
      dropOldest(calls, toolCallsMax)
    },
    listToolCalls: async (sessionId, limit) => newest([...(conversations.get(sessionId)?.calls.values() ?? [])], limit),
    async appendAudit(entry) {
      audit.push(entry)
      if (audit.length > auditMax) audit.splice(0, audit.length - auditMax)
    },
    listAudit: async ({ sessionId, limit }) =>
      newest(
        audit.filter((entry) => sessionId === undefined || entry.sessionId === sessionId),
        limit,
      ),
    async prune(before, auditBefore) {
      for (const [id, record] of sessions) {
        if (record.lastActiveAt >= before) continue
        sessions.delete(id)
        conversations.delete(id)
      }
      audit = audit.filter((entry) => entry.at >= auditBefore)
    },
    async close() {},
  }
}

function newest<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return limit <= 0 ? [] : items.slice(-limit)
}

function dropOldest(map: Map<string, unknown>, max: number): readonly string[] {
  const dropped: string[] = []
  for (const key of map.keys()) {
    if (map.size <= max) break
    map.delete(key)
    dropped.push(key)
  }
  return dropped
}
