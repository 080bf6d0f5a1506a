import { canonicalJson, equalConstantTime } from './digest.ts'
import { randomHex, toHex } from './ids.ts'

/** What a ticket is bound to. */
export interface TicketClaims {
  readonly sessionId: string
  readonly callId: string
  readonly toolName: string
  /** Of {@link callDigest}. */
  readonly digest: string
}

/** Why a ticket was or was not taken. */
export type TicketVerdict = 'accepted' | 'missing' | 'malformed' | 'forged' | 'expired' | 'used'

/** Issues the proof that a person approved one very call, and takes it back once. */
export interface TicketOffice {
  issue(claims: TicketClaims, expiresAt: number): Promise<string>
  redeem(ticket: string | undefined, claims: TicketClaims, now: number): Promise<TicketVerdict>
}

const USED_MAX = 10_000
const FORM = /^v1\.(\d{1,16})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

/**
 * Makes a ticket office with a key of its own, drawn at random: tickets do not outlive the process. A ticket is
 * `v1.<expiresAt>.<nonce>.<mac>`, the MAC being HMAC-SHA256 over session, call, tool, argument digest, expiry and nonce.
 */
export function createTicketOffice(): TicketOffice {
  const used = new Map<string, true>()
  let key: Promise<CryptoKey> | undefined

  async function mac(claims: TicketClaims, expiresAt: number, nonce: string): Promise<string> {
    key ??= globalThis.crypto.subtle.importKey(
      'raw',
      globalThis.crypto.getRandomValues(new Uint8Array(32)),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    const text = canonicalJson([claims.sessionId, claims.callId, claims.toolName, claims.digest, expiresAt, nonce])
    return toHex(new Uint8Array(await globalThis.crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(text))))
  }

  return {
    async issue(claims, expiresAt) {
      const nonce = randomHex(16)
      return `v1.${expiresAt}.${nonce}.${await mac(claims, expiresAt, nonce)}`
    },
    async redeem(ticket, claims, now) {
      if (ticket === undefined) return 'missing'
      const [, expiry, nonce, signature] = FORM.exec(ticket) ?? []
      if (expiry === undefined || nonce === undefined || signature === undefined) return 'malformed'
      const expiresAt = Number(expiry)
      if (!equalConstantTime(signature, await mac(claims, expiresAt, nonce))) return 'forged'
      if (now > expiresAt) return 'expired'
      if (used.has(nonce)) return 'used'
      used.set(nonce, true)
      const oldest = used.keys().next().value
      if (used.size > USED_MAX && oldest !== undefined) used.delete(oldest)
      return 'accepted'
    },
  }
}
