import type { Browsing, Door, Host } from '@domos/spec'
import { createFrameCodec, type Zstd } from '../codec.ts'
import { type AwpLimits, defaultAwpLimits } from '../limits.ts'
import type { ServerIdentity } from './hello.ts'
import { createIdempotencyMemory } from './idempotency.ts'
import { AwpPeer, type PeerEnvironment } from './peer.ts'
import type { ScopeRefusal } from './requests.ts'
import { createNonceMemory, type FindSigningKey, type SigningCrypto } from './signing.ts'

export {
  CONNECTION_TABLE,
  type ConnectionAction,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.ts'
export type { ServerIdentity } from './hello.ts'
export type { ScopeRefusal } from './requests.ts'
export type { FindSigningKey, SigningCrypto, SigningKey } from './signing.ts'

/** How a browser door is made. */
export interface AwpDoorOptions {
  readonly host: Host
  readonly browsing: Browsing
  readonly limits?: Partial<AwpLimits>
  /** Node's zstd; without it only `none` is offered. */
  readonly zstd?: Zstd
  readonly identity?: Partial<ServerIdentity>
  /** Keys of `auth.hmac`; both this and {@link signing} are needed for it. */
  readonly findSigningKey?: FindSigningKey
  readonly signing?: SigningCrypto
  /** Told of every request refused for a missing scope, for the audit log. Must not throw. */
  readonly onScopeRefused?: (refusal: ScopeRefusal) => void
}

/** Creates the browser door at `/awp`. */
export function createAwpDoor(options: AwpDoorOptions): Door {
  const { host, browsing } = options
  const limits: AwpLimits = { ...defaultAwpLimits, ...options.limits }
  const environment: PeerEnvironment = {
    host,
    browsing,
    limits,
    codec: createFrameCodec(limits, options.zstd),
    hasZstd: options.zstd !== undefined,
    identity: { name: 'domos', version: '0.1.0', build: 'release', ...options.identity },
    idempotency: createIdempotencyMemory(limits, host.clock),
    nonces: createNonceMemory(limits),
    findSigningKey: options.findSigningKey,
    signingCrypto: options.signing,
    onScopeRefused: options.onScopeRefused ?? (() => {}),
  }
  const connections = new Set<Parameters<Door['accept']>[0]>()
  return {
    name: 'awp',
    paths: ['/awp'],
    maxFrameBytes: limits.maxFrameBytes,
    allowsQueryToken: false,
    accept(connection, upgrade) {
      connections.add(connection)
      connection.onClose(() => connections.delete(connection))
      new AwpPeer(environment, connection, upgrade)
    },
    health: () => browsing.health(),
    async close(signal) {
      const gone = [...connections].map(
        (connection) => new Promise<void>((resolve) => connection.onClose(() => resolve())),
      )
      for (const connection of [...connections]) connection.close(1001, 'Server shutting down')
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
      await Promise.race([Promise.all(gone), aborted])
      await browsing.close()
    },
  }
}
