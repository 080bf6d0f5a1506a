import type { JsonObject } from '@domos/spec'
import { randomHex } from '@domos/wire'

/** A key of `auth.hmac`: its id, and the secret both ends know. */
export interface AwpSigningKey {
  readonly keyId: string
  readonly secret: string | Uint8Array
}

const SEQUENCE_BYTES = 8
const MAC_BYTES = 32
const encoder = new TextEncoder()

/** Signs the hello and then every frame of one connection (decisions: Auth), with the platform's Web Crypto. */
export class FrameSigner {
  readonly #key: AwpSigningKey
  readonly #nonce = randomHex(16)
  #frameKey: CryptoKey | undefined
  #sequence = 0n

  constructor(key: AwpSigningKey) {
    this.#key = key
  }

  /** `params.auth` of the hello. */
  async hello(now: number): Promise<JsonObject> {
    const { keyId, secret } = this.#key
    const key = await hmacKey(bytesOf(secret))
    const signature = await sign(key, encoder.encode(`AWP1\n${keyId}\n${now}\n${this.#nonce}`))
    return { method: 'hmac', key_id: keyId, timestamp: now, nonce: this.#nonce, signature: hex(signature) }
  }

  /** Derives the key of the frames from what the server answered. */
  async open(serverNonce: string): Promise<void> {
    const secret = await crypto.subtle.importKey('raw', bytesOf(this.#key.secret), 'HKDF', false, ['deriveBits'])
    const salt = encoder.encode(`${this.#nonce}${serverNonce}`)
    const info = encoder.encode('AWP1 frames')
    const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, secret, MAC_BYTES * 8)
    this.#frameKey = await hmacKey(new Uint8Array(bits))
  }

  /** Puts sequence number and MAC before a frame. Frames are sealed one after the other. */
  async seal(frame: string | Uint8Array): Promise<string | Uint8Array> {
    if (this.#frameKey === undefined) return frame
    this.#sequence += 1n
    const payload = typeof frame === 'string' ? encoder.encode(frame) : frame
    const signed = new Uint8Array(SEQUENCE_BYTES + payload.length)
    new DataView(signed.buffer).setBigUint64(0, this.#sequence)
    signed.set(payload, SEQUENCE_BYTES)
    const sequence = this.#sequence
    const mac = await sign(this.#frameKey, signed)
    if (typeof frame === 'string') return `${sequence}.${hex(mac)}\n${frame}`
    const sealed = new Uint8Array(SEQUENCE_BYTES + MAC_BYTES + payload.length)
    sealed.set(signed.subarray(0, SEQUENCE_BYTES))
    sealed.set(mac, SEQUENCE_BYTES)
    sealed.set(payload, SEQUENCE_BYTES + MAC_BYTES)
    return sealed
  }
}

function hmacKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

async function sign(key: CryptoKey, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, data))
}

/** A copy of its own, which Web Crypto wants whatever memory the secret came in. */
function bytesOf(secret: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof secret === 'string' ? encoder.encode(secret) : new Uint8Array(secret)
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
