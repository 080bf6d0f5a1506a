import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPageSite, type PageSite } from './test/page-site.ts'
import { type CommandRun, runCommand } from './test/run-command.ts'

let directory: string
let site: PageSite
const runs: CommandRun[] = []
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'domos-browser-commands-'))
  site = await openPageSite()
})
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGKILL')
    await run.exit
  }
  await site.close()
  rmSync(directory, { recursive: true, force: true })
})

function domos(args: readonly string[], input?: string | Uint8Array, env?: Record<string, string>): CommandRun {
  const run = runCommand(args, {
    directory,
    ...(input === undefined ? {} : { input }),
    ...(env === undefined ? {} : { env }),
  })
  runs.push(run)
  return run
}

const PAGE = '<!doctype html><title>T</title><main><h1>Héllo</h1><a href="/x">Go on</a></main>'

describe('domos som', () => {
  it('prints the document alone for a file, for standard input and for an address', async () => {
    writeFileSync(join(directory, 'page.html'), PAGE)
    const file = domos(['som', 'page.html', '--url', 'https://e.com/'])
    expect([await file.exit, file.stderr]).toEqual([0, ''])
    const som = JSON.parse(file.stdout) as Record<string, unknown>
    expect(som).toMatchObject({
      som_version: '0.1',
      url: 'https://e.com/',
      title: 'T',
      meta: { html_bytes: Buffer.byteLength(PAGE) },
    })
    expect(som).not.toHaveProperty('som_ext')
    const piped = domos(['som', '-', '--url', 'https://e.com/'], PAGE)
    expect([await piped.exit, piped.stdout]).toEqual([0, file.stdout])
    const web = domos(['som', `${site.origin}/second`, '--allow-host', '127.0.0.1'])
    expect(await web.exit).toBe(0)
    expect(JSON.parse(web.stdout)).toMatchObject({ url: `${site.origin}/second`, title: 'Second' })
  })

  it('prints {som, som_ext} with --ext, text with --outline, and keeps to --max-tokens', async () => {
    const html = `<!doctype html><title>T</title><main>${'<p>Some words that say something.</p>'.repeat(500)}</main>`
    const ext = domos(['som', '-', '--ext', '--max-tokens', '900'], html)
    expect(await ext.exit).toBe(0)
    expect(Object.keys(JSON.parse(ext.stdout) as object)).toEqual(['som', 'som_ext'])
    expect(ext.stdout.length).toBeLessThan(900 * 5)
    const outline = domos(['som', '-', '--outline', '--max-tokens', '200'], html)
    expect(await outline.exit).toBe(0)
    expect(outline.stdout).toMatch(/^T about:blank\n= main\nSome words/)
    expect(outline.stdout.length).toBeLessThan(200 * 5)
    expect(outline.stderr).toContain('--max-tokens')
  })

  it('reads the charset a file declares, and UTF-8 or windows-1252 where it declares none', async () => {
    const declared = Buffer.concat([
      Buffer.from('<meta charset="gb2312"><h1>'),
      Buffer.from([0xd0, 0xc2, 0xce, 0xc5]),
      Buffer.from('</h1>'),
    ])
    const bare = Buffer.concat([Buffer.from('<h1>Caf'), Buffer.from([0xe9]), Buffer.from('</h1>')])
    for (const [bytes, text] of [
      [declared, '新闻'],
      [bare, 'Café'],
      [Buffer.from('<h1>Café</h1>'), 'Café'],
    ] as const) {
      const run = domos(['som', '-'], bytes)
      await run.exit
      expect(run.stdout).toContain(`"text":"${text}"`)
    }
  })

  it('ends quietly when its reader has seen enough', async () => {
    const html = `<main>${Array.from({ length: 40_000 }, (_, index) => `<p>Sentence ${index} of many.</p>`).join('')}</main>`
    const run = domos(['som', '-', '--outline'], html)
    run.child.stdout?.once('data', () => run.child.stdout?.destroy())
    expect([await run.exit, run.stderr]).toEqual([0, ''])
    expect(run.stdout.length).toBeLessThan(html.length / 2)
  })

  it.each([
    [['som', 'no-such-file.html'], 'no-such-file.html'],
    [['som', 'x.html', '--wings'], '--wings'],
    [['som', '-', '--max-tokens', 'many'], 'whole number'],
    [['som'], 'source'],
    [['fetch', 'http://127.0.0.1:1/'], '--allow-host'],
    [['fetch', 'http://127.0.0.1:1/', '--allow-host', '127.0.0.1'], '127.0.0.1 could not be reached'],
    [['fetch', 'file:///etc/hostname'], 'http'],
    [['fetch', 'http://127.0.0.1:1/', '--engine', 'warp'], 'engine'],
    [['mcp', '--http', 'x'], 'port'],
    [['mcp', '--http', '0', '--host', '0.0.0.0'], 'DOMOS_API_KEYS'],
    [['browse', '--url', 'http://x'], 'ws://'],
  ])('exits with 2 and says on standard error alone what is wrong: %j', async (args, told) => {
    const run = domos(args)
    expect([await run.exit, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain(told)
  })
})

describe('domos fetch', () => {
  it('refuses private addresses unless they are allowed, also behind a redirect', async () => {
    const refused = domos(['fetch', site.origin])
    expect(await refused.exit).toBe(2)
    expect(refused.stderr).toContain('--allow-private-network')
    expect(site.asked).toEqual([])
    const redirected = domos(['fetch', `${site.origin}/away`, '--allow-host', '127.0.0.1'])
    expect([await redirected.exit, redirected.stdout]).toEqual([2, ''])
    expect(redirected.stderr).toContain('--allow-host')
    expect(site.asked).toEqual(['/away'])
  })

  it('prints what an address shows, also with an error status, which it tells', async () => {
    const gone = domos(['fetch', `${site.origin}/gone`, '--outline', '--allow-private-network'])
    expect(await gone.exit).toBe(0)
    expect(gone.stdout).toContain('# Not here')
    expect(gone.stderr).toContain('HTTP 404')
    const ext = domos(['fetch', `${site.origin}/`, '--ext', '--allow-private-network'], undefined, {})
    expect(await ext.exit).toBe(0)
    expect(JSON.parse(ext.stdout)).toMatchObject({ som: { title: 'Shop' }, som_ext: {} })
  })

  it('says on standard error that it is still loading, once it takes long', async () => {
    const run = domos(['fetch', `${site.origin}/slow`, '--outline', '--allow-private-network'])
    expect(await run.exit).toBe(0)
    expect(run.stdout).toContain('# At last')
    expect(run.stderr).toBe(`Loading ${site.origin}/slow …\n`)
  })

  it('says that a download is no page', async () => {
    const run = domos(['fetch', `${site.origin}/file.bin`, '--allow-private-network'])
    expect([await run.exit, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain('file.bin')
  })

  it.each(['som', 'fetch', 'browse', 'mcp'])('%s explains itself with examples', async (name) => {
    const run = domos([name, '--help'])
    expect(await run.exit).toBe(0)
    expect(run.stdout).toContain('Examples:')
    expect(run.stdout).toContain(`domos ${name}`)
  })
})

describe('domos browse', () => {
  const number = (text: string, name: string): string => new RegExp(`\\[(\\d+) [^\\]]*${name}`).exec(text)?.[1] ?? '?'

  async function browseSteps(args: readonly string[], env?: Record<string, string>): Promise<CommandRun> {
    // Numbers are read from a first run, as a person reads them from the screen.
    const first = domos(['browse', `${site.origin}/`, ...args], 'quit\n', env)
    expect(await first.exit).toBe(0)
    const at = (name: string): string => number(first.stdout, name)
    const steps = [
      '# a comment',
      '',
      'find items',
      `type ${at('input Name')} Ada Lovelace`,
      `check ${at('checkbox')}`,
      `select ${at('select')} Peru`,
      at('button Go'),
      'back',
      `click ${at('Next page')}`,
      'look',
    ]
    return domos(['browse', `${site.origin}/`, ...args], `${steps.join('\n')}\n`, env)
  }

  it('acts by the numbers it shows, piped: fills a form, sends it, goes back and on', async () => {
    const run = await browseSteps(['--allow-private-network'])
    expect([await run.exit, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain('Two items, 50 €.')
    expect(run.stdout).toContain('It holds now: "Ada Lovelace"')
    expect(site.asked).toContain('/sent?n=Ada+Lovelace&c=on&s=Peru')
    expect(run.stdout.trimEnd().split('\n').at(-1)).toContain('Home')
  })

  it('does the same at a server', async () => {
    const server = domos(['serve', '--port', '0', '--log-format', 'json', '--allow-private-network'], undefined, {
      DOMOS_API_KEYS: 'a-key-for-the-test',
    })
    const { urls } = JSON.parse(await server.line(/"event":"ready"/)) as { urls: Record<string, string> }
    const run = await browseSteps(['--url', urls['awp'] as string], { DOMOS_TOKEN: 'a-key-for-the-test' })
    expect([await run.exit, run.stderr]).toEqual([0, ''])
    expect(site.asked).toContain('/sent?n=Ada+Lovelace&c=on&s=Peru')
    const stranger = domos(['browse', '--url', urls['awp'] as string], 'quit\n')
    expect(await stranger.exit).toBe(2)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  it('reads long pages piece by piece', async () => {
    const run = domos(
      ['browse', `${site.origin}/long`, '--allow-private-network', '--max-tokens', '300'],
      'more\nmore\nfind paragraph 2999 \n',
    )
    expect(await run.exit).toBe(0)
    const numbers = [...run.stdout.matchAll(/Paragraph (\d+) says/g)].map(([, found]) => Number(found))
    expect(numbers.at(-1)).toBe(2_999)
    expect(numbers.slice(0, -1)).toEqual(numbers.slice(0, -1).map((_, index) => index))
    expect(numbers.length).toBeGreaterThan(20)
  })

  it('tells what it does not understand, goes on, and ends with 1 when nobody watched', async () => {
    const run = domos(['browse', '--allow-private-network'], 'look\nfly\nclick x\nclick\nhelp\n')
    expect(await run.exit).toBe(1)
    expect(run.stderr.trim().split('\n')).toHaveLength(4)
    expect(run.stdout).toContain('type N TEXT')
  })
})
