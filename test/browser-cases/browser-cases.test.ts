import { findBrowser, HOW_TO_GET_A_BROWSER } from '@domos/engine-chromium'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, openDoor } from '../browser/door.ts'
import { hasCases, openCaseSite } from './case-site.ts'
import { BROWSER_CASES, type BrowserCase } from './cases.ts'
import { recordingSocket } from './recording-socket.ts'

const hasBrowser = findBrowser() !== undefined
if (!hasBrowser) console.warn(`The cases that need page script are not run here. ${HOW_TO_GET_A_BROWSER}`)

async function runCase({ folder, run }: BrowserCase, engine: string): Promise<void> {
  const web = await openCaseSite(folder)
  onTestFinished(() => web.close())
  const recorder = recordingSocket()
  const client = await connect((await openDoor({ engine })).url, { encoding: 'json', webSocket: recorder.open })
  const session = await client.createSession()
  const page = await session.createPage()
  await run({ web, session, page, received: recorder.received })
}

describe.runIf(hasCases)('cases of the browser door', () => {
  for (const engine of ['static', 'chromium', 'auto']) {
    describe.runIf(engine === 'static' || hasBrowser)(`on the engine ${engine}`, () => {
      for (const each of BROWSER_CASES) {
        // Listed as skipped, never as passed: the static engine runs no page script.
        it.skipIf(engine === 'static' && each.needs === 'script')(`${each.folder}: ${each.part}`, () =>
          runCase(each, engine),
        )
      }
    })
  }

  it('has every case from 01 to 20', () => {
    const numbers = new Set(BROWSER_CASES.map(({ folder }) => folder.slice(0, 2)))
    expect([...numbers].sort()).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1).padStart(2, '0')))
  })
})
