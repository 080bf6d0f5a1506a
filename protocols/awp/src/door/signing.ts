import { type Credentials, DomosError, type JsonObject, type Principal } from '@domos/spec'
import type { AwpLimits } from '../limits.ts'

/** What signed connections need from the platform; Node's crypto at the server. All synchronous. */
export interface SigningCrypto {
  hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array
  hkdfSha256(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Uint8Array
  randomBytes(count: number): Uint8Array
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

/** A secret that signs, and who holds it. */
export interface SigningKey {
  readonly secret: Uint8Array
  readonly principal: Principal
}

/**
 * Looks a signing key up; undefined = no such key. `peer` says where the connection comes from, for keys bound to origins.
 * @throws DomosError `forbidden` when the key may not be used from there
 */
export type FindSigningKey = (keyId: string, peer: Credentials) => Promise<SigningKey | undefined>

/** The key of one signed connection and the last sequence number seen. */
export interface SignedConnection {
  readonly principal: Principal
  /** Hex; told to the client in the hello result. */
  readonly serverNonce: string
  /**
   * Checks a frame and returns the payload inside it.
   * @throws DomosError `unauthorized` for a wrong MAC, or a sequence number that does not rise
   */
  open(frame: string | Uint8Array): string | Uint8Array
}

const MAC_BYTES = 32
const SEQUENCE_BYTES = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const REFUSED = 'The signature is not valid.'

/** Remembers nonces within the window, so that a signed hello cannot be replayed. Shared by all connections of a door. */
export interface NonceMemory {
  /** False when it was seen before, or too many are remembered. */
  use(keyId: string, nonce: string, now: number): boolean
}

/** Creates a bounded nonce memory. */
export function createNonceMemory(limits: AwpLimits): NonceMemory {
  const seen = new Map<string, number>()
  return {
    use(keyId, nonce, now) {
      for (const [key, expires] of seen) {
        if (expires > now) break
        seen.delete(key)
      }
      const key = `${keyId}\n${nonce}`
      if (seen.has(key) || seen.size >= limits.maxNonces) return false
      seen.set(key, now + 2 * limits.signatureWindowMs)
      return true
    },
  }
}

/**
 * Checks `params.auth {method: "hmac", key_id, timestamp, nonce, signature}`: the signature is HMAC-SHA-256 (hex) over
 * `AWP1\n` key_id `\n` timestamp `\n` nonce; timestamp in epoch milliseconds or seconds within the window.
 * An unknown key and a wrong signature give one text, after the same work.
 * @throws DomosError `unauthorized`
 */
export function openSignedConnection(
  auth: JsonObject,
  key: SigningKey | undefined,
  nonces: NonceMemory,
  crypto: SigningCrypto,
  limits: AwpLimits,
  now: number,
): SignedConnection {
  const { key_id: keyId, timestamp, nonce, signature } = auth
  const isWellFormed =
    typeof keyId === 'string' &&
    keyId.length <= 128 &&
    (typeof timestamp === 'number' || typeof timestamp === 'string') &&
    typeof nonce === 'string' &&
    /^[\w+/=.-]{8,128}$/.test(nonce) &&
    typeof signature === 'string'
  if (!isWellFormed)
    throw new DomosError(
      'unauthorized',
      'auth.hmac needs key_id, timestamp, nonce (8 to 128 characters) and signature.',
    )
  // An unknown key costs the same work as a known one.
  const secret = key?.secret ?? crypto.randomBytes(32)
  const expected = crypto.hmacSha256(secret, encoder.encode(`AWP1\n${keyId}\n${timestamp}\n${nonce}`))
  const given = fromHex(signature)
  const isEqual = given !== undefined && given.length === expected.length && crypto.timingSafeEqual(given, expected)
  if (key === undefined || !isEqual) throw new DomosError('unauthorized', REFUSED)
  const raw = Number(timestamp)
  const at = raw < 100_000_000_000 ? raw * 1_000 : raw
  if (!Number.isFinite(at) || Math.abs(now - at) > limits.signatureWindowMs) {
    throw new DomosError('unauthorized', 'The timestamp is outside the window.', {
      details: { windowMs: limits.signatureWindowMs },
    })
  }
  if (!nonces.use(keyId, nonce, now)) throw new DomosError('unauthorized', 'The nonce was used before.')
  const serverNonce = toHex(crypto.randomBytes(16))
  const frameKey = crypto.hkdfSha256(
    key.secret,
    encoder.encode(`${nonce}${serverNonce}`),
    encoder.encode('AWP1 frames'),
    32,
  )
  let lastSequence = -1n

  const check = (sequence: bigint, mac: Uint8Array, payload: Uint8Array): void => {
    const expectedMac = crypto.hmacSha256(frameKey, sequenceBytes(sequence), payload)
    if (mac.length !== expectedMac.length || !crypto.timingSafeEqual(mac, expectedMac))
      throw new DomosError('unauthorized', REFUSED)
    if (sequence <= lastSequence) throw new DomosError('unauthorized', 'The sequence number does not rise.')
    lastSequence = sequence
  }

  return {
    principal: key.principal,
    serverNonce,
    open(frame) {
      if (typeof frame === 'string') {
        const end = frame.indexOf('\n')
        const head = /^(\d{1,18})\.([0-9a-f]{64})$/.exec(end === -1 ? '' : frame.slice(0, end))
        if (head === null)
          throw new DomosError('unauthorized', 'On a signed connection every frame is `<seq>.<hex mac>\\n<json>`.')
        const payload = encoder.encode(frame.slice(end + 1))
        check(BigInt(head[1] as string), fromHex(head[2] as string) as Uint8Array, payload)
        return decoder.decode(payload)
      }
      if (frame.length < SEQUENCE_BYTES + MAC_BYTES)
        throw new DomosError('unauthorized', 'A signed binary frame starts with 8 bytes of sequence and 32 of MAC.')
      const sequence = new DataView(frame.buffer, frame.byteOffset, SEQUENCE_BYTES).getBigUint64(0)
      const payload = frame.subarray(SEQUENCE_BYTES + MAC_BYTES)
      check(sequence, frame.subarray(SEQUENCE_BYTES, SEQUENCE_BYTES + MAC_BYTES), payload)
      return payload
    },
  }
}

/** A sequence number as 8 bytes, most significant first. */
export function sequenceBytes(sequence: bigint): Uint8Array {
  const bytes = new Uint8Array(SEQUENCE_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, sequence)
  return bytes
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Bytes of a hex text; undefined when it is none. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}
