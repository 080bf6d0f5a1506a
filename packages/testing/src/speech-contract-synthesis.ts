import type { SpeechChunk, SynthesisRequest, TextToSpeech } from '@domos/spec'
import { type ContractCase, check, checkFailsWith, neverAborts } from './speech-contract-check.ts'

/** What the suite for speech synthesis needs. */
export interface SynthesisSubject {
  create(): TextToSpeech
  /** False when one request comes back as one piece. @default true */
  readonly streams?: boolean
  /** False when the same text may sound different each time. @default true */
  readonly repeatable?: boolean
  /** False when voices are known to the far end alone, which then decides. @default true */
  readonly knowsVoices?: boolean
  /** False when the engine has one rate of speaking. @default true */
  readonly hasSpeed?: boolean
}

const SHORT = 'The lights are on.'
const LONG = 'The first sentence is short. The second one follows it. And here is a third.'

/** What every speech synthesis engine promises. */
export function synthesisContract(subject: SynthesisSubject): readonly ContractCase[] {
  const withEngine = async (work: (engine: TextToSpeech) => Promise<void>): Promise<void> => {
    const engine = subject.create()
    try {
      await work(engine)
    } finally {
      await engine.close()
    }
  }
  const cases: (ContractCase | undefined)[] = [
    {
      title: 'speaks a sentence: samples of a plausible length that are not silent',
      run: () =>
        withEngine(async (engine) => {
          const spoken = await speak(engine, { text: SHORT })
          const ms = lengthMs(spoken)
          check(ms > 500 && ms < 5_000, `Four words took ${ms} ms.`)
          const peak = spoken.reduce(
            (top, { samples }) => samples.reduce((high, s) => Math.max(high, Math.abs(s)), top),
            0,
          )
          check(peak > 1_000, `The loudest sample is ${peak}.`)
          check(
            new Set(spoken.map(({ sampleRateHz }) => sampleRateHz)).size === 1,
            'The sample rate changes on the way.',
          )
        }),
    },
    subject.streams === false
      ? undefined
      : {
          title: 'gives a long text in pieces, in order, each with its place in the text where it knows it',
          run: () =>
            withEngine(async (engine) => {
              const spoken = await speak(engine, { text: LONG })
              check(spoken.length >= 2, `Three sentences came in ${spoken.length} piece.`)
              const places = spoken.flatMap(({ textStart, textEnd }) =>
                textStart === undefined || textEnd === undefined ? [] : [[textStart, textEnd] as const],
              )
              for (const [index, [start, end]] of places.entries()) {
                check(start < end && end <= LONG.length, `The place ${start} to ${end} is none.`)
                check(start >= (places[index - 1]?.[1] ?? 0), 'The places go back.')
              }
            }),
        },
    {
      title: 'gives nothing for a text with nothing to say',
      run: () =>
        withEngine(async (engine) => {
          for (const text of ['', '   \n', '…', '🙂']) {
            check((await speak(engine, { text })).length === 0, `There was sound for ${JSON.stringify(text)}.`)
          }
        }),
    },
    {
      title: 'speaks text with accents, signs, quotes and digits',
      run: () =>
        withEngine(async (engine) => {
          const spoken = await speak(engine, {
            text: '“Café” costs €3.50 — that’s 20 % off; -t is no option & <b> no tag.',
          })
          check(lengthMs(spoken) > 1_500, `It lasted ${lengthMs(spoken)} ms.`)
        }),
    },
    subject.knowsVoices === false
      ? undefined
      : {
          title: 'has voices, the first is the default, and refuses an unknown one with code invalid_request',
          run: () =>
            withEngine(async (engine) => {
              const voices = await engine.voices(neverAborts)
              check(voices.length > 0, 'There is no voice.')
              for (const { id } of voices)
                check((await speak(engine, { text: 'Yes.', voice: id })).length > 0, `${id} is mute.`)
              await checkFailsWith('invalid_request', () => speak(engine, { text: SHORT, voice: 'no such voice' }))
            }),
        },
    subject.hasSpeed === false
      ? undefined
      : {
          title: 'speaks faster and slower, and refuses a speed outside 0.5 to 2',
          run: () =>
            withEngine(async (engine) => {
              const slow = lengthMs(await speak(engine, { text: SHORT, speed: 0.5 }))
              const fast = lengthMs(await speak(engine, { text: SHORT, speed: 2 }))
              check(fast < slow * 0.6, `At speed 2 it lasts ${fast} ms, at 0.5 ${slow} ms.`)
              await checkFailsWith('invalid_request', () => speak(engine, { text: SHORT, speed: 3 }))
            }),
        },
    {
      title: 'stops with code cancelled when aborted, and speaks again afterwards',
      run: () =>
        withEngine(async (engine) => {
          const abort = new AbortController()
          await checkFailsWith('cancelled', async () => {
            for await (const _ of engine.synthesize({ text: LONG.repeat(5) }, abort.signal)) abort.abort()
          })
          await checkFailsWith('cancelled', () => speak(engine, { text: SHORT }, AbortSignal.abort()))
          check((await speak(engine, { text: SHORT })).length > 0, 'It is mute after an abort.')
        }),
    },
    {
      title: 'lets the caller leave in the middle, and speaks again afterwards',
      run: () =>
        withEngine(async (engine) => {
          for await (const _ of engine.synthesize({ text: LONG }, neverAborts)) break
          check((await speak(engine, { text: SHORT })).length > 0, 'It is mute after the caller left.')
        }),
    },
    subject.repeatable === false
      ? undefined
      : {
          title: 'keeps two requests at the same time apart',
          run: () =>
            withEngine(async (engine) => {
              const alone = await Promise.all([
                await speak(engine, { text: SHORT }),
                await speak(engine, { text: LONG }),
              ])
              const together = await Promise.all([speak(engine, { text: SHORT }), speak(engine, { text: LONG })])
              check(lengthMs(alone[0]) === lengthMs(together[0]), 'The first differs.')
              check(lengthMs(alone[1]) === lengthMs(together[1]), 'The second differs.')
            }),
        },
    {
      title: 'refuses a text beyond its bound with code too_large',
      run: () =>
        withEngine((engine) => checkFailsWith('too_large', () => speak(engine, { text: 'word '.repeat(50_000) }))),
    },
    {
      title: 'says that it is ready, may be closed twice, and then refuses with code unavailable',
      run: () =>
        withEngine(async (engine) => {
          const health = await engine.health(neverAborts)
          check(health.state === 'ready', `It says: ${health.detail}`)
          await engine.close()
          await engine.close()
          await checkFailsWith('unavailable', () => speak(engine, { text: SHORT }))
        }),
    },
  ]
  return cases.filter((entry) => entry !== undefined)
}

async function speak(
  engine: TextToSpeech,
  request: SynthesisRequest,
  signal = neverAborts,
): Promise<readonly SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of engine.synthesize(request, signal)) chunks.push(chunk)
  return chunks
}

function lengthMs(chunks: readonly SpeechChunk[]): number {
  return chunks.reduce((ms, { samples, sampleRateHz }) => ms + (samples.length / sampleRateHz) * 1_000, 0)
}
