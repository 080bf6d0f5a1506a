import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openDoor } from '../browser/door.ts'
import { site } from '../browser/world.ts'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0
const stranger = fileURLToPath(new URL('awp_stranger.py', import.meta.url))

describe('a client in another language, written from the document alone', () => {
  it.skipIf(!hasPython)(
    `goes through both examples${hasPython ? '' : ' (needs python3)'}`,
    { timeout: 60_000 },
    async () => {
      const web = await site({
        '/': '<title>Find it</title><form action="/find"><label>Search <input type="search" name="q"></label><button>Go</button></form>',
        '/find': '<title>Results</title><ol><li><a href="/1">First hit</a></li></ol>',
        '/pay':
          '<title>Pay</title><form method="post" action="/paid" aria-label="Checkout"><label>Card number <input name="card" autocomplete="cc-number" required></label><button>Pay now</button></form>',
        '/paid': '<title>Thank you</title><h1>Paid</h1>',
      })
      const { port } = new URL((await openDoor()).url)
      const { stdout } = await run('python3', [stranger, '127.0.0.1', port, web.url])
      expect(JSON.parse(stdout)).toEqual({
        version: '0.1',
        title: 'Find it',
        navigation: true,
        patches: 2,
        titles: [{ text: 'First hit', href: `${web.url}/1` }],
        skills: 'UNSUPPORTED',
        paid: 'Thank you',
        closed: true,
        events: ['page.som_mutation', 'page.telemetry'],
      })
      expect(web.seen.at(-1)?.body).toBe('card=4242424242424242')
      expect(stdout).not.toContain('4242')
    },
  )
})
