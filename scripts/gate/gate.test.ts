import { describe, expect, it } from 'vitest'
import { textProblems } from './hygiene.mjs'
import { documentProblems } from './readme.mjs'
import { compareRequirements } from './requirements.mjs'

// A gate is worth what it refuses.

const entry = (id: string) => ({ id, heading: '4.1 Errors', sentence: 'Each error has a code.' })

describe('the requirement gate', () => {
  const manifests = new Map([['protocols/x/src/requirements.ts', [entry('XYZ-4.1'), entry('XYZ-4.2')]]])

  it('passes when each id is cited', () => {
    expect(compareRequirements(manifests, new Map([['a.test.ts', "it('answers (XYZ-4.1, XYZ-4.2)')"]]))).toEqual([])
  })

  it('names an id that no test cites, though a longer one is cited', () => {
    const more = new Map([['r.ts', [entry('XYZ-4.1'), entry('XYZ-4.10')]]])
    expect(compareRequirements(more, new Map([['a.test.ts', '// XYZ-4.10']]))).toEqual(['r.ts: no test cites XYZ-4.1.'])
  })

  it('names a citation that no document has', () => {
    const tests = new Map([['a.test.ts', 'XYZ-4.1 XYZ-4.2 XYZ-9.9']])
    expect(compareRequirements(manifests, tests)).toEqual(['a.test.ts cites XYZ-9.9, which no requirements.ts has.'])
  })

  it('refuses an empty manifest, an id that stands twice and an entry without its sentence', () => {
    const bad = new Map([
      ['empty.ts', []],
      ['twice.ts', [entry('XYZ-1'), entry('XYZ-1')]],
      ['bare.ts', [{ ...entry('XYZ-2'), sentence: '' }]],
    ])
    expect(compareRequirements(bad, new Map([['a.test.ts', 'XYZ-1 XYZ-2']]))).toHaveLength(3)
  })
})

describe('the document gate', () => {
  const block = (code: string, source = '') => `${source}\`\`\`ts\n${code}\n\`\`\`\n`

  it('refuses a code block that names no file', () => {
    expect(documentProblems('README.md', block('const a = 1'))[0]).toContain('does not name its file')
  })

  it('refuses a code block that differs from its file', () => {
    const text = block('MIT Licence', '<!-- file: LICENSE -->\n')
    expect(documentProblems('README.md', text)[0]).toContain('differs from the file')
  })

  it('refuses a file or region that is not there', () => {
    expect(documentProblems('README.md', block('x', '<!-- file: docs/none.ts -->\n'))[0]).toContain(
      'there is no docs/none.ts',
    )
    expect(documentProblems('README.md', block('x', '<!-- file: LICENSE#none -->\n'))[0]).toContain(
      'there is no LICENSE#none',
    )
  })

  it('refuses a link that leads nowhere and a script that does not exist', () => {
    expect(documentProblems('README.md', 'See [it](docs/none.md).')).toEqual([
      'README.md links to docs/none.md, which is not there.',
    ])
    expect(documentProblems('README.md', 'Run `npm run nothing`.')[0]).toContain('which package.json does not have')
  })
})

describe('the hygiene gate', () => {
  it.each([
    ['a path of one machine', ['const folder = "', 'root', 'x"'].join('/')],
    ['a path of one machine', ['cd ', 'home', 'somebody', 'project'].join('/')],
    ['the address of a package registry', ['https:', '', ['registry', 'npmjs', 'org'].join('.'), 'ws'].join('/')],
    ['a private key', ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')],
    ['an API key', `sk-${'a1'.repeat(16)}`],
  ])('refuses %s', (what, text) => {
    expect(textProblems('src/some.ts', `first line\n${text}`)).toEqual([`src/some.ts:2 has ${what}.`])
  })

  it('lets URLs, regular paths and words pass', () => {
    expect(textProblems('src/some.ts', 'https://example.com/work/a ./work/b the root/of work/x /workspace/y')).toEqual(
      [],
    )
  })
})
