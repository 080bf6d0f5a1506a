import { join } from 'node:path'
import type { Store } from '@domos/spec'
import { openSqliteStore } from '@domos/store-sqlite'
import type { Settings } from './settings.ts'

/** Opens the durable store under the data directory. @throws DomosError `unavailable` when the file cannot be used */
export function openStore(settings: Settings): Store {
  return openSqliteStore({ path: join(settings.dataDir, 'domos.sqlite') })
}
