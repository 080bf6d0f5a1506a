import type { PartialRecognition, RecognitionStream, SpeechToText } from '@domos/spec'
import { needDebianPackages, neverAborts, SYSTEM_VOICES, speakWithSystem } from '@domos/testing/speech'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPocketsphinx, type PocketsphinxOptions } from './index.ts'
import { EXAMPLE_HINTS } from './test/example-hints.ts'

const timeout = 120_000
const COMMAND = 'Turn on the kitchen lights.'
const CHATTER = 'Tell me a story about the harbour.'

describe('pocketsphinx', () => {
  let missing: string | undefined
  let command: Int16Array
  let chatter: Int16Array
  const open: SpeechToText[] = []
  const engine = (options: PocketsphinxOptions = {}): SpeechToText => {
    const made = createPocketsphinx(options)
    open.push(made)
    return made
  }
  const listen = (made: SpeechToText, onPartial?: (partial: PartialRecognition) => void): Promise<RecognitionStream> =>
    made.openStream({ hints: EXAMPLE_HINTS, ...(onPartial && { onPartial }) }, neverAborts)

  beforeAll(async () => {
    missing = await needDebianPackages('libpocketsphinx3', 'pocketsphinx-en-us', 'flite')
    if (missing) return
    command = await speakWithSystem(SYSTEM_VOICES.slt, COMMAND)
    chatter = await speakWithSystem(SYSTEM_VOICES.slt, CHATTER)
  }, 300_000)
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()))
  })

  it('takes a command from the grammar and chatter from general language', { timeout }, async ({ skip }) => {
    if (missing) skip(missing)
    const stream = await listen(engine())
    stream.write(command)
    expect(await stream.finish(neverAborts)).toMatchObject({ source: 'grammar' })
    stream.write(chatter)
    const result = await stream.finish(neverAborts)
    expect(result.source).toBe('language')
    expect(result.text).toContain('harbor')
  })

  it('says in a partial result that a command is complete', { timeout }, async ({ skip }) => {
    if (missing) skip(missing)
    const complete = Promise.withResolvers<PartialRecognition>()
    const stream = await listen(engine(), (partial) => {
      if (partial.complete && partial.text.endsWith('lights')) complete.resolve(partial)
    })
    stream.write(command)
    stream.write(new Int16Array(8_000))
    expect((await complete.promise).text).toMatch(/^turn on .*kitchen.* lights$/)
  })

  it('fails one utterance with a coded error when its worker is killed, and hears the next', { timeout }, async ({
    skip,
  }) => {
    if (missing) skip(missing)
    const workers: number[] = []
    const made = engine({ onWorkerStart: (pid) => workers.push(pid) })
    const stream = await listen(made)
    stream.write(command.subarray(0, 8_000))
    await expect.poll(() => workers.length).toBe(1)
    process.kill(workers[0] as number, 'SIGKILL')
    stream.write(command.subarray(8_000))
    await expect(stream.finish(neverAborts)).rejects.toMatchObject({ code: 'unavailable' })
    stream.write(command)
    expect((await stream.finish(neverAborts)).text).toContain('kitchen')
    expect(workers.length).toBe(2)
  })

  it('lets speakers wait for a worker, and refuses with code busy when none gets free in time', { timeout }, async ({
    skip,
  }) => {
    if (missing) skip(missing)
    const made = engine({ limits: { maxWorkers: 1, waitForWorkerMs: 200 } })
    const [first, second] = [await listen(made), await listen(made)]
    first.write(command)
    second.write(command)
    await expect(second.finish(neverAborts)).rejects.toMatchObject({ code: 'busy' })
    expect((await first.finish(neverAborts)).text).toContain('kitchen')
    second.write(command)
    expect((await second.finish(neverAborts)).text).toContain('kitchen')
  })

  it('names the package to install when there is no model', async () => {
    const made = engine({ modelDirectory: '/nowhere' })
    expect(await made.health(neverAborts)).toMatchObject({
      state: 'unavailable',
      missing: ['pocketsphinx-en-us (Debian package)'],
    })
    await expect(made.openStream({}, neverAborts)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('pocketsphinx-en-us'),
    })
  })

  it('refuses another language than English', async () => {
    await expect(engine().openStream({ language: 'de-DE' }, neverAborts)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
