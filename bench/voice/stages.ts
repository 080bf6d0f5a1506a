import { setTimeout as sleep } from 'node:timers/promises'
import type { RecognitionStream, SpeechToText, TextToSpeech, VoiceActivityDetector } from '@domos/spec'
import { joinSamples, neverAborts, silence } from '@domos/testing/speech'

// The stages of a spoken turn alone, without our pipeline, and a naive pipeline made of them.

/** -35 dB below full scale, as voice.md measures the end of speech. */
const QUIET = 32_768 * 10 ** (-35 / 20)

/** How long the detector goes on calling it speech after the last loud sample. */
export function detectorTailMs(detector: VoiceActivityDetector, speech: Int16Array): number {
  const stream = detector.openStream()
  const samples = joinSamples(silence(300), speech, silence(1_000))
  const end = samples.findLastIndex((sample) => Math.abs(sample) >= QUIET) + 1
  let last = 0
  for (let at = 0; at + detector.frameSamples <= samples.length; at += detector.frameSamples)
    if (stream.process(samples.subarray(at, at + detector.frameSamples)) >= 0.5) last = at + detector.frameSamples
  return Math.max(0, (last - end) / 16)
}

/** Waiting for the words of an utterance that was streamed as it was spoken, `hangoverMs` after its end. */
export async function finalMs(stream: RecognitionStream, speech: Int16Array, hangoverMs: number): Promise<number> {
  const samples = joinSamples(speech, silence(hangoverMs))
  const startedAt = performance.now()
  for (let at = 0; at < samples.length; at += 512) {
    const waitMs = startedAt + at / 16 - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    stream.write(samples.subarray(at, at + 512))
  }
  const start = performance.now()
  await stream.finish(neverAborts)
  return performance.now() - start
}

/** Waiting for the first sound of a text. */
export async function firstSoundMs(synthesis: TextToSpeech, text: string): Promise<number> {
  const start = performance.now()
  for await (const chunk of synthesis.synthesize({ text }, neverAborts))
    if (chunk.samples.length > 0) return performance.now() - start
  return Number.NaN
}

/** What somebody gets who puts the same engines one after the other: 500 ms of silence, batch recognition, the whole reply, its whole sound. */
export async function naiveMs(
  engines: {
    readonly detector: VoiceActivityDetector
    readonly recognition: SpeechToText
    readonly synthesis: TextToSpeech
  },
  hints: Parameters<SpeechToText['openStream']>[0]['hints'],
  speech: Int16Array,
  reply: string,
  tokensPerSecond: number,
): Promise<number> {
  const endpointMs = detectorTailMs(engines.detector, speech) + 500
  const stream = await engines.recognition.openStream(hints === undefined ? {} : { hints }, neverAborts)
  const start = performance.now()
  stream.write(joinSamples(speech, silence(500)))
  await stream.finish(neverAborts)
  stream.close()
  await sleep((Math.ceil(reply.length / 4) * 1_000) / tokensPerSecond)
  let samples = 0
  for await (const chunk of engines.synthesis.synthesize({ text: reply }, neverAborts)) samples += chunk.samples.length
  if (samples === 0) throw new Error('The naive pipeline said nothing.')
  return endpointMs + performance.now() - start
}

/** How many characters of a reply have sounded after so much of it: the sound of its beginnings, word by word. */
export async function charsPlayed(
  synthesis: TextToSpeech,
  sentences: readonly string[],
  playedMs: number,
): Promise<number> {
  let before = 0
  let chars = 0
  for (const sentence of sentences) {
    const wholeMs = await soundMs(synthesis, sentence)
    if (before + wholeMs <= playedMs) {
      before += wholeMs
      chars += sentence.length + 1
      continue
    }
    const words = sentence.split(' ')
    // A beginning that is spoken alone has a pause at its end which it does not have inside the sentence.
    const pauseMs = Math.max(0, (await soundMs(synthesis, `${words[0]}.`)) - (await soundMs(synthesis, words[0] ?? '')))
    let [fromMs, fromChars] = [0, 0]
    for (let count = 1; count <= words.length; count++) {
      const text = words.slice(0, count).join(' ')
      const toMs = count === words.length ? wholeMs : (await soundMs(synthesis, text)) - pauseMs
      if (before + toMs >= playedMs) {
        const share = (playedMs - before - fromMs) / Math.max(1, toMs - fromMs)
        return chars + fromChars + share * (text.length - fromChars)
      }
      fromMs = toMs
      fromChars = text.length
    }
    return chars + sentence.length
  }
  return chars
}

async function soundMs(synthesis: TextToSpeech, text: string): Promise<number> {
  let ms = 0
  for await (const { samples, sampleRateHz } of synthesis.synthesize({ text }, neverAborts))
    ms += (samples.length * 1_000) / sampleRateHz
  return ms
}
