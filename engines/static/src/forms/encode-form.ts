import { randomBytes } from 'node:crypto'
import { encodeText } from './encode-text.ts'
import type { FormEntry } from './entry-list.ts'

/** A form's data as it travels. */
export interface EncodedForm {
  readonly body: Uint8Array
  readonly contentType: string
}

const KEEP = /[A-Za-z0-9*\-._]/

/** `application/x-www-form-urlencoded`; a file is sent as its name. */
export function urlEncode(entries: readonly FormEntry[], encoding: string): string {
  return entries
    .map(({ name, value }) => {
      const text = typeof value === 'string' ? value : value.name
      return `${percent(newlines(name), encoding)}=${percent(newlines(text), encoding)}`
    })
    .join('&')
}

/** `multipart/form-data` with a random boundary. */
export function multipart(entries: readonly FormEntry[], encoding: string): EncodedForm {
  const boundary = `----domos${randomBytes(16).toString('hex')}`
  const parts: Uint8Array[] = []
  const write = (text: string): void => {
    parts.push(encodeText(text, encoding))
  }
  for (const { name, value } of entries) {
    write(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(newlines(name))}"`)
    if (typeof value === 'string') write(`\r\n\r\n${newlines(value)}\r\n`)
    else {
      write(`; filename="${quoted(value.name)}"\r\nContent-Type: ${headerSafe(value.contentType)}\r\n\r\n`)
      parts.push(value.data)
      write('\r\n')
    }
  }
  write(`--${boundary}--\r\n`)
  return { body: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` }
}

/** `text/plain`: one name=value a line. */
export function plainText(entries: readonly FormEntry[], encoding: string): EncodedForm {
  const text = entries
    .map(({ name, value }) => `${newlines(name)}=${newlines(typeof value === 'string' ? value : value.name)}\r\n`)
    .join('')
  return { body: encodeText(text, encoding), contentType: 'text/plain' }
}

function percent(text: string, encoding: string): string {
  let out = ''
  for (const byte of encodeText(text, encoding)) {
    const character = String.fromCharCode(byte)
    if (byte === 0x20) out += '+'
    else if (byte < 0x80 && KEEP.test(character)) out += character
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}

function newlines(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, '\r\n')
}

function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

function headerSafe(text: string): string {
  return /^[\w!#$&^.+/-]+(;[\x20-\x7e]*)?$/.test(text) ? text : 'application/octet-stream'
}
