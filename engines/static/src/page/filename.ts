import { parse } from 'content-disposition'

/** Longest name kept, in bytes of UTF-8. */
const MAX_NAME_BYTES = 200
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/** The name a download goes by: the server's, else the link's, else the URL's. Metadata alone; nothing is stored under it. */
export function downloadName(disposition: string | undefined, suggested: string | undefined, url: string): string {
  const stated = disposition === undefined ? undefined : nameInHeader(disposition)
  const inUrl = lastSegment(url)
  for (const name of [stated, suggested, inUrl]) {
    const safe = name === undefined ? '' : sanitizeName(name)
    if (safe !== '') return safe
  }
  return 'download'
}

function nameInHeader(header: string): string | undefined {
  try {
    return parse(header).parameters['filename']
  } catch {
    return undefined
  }
}

function lastSegment(url: string): string {
  const path = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A name without folders, control and direction-changing characters, reserved names and over-length. */
export function sanitizeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  if (plain === '') return ''
  const kept = RESERVED.test(plain) ? `_${plain}` : plain
  return shorten(kept)
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - extension.length)
  while (Buffer.byteLength(stem + extension) > MAX_NAME_BYTES) stem = [...stem].slice(0, -1).join('')
  return stem + extension
}
