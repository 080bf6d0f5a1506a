import type { RecognitionStream, SpeechHints, SpeechToText } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createRecognitionChain } from './engines/recognition-chain.ts'
import { resolveVoiceLimits } from './limits.ts'
import { createRecognizer } from './recognizer.ts'
import { fakeRecognizer } from './test/fake-engines.ts'

/** An engine that takes its time to start, and the hints that count for it. */
function slowEngine() {
  const started = Promise.withResolvers<void>()
  const hints: (SpeechHints | undefined)[] = []
  const fake = fakeRecognizer('slow')
  const engine: SpeechToText = {
    ...fake,
    async openStream(options, signal): Promise<RecognitionStream> {
      hints.push(options.hints)
      await started.promise
      const stream = await fake.openStream(options, signal)
      return { ...stream, setHints: (next) => void hints.push(next) }
    },
  }
  return { engine, hints, start: started.resolve }
}

const clock = { now: () => 0, schedule: () => () => {} }
const settle = () => new Promise((resolve) => setImmediate(resolve))
const late: SpeechHints = { vocabulary: ['headphones'] }

describe('hints that come while the engine is still starting count from the first word on', () => {
  it('in a conversation', async () => {
    const { engine, hints, start } = slowEngine()
    const context = { engine, limits: resolveVoiceLimits(), clock, language: 'en', hints: {}, onPartial() {} }
    const recognizer = createRecognizer(context)
    recognizer.prepare()
    recognizer.setHints(late)
    start()
    await settle()
    expect(hints.at(-1)).toEqual(late)
    recognizer.close()
  })

  it('in a chain of engines', async () => {
    const { engine, hints, start } = slowEngine()
    const context = { engine, limits: resolveVoiceLimits(), clock, language: 'en', hints: {}, onPartial() {} }
    const recognizer = createRecognizer({ ...context, engine: createRecognitionChain([engine]) })
    recognizer.prepare()
    recognizer.setHints(late)
    start()
    await settle()
    expect(hints.at(-1)).toEqual(late)
    recognizer.close()
  })
})
