/** How far a peer has shown signs of life. `quiet`: a ping is out and nothing came back yet. */
export type KeepaliveState = 'alive' | 'quiet' | 'dead'

/** What happened: the interval passed, or the peer sent anything at all (a pong counts). */
export type KeepaliveEvent = 'tick' | 'sign-of-life'

/** What has to be done. */
export type KeepaliveAction = 'ping' | 'terminate' | 'nothing'

const table: Readonly<
  Record<KeepaliveState, Readonly<Record<KeepaliveEvent, readonly [KeepaliveState, KeepaliveAction]>>>
> = {
  alive: { tick: ['quiet', 'ping'], 'sign-of-life': ['alive', 'nothing'] },
  quiet: { tick: ['dead', 'terminate'], 'sign-of-life': ['alive', 'nothing'] },
  dead: { tick: ['dead', 'nothing'], 'sign-of-life': ['dead', 'nothing'] },
}

/** The next state and what to do: a peer that gives no sign between two pings is terminated at the second. */
export function keepalive(state: KeepaliveState, event: KeepaliveEvent): readonly [KeepaliveState, KeepaliveAction] {
  return table[state][event]
}
