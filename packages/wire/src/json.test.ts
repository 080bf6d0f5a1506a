import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callDigest } from './digest.ts'
import { canonicalJson, parseJson } from './json.ts'

describe('parseJson', () => {
  it('gives what JSON.parse gives for harmless text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!/__proto__|constructor|prototype/.test(text))
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('refuses nesting beyond 64 levels, and counts no bracket inside a text', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseJson(nested(64)).ok).toBe(true)
    expect(parseJson(nested(65))).toEqual({ ok: false, code: 'too_deep', path: '' })
    expect(parseJson(nested(100_000))).toMatchObject({ code: 'too_deep' })
    expect(parseJson(JSON.stringify(`\\"${'['.repeat(100)}`)).ok).toBe(true)
    expect(parseJson('[1]', { maxDepth: 0 })).toMatchObject({ code: 'too_deep' })
  })

  it('refuses keys that could reach a prototype, with their place, however they are escaped', () => {
    expect(parseJson('{"a":[{"__proto__":{}}]}')).toEqual({ ok: false, code: 'forbidden_key', path: 'a.0.__proto__' })
    expect(parseJson('{"constructor":1}')).toMatchObject({ code: 'forbidden_key', path: 'constructor' })
    expect(parseJson('{"\\u0070rototype":1}')).toMatchObject({ code: 'forbidden_key', path: 'prototype' })
  })

  it('takes those words as values', () => {
    expect(parseJson('{"a":"constructor","b":["__proto__"]}').ok).toBe(true)
  })

  it('refuses text that is no JSON or too long', () => {
    expect(parseJson('{')).toMatchObject({ code: 'invalid_json' })
    expect(parseJson('')).toMatchObject({ code: 'invalid_json' })
    expect(parseJson('"12345"', { maxLength: 6 })).toMatchObject({ code: 'too_large' })
  })
})

describe('canonical JSON and the digest of a call', () => {
  it('does not depend on the order of keys, and stays JSON', () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: 'ä' }] })).toBe('{"a":[{"c":"ä","d":null}],"b":1}')
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value))),
        ),
        (value) => {
          const turned = Object.fromEntries(Object.entries(value).reverse())
          expect(canonicalJson(turned)).toBe(canonicalJson(value))
          expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        },
      ),
    )
  })

  it('is the SHA-256 of name and arguments', async () => {
    const digest = await callDigest('add', { n: 2 })
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(await callDigest('add', { n: 3 })).not.toBe(digest)
    expect(await callDigest('add', { n: 2 }, (text) => text)).toBe('{"args":{"n":2},"name":"add"}')
  })
})
