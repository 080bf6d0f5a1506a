import type { PartialRecognition, Recognition, RecognitionStream, SpeechHints, SpeechToText } from '@domos/spec'
import { type ContractCase, check, checkFailsWith, neverAborts } from './speech-contract-check.ts'
import { silence } from './speech-contract-signals.ts'
import { wordErrors } from './word-errors.ts'

/** A sentence and how it sounds, 16 kHz. */
export interface SpokenSentence {
  readonly text: string
  readonly samples: Int16Array
}

/** What the suite for recognition needs. */
export interface RecognitionSubject {
  create(): SpeechToText
  /** At least two sentences. */
  readonly sentences: () => Promise<readonly SpokenSentence[]>
  /** Hints that cover the sentences, for engines that use them. */
  readonly hints?: SpeechHints
  /** Highest word error rate over the sentences, with the hints. @default 0.2 */
  readonly maxWordErrorRate?: number
}

/** What every recognizer promises. */
export function recognitionContract(subject: RecognitionSubject): readonly ContractCase[] {
  const { abilities } = subject.create()
  const withEngine = async (work: (engine: SpeechToText) => Promise<void>): Promise<void> => {
    const engine = subject.create()
    try {
      await work(engine)
    } finally {
      await engine.close()
    }
  }
  const open = (engine: SpeechToText, onPartial?: (partial: PartialRecognition) => void): Promise<RecognitionStream> =>
    engine.openStream({ ...(subject.hints && { hints: subject.hints }), ...(onPartial && { onPartial }) }, neverAborts)
  const limit = subject.maxWordErrorRate ?? 0.2
  const checkText = (sentences: readonly SpokenSentence[], results: readonly Recognition[]): void => {
    const pairs = sentences.map(({ text }, index) => [text, results[index]?.text ?? ''] as const)
    const total = pairs.reduce((sum, [expected]) => sum + wordErrors(expected, '').words, 0)
    const errors = pairs.reduce((sum, [expected, heard]) => sum + wordErrors(expected, heard).errors, 0)
    const texts = pairs.map((pair) => pair.join(' → ')).join('; ')
    check(errors / total <= limit, `${errors} of ${total} words are wrong: ${texts}`)
  }

  const cases: (ContractCase | undefined)[] = [
    {
      title: 'recognizes sentence after sentence in one stream',
      run: () =>
        withEngine(async (engine) => {
          const sentences = await subject.sentences()
          const stream = await open(engine)
          const results: Recognition[] = []
          for (const { samples } of sentences) results.push(await recognize(stream, samples))
          checkText(sentences, results)
          for (const [index, { audioMs }] of results.entries()) {
            const ms = (sentences[index] as SpokenSentence).samples.length / 16
            check(Math.abs(audioMs - ms) <= 20, `${audioMs} ms were reported for ${ms} ms.`)
          }
        }),
    },
    abilities.wordTimes
      ? {
          title: 'gives each word a time within the audio, in order, and a confidence where it has one',
          run: () =>
            withEngine(async (engine) => {
              const stream = await open(engine)
              for (const { samples } of await subject.sentences()) {
                const { words, text, audioMs } = await recognize(stream, samples)
                check(words.length === text.split(' ').filter(Boolean).length, `${words.length} times for: ${text}`)
                let last = 0
                for (const { word, startMs, endMs, confidence } of words) {
                  check(
                    startMs >= last && endMs > startMs && endMs <= audioMs + 50,
                    `${word}: ${startMs} to ${endMs} ms`,
                  )
                  check(confidence === undefined || (confidence >= 0 && confidence <= 1), `${word}: ${confidence}`)
                  check(!abilities.confidence || confidence !== undefined, `${word} has no confidence.`)
                  last = startMs
                }
              }
            }),
        }
      : undefined,
    abilities.partials
      ? {
          title: 'gives partial results while speech goes on, and none after the end',
          run: () =>
            withEngine(async (engine) => {
              const [sentence] = await subject.sentences()
              check(sentence !== undefined, 'There is no sentence.')
              const partials: PartialRecognition[] = []
              const { promise, resolve } = Promise.withResolvers<void>()
              const stream = await open(engine, (partial) => {
                partials.push(partial)
                resolve()
              })
              // The last words are held back, so that what comes now can only be partial.
              const held = sentence.samples.length - 4_000
              stream.write(sentence.samples.subarray(0, held))
              await promise
              stream.write(sentence.samples.subarray(held))
              await stream.finish(neverAborts)
              const count = partials.length
              check(
                partials.every(({ text }) => text !== ''),
                'A partial result is empty.',
              )
              await recognize(stream, silence(100))
              check(partials.length === count, 'A partial result came after the end.')
            }),
        }
      : undefined,
    {
      title: 'gives an empty text when nothing was said',
      run: () =>
        withEngine(async (engine) => {
          const stream = await open(engine)
          check((await stream.finish(neverAborts)).text === '', 'There was text without sound.')
          const { text } = await recognize(stream, silence(1_000))
          check(text === '', `There was text in silence: ${text}`)
        }),
    },
    {
      title: 'drops a discarded utterance and recognizes the next one',
      run: () =>
        withEngine(async (engine) => {
          const [first, second] = await subject.sentences()
          check(first !== undefined && second !== undefined, 'There are too few sentences.')
          const stream = await open(engine)
          stream.write(first.samples)
          stream.discard()
          checkText([second], [await recognize(stream, second.samples)])
        }),
    },
    {
      title: 'keeps streams apart that speak at the same time',
      run: () =>
        withEngine(async (engine) => {
          const sentences = (await subject.sentences()).slice(0, 2)
          const streams = await Promise.all(sentences.map(() => open(engine)))
          const chunk = 1_600
          const longest = Math.max(...sentences.map(({ samples }) => samples.length))
          for (let at = 0; at < longest; at += chunk) {
            for (const [index, { samples }] of sentences.entries())
              streams[index]?.write(samples.subarray(at, at + chunk))
          }
          checkText(sentences, await Promise.all(streams.map((stream) => stream.finish(neverAborts))))
        }),
    },
    {
      title: 'takes writes of any length',
      run: () =>
        withEngine(async (engine) => {
          const [sentence] = await subject.sentences()
          check(sentence !== undefined, 'There is no sentence.')
          const stream = await open(engine)
          stream.write(new Int16Array())
          let at = 0
          for (let size = 1; at < sentence.samples.length; size = (size * 3) % 1_999) {
            stream.write(sentence.samples.subarray(at, at + size))
            at += size
          }
          checkText([sentence], [await stream.finish(neverAborts)])
        }),
    },
    {
      title: 'stops waiting with code cancelled when aborted, and recognizes afterwards',
      run: () =>
        withEngine(async (engine) => {
          const [first, second] = await subject.sentences()
          check(first !== undefined && second !== undefined, 'There are too few sentences.')
          const stream = await open(engine)
          stream.write(first.samples)
          const abort = new AbortController()
          const result = stream.finish(abort.signal)
          abort.abort()
          await checkFailsWith('cancelled', () => result)
          checkText([second], [await recognize(stream, second.samples)])
        }),
    },
    {
      title: 'refuses to finish a closed stream with code cancelled; closing twice is harmless',
      run: () =>
        withEngine(async (engine) => {
          const abort = new AbortController()
          const stream = await engine.openStream({}, abort.signal)
          stream.close()
          stream.close()
          stream.write(silence(20))
          await checkFailsWith('cancelled', () => stream.finish(neverAborts))
          const other = await engine.openStream({}, abort.signal)
          other.write(silence(20))
          abort.abort()
          await checkFailsWith('cancelled', () => other.finish(neverAborts))
        }),
    },
    {
      title: 'refuses an utterance beyond its bound with code too_large, and recognizes the next one',
      run: () =>
        withEngine(async (engine) => {
          const [sentence] = await subject.sentences()
          check(sentence !== undefined, 'There is no sentence.')
          const stream = await open(engine)
          for (let second = 0; second < 65; second++) stream.write(silence(1_000))
          await checkFailsWith('too_large', () => stream.finish(neverAborts))
          checkText([sentence], [await recognize(stream, sentence.samples)])
        }),
    },
    {
      title: 'says that it is ready, may be closed twice, and then refuses with code unavailable',
      run: () =>
        withEngine(async (engine) => {
          const health = await engine.health(neverAborts)
          check(health.state === 'ready', `It says: ${health.detail}`)
          await engine.close()
          await engine.close()
          await checkFailsWith('unavailable', () => engine.openStream({}, neverAborts))
        }),
    },
  ]
  return cases.filter((entry) => entry !== undefined)
}

function recognize(stream: RecognitionStream, samples: Int16Array): Promise<Recognition> {
  stream.write(samples)
  return stream.finish(neverAborts)
}
