import type { SessionMember } from '@domos/spec'
import { DomosError } from '@domos/spec'

/** Who takes part in one session, in the order of joining. */
export interface Members {
  list(): readonly SessionMember[]
  /** @throws DomosError `conflict` when the id is taken, `busy` when the session is full */
  join(member: SessionMember): () => void
  /** Aborts when this member leaves; aborted at once for someone who is not here. */
  leftSignal(memberId: string): AbortSignal
  /** Members that can ask a person, the owner first. */
  approvers(owner: string): readonly SessionMember[]
}

/** Somebody came or went; they are not in the list before and after, respectively. */
export interface MemberChange {
  readonly type: 'joined' | 'left'
  readonly member: SessionMember
  /** How many there are now. */
  readonly count: number
}

/** Makes the member list of one session. */
export function createMembers(maxMembers: number, onChange: (change: MemberChange) => void): Members {
  const seats = new Map<string, { readonly member: SessionMember; readonly left: AbortController }>()
  return {
    list: () => [...seats.values()].map((seat) => seat.member),
    join(member) {
      if (seats.has(member.id)) throw new DomosError('conflict', `A member ${member.id} is in this session already.`)
      if (seats.size >= maxMembers) {
        throw new DomosError(
          'busy',
          `This session has ${maxMembers} members already; the limit is membersPerSessionMax.`,
        )
      }
      const seat = { member, left: new AbortController() }
      seats.set(member.id, seat)
      onChange({ type: 'joined', member, count: seats.size })
      return () => {
        if (seats.get(member.id) !== seat) return
        seats.delete(member.id)
        seat.left.abort()
        onChange({ type: 'left', member, count: seats.size })
      }
    },
    leftSignal: (memberId) => seats.get(memberId)?.left.signal ?? AbortSignal.abort(),
    approvers(owner) {
      const able = [...seats.values()].map((seat) => seat.member).filter((member) => member.approver !== undefined)
      return able.sort((a, b) => Number(b.id === owner) - Number(a.id === owner))
    },
  }
}
