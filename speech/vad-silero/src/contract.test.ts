import { readRawPcm, voiceActivityContract } from '@domos/testing/speech'
import { describe, it } from 'vitest'
import { createSileroVad } from './index.ts'

const recorded = readRawPcm(new URL('./test/speech.s16le', import.meta.url))
// The first sentence of the recording, without the silence before it.
const speech = recorded.subarray(6_400, 32_000)

describe('the Silero detector keeps the contract of voice activity detectors', () => {
  for (const { title, run } of voiceActivityContract({ create: createSileroVad, speech: async () => speech }))
    it(title, run)
})
