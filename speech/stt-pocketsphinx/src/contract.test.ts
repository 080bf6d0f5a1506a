import {
  needDebianPackages,
  recognitionContract,
  type SpokenSentence,
  SYSTEM_VOICES,
  type SystemVoice,
  speakWithSystem,
} from '@domos/testing/speech'
import { beforeAll, describe, it } from 'vitest'
import { createPocketsphinx } from './index.ts'
import { EXAMPLE_HINTS } from './test/example-hints.ts'

const TEXTS = ['Turn on the kitchen lights.', 'Add two headphones to my cart.', 'What is the weather?']

// Each case loads models of its own and decodes several seconds of speech.
const timeout = 120_000

function suite(name: string, voice: SystemVoice, count: number): void {
  describe(`pocketsphinx keeps the contract of recognizers, voice ${name}`, () => {
    let missing: string | undefined
    let sentences: readonly SpokenSentence[] = []
    beforeAll(async () => {
      missing = await needDebianPackages('libpocketsphinx3', 'pocketsphinx-en-us', 'flite')
      if (missing) return
      sentences = await Promise.all(TEXTS.map(async (text) => ({ text, samples: await speakWithSystem(voice, text) })))
    }, 300_000)
    const cases = recognitionContract({
      // Long enough for every sentence; more would be spent on decoding silence.
      create: () => createPocketsphinx({ limits: { maxUtteranceMs: 6_000 } }),
      sentences: async () => sentences,
      hints: EXAMPLE_HINTS,
    })
    for (const { title, run } of cases.slice(0, count)) {
      it(title, { timeout }, async ({ skip }) => {
        if (missing) skip(missing)
        await run()
      })
    }
  })
}

suite('slt', SYSTEM_VOICES.slt, Number.POSITIVE_INFINITY)
// The rest of the contract does not depend on the voice.
suite('rms', SYSTEM_VOICES.rms, 2)
