import {
  type Clock,
  DomosError,
  type Host,
  type Principal,
  type Session,
  type SessionMember,
  silentLog,
  silentMetrics,
} from '@domos/spec'
import { randomHex } from '@domos/wire'

/** A session that holds members and remembers how it ended. */
export interface FakeSession extends Session {
  readonly closedWith: string | undefined
}

/** A house with one key, or none. */
export interface FakeHouse extends Host {
  readonly sessions: FakeSession[]
  /** What opening a session throws next. */
  refuseNext: DomosError | undefined
  /** Holds sessions back until the promise resolves. */
  gate: Promise<void>
}

export function createFakeHouse(clock: Clock, options: { readonly key?: string } = {}): FakeHouse {
  const sessions: FakeSession[] = []
  const house: FakeHouse = {
    clock,
    log: silentLog,
    metrics: silentMetrics,
    requiresKey: options.key !== undefined,
    sessions,
    refuseNext: undefined,
    gate: Promise.resolve(),
    async authenticate({ token }) {
      if (options.key !== undefined && token !== options.key) throw new DomosError('unauthorized', 'The key is wrong.')
      return { id: token ?? 'anonymous', tenant: 'default', allows: () => true }
    },
    async openSession(principal) {
      await house.gate
      if (house.refuseNext !== undefined) {
        const error = house.refuseNext
        house.refuseNext = undefined
        throw error
      }
      const session = createFakeSession(principal)
      sessions.push(session)
      return session
    },
    session: (id) => sessions.find((session) => session.id === id),
  }
  return house
}

export function createFakeSession(principal: Principal): FakeSession {
  const abort = new AbortController()
  const members = new Set<SessionMember>()
  let closedWith: string | undefined
  const unused = () => {
    throw new Error('the wire does not use this')
  }
  return {
    id: randomHex(),
    principal,
    signal: abort.signal,
    get closedWith() {
      return closedWith
    },
    tools: { replace: unused, surface: unused, get: unused },
    say: unused,
    currentTurn: undefined,
    setContext: unused,
    join(member) {
      members.add(member)
      return () => members.delete(member)
    },
    get members() {
      return [...members]
    },
    close(reason) {
      if (closedWith !== undefined) return
      closedWith = reason
      abort.abort()
      for (const member of members) member.onClose?.(reason)
    },
  }
}
