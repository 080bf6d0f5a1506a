import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, openDoor } from '../browser/door.ts'
import { hasCases, openCaseSite } from './case-site.ts'
import { BROWSER_CASES } from './cases.ts'
import { recordingSocket } from './recording-socket.ts'

describe.runIf(hasCases)('cases of the browser door, on the engine without page script', () => {
  for (const { folder, part, needs, run } of BROWSER_CASES) {
    const title = run === undefined ? `${folder}: ${part} (needs ${needs})` : `${folder}: ${part}`
    // Listed as skipped, never as passed: this engine runs no page script.
    it.skipIf(run === undefined)(title, async () => {
      const web = await openCaseSite(folder)
      onTestFinished(() => web.close())
      const recorder = recordingSocket()
      const client = await connect((await openDoor()).url, { encoding: 'json', webSocket: recorder.open })
      const session = await client.createSession()
      const page = await session.createPage()
      await run?.({ web, session, page, received: recorder.received })
    })
  }

  it('has every case from 01 to 20', () => {
    const numbers = new Set(BROWSER_CASES.map(({ folder }) => folder.slice(0, 2)))
    expect([...numbers].sort()).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1).padStart(2, '0')))
  })
})
