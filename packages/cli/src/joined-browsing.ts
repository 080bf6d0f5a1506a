import type { Agent } from '@domos/agent'
import { createBrowsingTools } from '@domos/headless'
import {
  type Browsing,
  type BrowsingSession,
  type CreateBrowsingSession,
  DomosError,
  type Principal,
} from '@domos/spec'

/** Operations that only look at a page; the others need `page:act` of whoever brings the pages in. */
const READING: ReadonlySet<string> = new Set(['browse_observe', 'browse_find', 'browse_extract'])

/**
 * Browsing whose sessions may be brought into a conversation (`join_token` of session.create): the agent behind it then
 * works on the same pages, through the same operations, as far as the one who brought them may.
 */
export function joinableBrowsing(browsing: Browsing, agent: Pick<Agent, 'redeemJoinToken'>): Browsing {
  const create = async (
    principal: Principal,
    { joinToken, ...options }: CreateBrowsingSession,
    open: (options: CreateBrowsingSession) => Promise<BrowsingSession>,
  ): Promise<BrowsingSession> => {
    if (joinToken === undefined) return open(options)
    const joined = await agent.redeemJoinToken(joinToken, principal)
    if (joined === undefined) {
      throw new DomosError('not_found', 'The join token is unknown, used or too old; ask for a new one.', {
        details: { field: 'join_token' },
      })
    }
    const session = await open(options)
    const owner = `pages:${session.id}`
    // The tools work on this session and no other.
    const own: Browsing = { ...delegate(browsing), createSession: async () => session, session: () => session }
    const { tools } = createBrowsingTools(own, principal)
    const leave = joined.join({ id: owner, door: 'awp' })
    joined.tools.replace(
      owner,
      tools.filter(({ name }) => principal.allows(READING.has(name) ? 'som:read' : 'page:act')),
    )
    const stop = session.onEvent((event) => {
      if (event.type !== 'session-closed') return
      stop()
      joined.tools.replace(owner, [])
      leave()
    })
    return session
  }
  return {
    ...delegate(browsing),
    createSession: (principal, options) =>
      create(principal, options, (rest) => browsing.createSession(principal, rest)),
    importSession: (principal, state, options) =>
      create(principal, options, (rest) => browsing.importSession(principal, state, rest)),
  }
}

/** The methods of an organ as plain functions: a class's own would be lost by spreading. */
function delegate(browsing: Browsing): Browsing {
  return {
    features: browsing.features,
    createSession: (principal, options) => browsing.createSession(principal, options),
    session: (principal, id) => browsing.session(principal, id),
    attachSession: (principal, id, secret) => browsing.attachSession(principal, id, secret),
    listSessions: (principal) => browsing.listSessions(principal),
    importSession: (principal, state, options) => browsing.importSession(principal, state, options),
    health: () => browsing.health(),
    close: () => browsing.close(),
  }
}
