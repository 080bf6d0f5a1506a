/** A random id or secret in lower-case hex. */
export function randomHex(bytes: number): string {
  const data = crypto.getRandomValues(new Uint8Array(bytes))
  return [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** SHA-256 of a text in hex. */
export async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares two texts of the same expected length without telling by its time where they differ. */
export function equalsSecret(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= (given.charCodeAt(at) || 0) ^ expected.charCodeAt(at)
  return difference === 0
}
