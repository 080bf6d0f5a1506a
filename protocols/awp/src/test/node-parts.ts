import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Zstd } from '../codec.ts'
import type { SigningCrypto } from '../door/signing.ts'

/** Node's zstd. */
export const nodeZstd: Zstd = {
  compress: (bytes) => zstdCompressSync(bytes),
  decompress: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
}

/** Node's crypto, as the door wants it. */
export const nodeSigning: SigningCrypto = {
  hmacSha256(key, ...parts) {
    const mac = createHmac('sha256', key)
    for (const part of parts) mac.update(part)
    return mac.digest()
  },
  hkdfSha256: (secret, salt, info, bytes) => new Uint8Array(hkdfSync('sha256', secret, salt, info, bytes)),
  randomBytes: (count) => randomBytes(count),
  timingSafeEqual,
}
