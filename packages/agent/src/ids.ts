/** A random 128-bit id as 32 lower-case hex digits. */
export function randomId(): string {
  return randomHex(16)
}

/** Random bytes fetched ahead: asking the system for a few at a time costs more than a whole call around it. */
const pool = new Uint8Array(4_096)
let unused = 0

/** `bytes` (at most 4,096) random bytes in lower-case hex; no byte is used twice. */
export function randomHex(bytes: number): string {
  if (unused < bytes) {
    globalThis.crypto.getRandomValues(pool)
    unused = pool.length
  }
  unused -= bytes
  const taken = pool.subarray(unused, unused + bytes)
  const text = toHex(taken)
  taken.fill(0)
  return text
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex of bytes. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

/** A random number of that many decimal digits, each equally likely, leading zeros kept. */
export function randomDigits(count: number): string {
  let digits = ''
  while (digits.length < count) {
    const byte = Number.parseInt(randomHex(1), 16)
    // 250 is the largest multiple of ten in a byte: taking the rest would make some digits likelier.
    if (byte < 250) digits += byte % 10
  }
  return digits
}
