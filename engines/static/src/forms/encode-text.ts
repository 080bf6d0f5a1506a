const encoders = new Map<string, (text: string) => Uint8Array>()
const utf8 = new TextEncoder()

/**
 * Encodes a text for a page in a legacy encoding. The platform only decodes those, so the table is what decoding every
 * one- and two-byte sequence gives. Characters outside it become `&#…;`, as browsers send them.
 */
export function encodeText(text: string, encoding: string): Uint8Array {
  const label = encoding.toLowerCase()
  if (label === 'utf-8' || label.startsWith('utf-16') || label === 'replacement') return utf8.encode(text)
  let encode = encoders.get(label)
  if (encode === undefined) {
    encode = createEncoder(label)
    encoders.set(label, encode)
  }
  return encode(text)
}

function createEncoder(label: string): (text: string) => Uint8Array {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(label)
  } catch {
    return (text) => utf8.encode(text)
  }
  const table = new Map<string, readonly number[]>()
  const learn = (bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if (text.length > 0 && [...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte++) learn([byte])
  if (!isSingleByte(label)) {
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) learn([lead, trail])
  }
  return (text) => {
    const bytes: number[] = []
    for (const character of text) {
      const known = table.get(character)
      if (known !== undefined) bytes.push(...known)
      else for (const code of utf8.encode(`&#${character.codePointAt(0) ?? 0};`)) bytes.push(code)
    }
    return Uint8Array.from(bytes)
  }
}

function isSingleByte(label: string): boolean {
  return /^(windows-|iso-8859|ibm866|koi8|macintosh|x-mac)/.test(label)
}
