const constants = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
const words = new Uint32Array(64)

/** SHA-256 of a string's UTF-8 bytes as lower-case hex, synchronous and without any platform API. FIPS 180-4. */
export function sha256(text: string): string {
  const bytes = utf8(text)
  const state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ])
  for (let offset = 0; offset < bytes.length; offset += 64) compress(state, bytes, offset)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** UTF-8 with the padding and the bit length that the standard appends. */
function utf8(text: string): Uint8Array {
  const encoded: number[] = []
  for (const char of text) {
    let code = char.codePointAt(0) as number
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd
    if (code < 0x80) encoded.push(code)
    else if (code < 0x800) encoded.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) encoded.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else {
      encoded.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    }
  }
  const padded = new Uint8Array(Math.ceil((encoded.length + 9) / 64) * 64)
  padded.set(encoded)
  padded[encoded.length] = 0x80
  const bits = encoded.length * 8
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bits / 0x1_0000_0000))
  view.setUint32(padded.length - 4, bits >>> 0)
  return padded
}

function compress(state: Uint32Array, bytes: Uint8Array, offset: number): void {
  const view = new DataView(bytes.buffer, offset, 64)
  const at = (index: number): number => words[index] as number
  for (let index = 0; index < 16; index++) words[index] = view.getUint32(index * 4)
  for (let index = 16; index < 64; index++) {
    const low = at(index - 15)
    const high = at(index - 2)
    const s0 = rotate(low, 7) ^ rotate(low, 18) ^ (low >>> 3)
    const s1 = rotate(high, 17) ^ rotate(high, 19) ^ (high >>> 10)
    words[index] = at(index - 16) + s0 + at(index - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (constants[index] as number) + at(index)) >>> 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0
    h = g
    g = f
    f = e
    e = (d + first) >>> 0
    d = c
    c = b
    b = a
    a = (first + second) >>> 0
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + value
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}
