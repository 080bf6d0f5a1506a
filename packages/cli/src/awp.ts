import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Agent } from '@domos/agent'
import { createAwpDoor } from '@domos/awp/door'
import type { Browsing, Door, Store } from '@domos/spec'
import { joinableBrowsing } from './joined-browsing.ts'
import type { ApiKeySetting, Settings } from './settings.ts'

/**
 * Opens the browser door with Node's zstd and crypto. `keyIdOf` gives the id a key has in logs and in `auth.key_id`;
 * `store` takes the requests that were refused for a missing scope.
 */
export function openAwpDoor(
  agent: Agent,
  browsing: Browsing,
  settings: Settings,
  keyIdOf: (key: ApiKeySetting) => string,
  store: Pick<Store, 'appendAudit'>,
): Door {
  const keys = new Map(settings.apiKeys.map((setting) => [keyIdOf(setting), setting.key]))
  return createAwpDoor({
    host: agent,
    browsing: joinableBrowsing(browsing, agent),
    limits: settings.limits['awp'] ?? {},
    zstd: {
      compress: (bytes) => zstdCompressSync(bytes),
      decompress: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
    },
    signing: {
      hmacSha256(key, ...parts) {
        const mac = createHmac('sha256', key)
        for (const part of parts) mac.update(part)
        return mac.digest()
      },
      hkdfSha256: (secret, salt, info, bytes) => new Uint8Array(hkdfSync('sha256', secret, salt, info, bytes)),
      randomBytes: (count) => randomBytes(count),
      timingSafeEqual: (a, b) => a.length === b.length && timingSafeEqual(a, b),
    },
    onScopeRefused({ principal, method, scope, sessionId }) {
      const details = { door: 'awp', method, scope }
      store
        .appendAudit({ at: agent.clock.now(), sessionId, principalId: principal.id, event: 'scope-refused', details })
        .catch(() => agent.log.error('audit-failed', { event: 'scope-refused', principal: principal.id }))
    },
    async findSigningKey(keyId, peer) {
      const key = keys.get(keyId)
      if (key === undefined) return undefined
      return { secret: new TextEncoder().encode(key), principal: await agent.authenticate({ ...peer, token: key }) }
    },
  })
}
