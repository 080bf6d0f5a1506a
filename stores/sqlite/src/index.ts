export type { Durability } from './open-database.ts'
export { SCHEMA_VERSION } from './schema.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'
