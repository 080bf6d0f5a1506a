/** A persistent session as the vault keeps it. */
export interface StoredSession {
  readonly id: string
  readonly principalId: string
  readonly tenant: string
  /** SHA-256 of the attach secret. */
  readonly secretDigest: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly sealed: Uint8Array
}

/**
 * Where persistent sessions are kept. The composition brings the cipher and the store, since the trunk has neither:
 * `encrypt` must be authenticated (AES-256-GCM), and bind `context`, which `decrypt` is given again.
 */
export interface SessionVault {
  encrypt(plain: Uint8Array, context: string): Promise<Uint8Array>
  /** @throws when the bytes were changed or the key is another one */
  decrypt(sealed: Uint8Array, context: string): Promise<Uint8Array>
  save(session: StoredSession): Promise<void>
  load(id: string): Promise<StoredSession | undefined>
  remove(id: string): Promise<void>
  /** Forgets sessions that expired before `now` (epoch milliseconds). */
  prune(now: number): Promise<void>
  /** Called when the organ closes. */
  close(): void
}
