import { createHash } from 'node:crypto'
import type { ApiKey } from '@domos/agent'
import type { ApiKeySetting } from './settings.ts'

/** A key as the authenticator takes it. */
export function toApiKey(setting: ApiKeySetting): ApiKey {
  return { ...setting, id: keyIdOf(setting) }
}

/** The id a key has in logs and in `auth.key_id`: its own, or one made of its digest. */
export function keyIdOf({ id, key }: ApiKeySetting): string {
  return id ?? `key-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}
