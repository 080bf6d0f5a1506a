// Cost and quality of the embedded speech engines. Controls: the same arithmetic as a plain loop (voice activity), flite's
// own command (speech), the same recognizer without hints (recognition). Needs Debian's flite, espeak-ng, libpocketsphinx3,
// pocketsphinx-en-us and pocketsphinx-testdata.
// Run: node --conditions=@domos/source bench/speech/run.ts
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { RecognitionStream } from '@domos/spec'
import {
  joinSamples,
  needDebianPackages,
  neverAborts,
  readPcm,
  resample,
  SYSTEM_VOICES,
  type SystemVoice,
  silence,
  soundsWithoutSpeech,
  speakWithSystem,
  wordErrors,
} from '@domos/testing/speech'
import { createPocketsphinx } from '../../speech/stt-pocketsphinx/src/index.ts'
import { createNativeSynthesizer } from '../../speech/tts-flite/src/native-synthesizer.ts'
import { createWasiSynthesizer } from '../../speech/tts-flite/src/wasi-synthesizer.ts'
import { createSileroVad } from '../../speech/vad-silero/src/index.ts'
import { humanPrompts, PROMPT_HINTS } from './human-prompts.ts'
import { detectionErrors } from './noise.ts'
import { CHATTER, COMMANDS, HINTS } from './sentences.ts'

const VOICES: Readonly<Record<string, SystemVoice>> = {
  ...SYSTEM_VOICES,
  awb: { program: 'flite', voice: 'awb' },
}
const missing = await needDebianPackages(
  'flite',
  'espeak-ng',
  'libpocketsphinx3',
  'pocketsphinx-en-us',
  'pocketsphinx-testdata',
)
if (missing) throw new Error(missing)
console.log(`load average ${loadavg()[0]?.toFixed(1)} on ${process.version}`)

const parts = process.argv.slice(2)
const wanted = (part: string): boolean => parts.length === 0 || parts.includes(part)
if (wanted('activity')) await measureVoiceActivity()
if (wanted('noise')) await measureNoise()
if (wanted('speech')) await measureSpeech()
if (wanted('recognition')) await measureRecognition()
if (wanted('prompts')) await measurePrompts()

async function measureVoiceActivity(): Promise<void> {
  const sentences = await Promise.all(CHATTER.map((text) => speakWithSystem(SYSTEM_VOICES.slt, text)))
  const speech = joinSamples(...sentences.flatMap((samples) => [samples, silence(1_500)]))
  const detector = createSileroVad()
  const streams = Array.from({ length: 50 }, () => detector.openStream())
  const times: number[] = []
  for (const stream of streams.slice(0, 3))
    for (let at = 0; at + 512 <= speech.length; at += 512) stream.process(speech.subarray(at, at + 512))
  const before = process.cpuUsage()
  let frames = 0
  for (let at = 0; at + 512 <= Math.min(speech.length, 160_000); at += 512) {
    for (const stream of streams) {
      const start = performance.now()
      stream.process(speech.subarray(at, at + 512))
      times.push(performance.now() - start)
      frames++
    }
  }
  const ours = cpuMs(before) / frames
  const weights = new Float32Array(617_000).fill(0.01)
  const control = process.cpuUsage()
  let sum = 0
  for (let round = 0; round < 100; round++) for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * 0.5
  const loop = cpuMs(control) / 100
  console.log(
    `\nvoice activity, 50 streams in turn, ${frames} frames of 32 ms (${sum > 0 ? '' : '-'}control: 617,000 multiply-adds)`,
  )
  console.log(
    `  CPU per frame ${ours.toFixed(3)} ms, control loop ${loop.toFixed(3)} ms, ratio ${(ours / loop).toFixed(2)}`,
  )
  console.log(
    `  wall p50 ${percentile(times, 0.5).toFixed(3)} ms, p99 ${percentile(times, 0.99).toFixed(3)} ms; one stream takes ${((ours / 32) * 100).toFixed(2)} % of a core`,
  )
  for (const [name, samples] of soundsWithoutSpeech(10))
    console.log(`  called speech in 10 s of ${name}: ${share(samples)} %`)
  for (const [name, voice] of Object.entries(VOICES)) {
    const spoken = await speakWithSystem(voice, CHATTER.join(' '))
    console.log(
      `  called speech in ${(spoken.length / 16_000).toFixed(0)} s of voice ${name}, pauses included: ${share(spoken)} %`,
    )
  }

  function share(samples: Int16Array): string {
    const stream = detector.openStream()
    let count = 0
    for (let at = 0; at + 512 <= samples.length; at += 512)
      if (stream.process(samples.subarray(at, at + 512)) >= 0.5) count++
    return ((count / Math.floor(samples.length / 512)) * 100).toFixed(1)
  }
}

async function measureNoise(): Promise<void> {
  const detector = createSileroVad()
  console.log('\nvoice activity in noise: frames of speech missed / frames without speech called speech')
  const spoken = await Promise.all(CHATTER.map((text) => speakWithSystem(SYSTEM_VOICES.slt, text)))
  const voices = {
    'voice slt': joinSamples(...spoken.flatMap((samples) => [silence(1_500), samples])),
    'a person': joinSamples(...humanPrompts().flatMap(({ samples }) => [silence(1_500), samples])),
  }
  for (const [voice, clean] of Object.entries(voices)) {
    if (clean.length === 0) continue
    for (const [name, noise] of soundsWithoutSpeech(10)) {
      const ratios = name === 'silence' ? [60] : [20, 10, 5]
      const cells = ratios.map((ratioDb) => {
        const { missed, falseAlarms } = detectionErrors(detector, clean, noise, ratioDb)
        return `${name === 'silence' ? '' : `${ratioDb} dB `}${(missed * 100).toFixed(1)} % / ${(falseAlarms * 100).toFixed(1)} %`
      })
      console.log(`  ${voice}, ${name}: ${cells.join(', ')}`)
    }
  }
}

async function measurePrompts(): Promise<void> {
  const prompts = humanPrompts()
  if (prompts.length === 0) {
    console.log('human prompts: not here (asterisk-core-sounds-en-g722, ffmpeg)')
    return
  }
  const engine = createPocketsphinx({ limits: { maxWorkers: 1 } })
  for (const [name, hints] of [
    ['with a tool that expects such words', PROMPT_HINTS],
    ['without hints', {}],
  ] as const) {
    const stream = await engine.openStream({ hints }, neverAborts)
    const counts = { dates: { errors: 0, words: 0, heard: 0 }, spelled: { errors: 0, words: 0, heard: 0 } }
    for (const { text, samples } of prompts) {
      stream.write(samples)
      const { text: heard } = await stream.finish(neverAborts)
      const { errors, words } = wordErrors(text, heard)
      const count = /day /.test(text) ? counts.dates : counts.spelled
      count.errors += errors
      count.words += words
      count.heard += wordsHeard(text, heard)
    }
    stream.close()
    const rates = Object.entries(counts).map(
      ([kind, { errors, words, heard }]) =>
        `${kind} ${((errors / words) * 100).toFixed(1)} % (of the words said, ${((heard / words) * 100).toFixed(0)} % are among those heard)`,
    )
    console.log(`human prompts (${prompts.length} utterances), word error rate ${name}: ${rates.join(', ')}`)
  }
  await engine.close()
}

function wordsHeard(text: string, heard: string): number {
  const words = heard.toLowerCase().split(/\s+/)
  return text.split(' ').filter((word) => words.includes(word)).length
}

async function measureSpeech(): Promise<void> {
  const texts = {
    short: 'The lights are on.',
    medium: 'Two headphones are in your cart now, and the total is sixty dollars. Anything else?',
  }
  console.log('\nspeech, CPU ms per text (real-time factor), median of 9')
  for (const synthesizer of [createNativeSynthesizer(), await createWasiSynthesizer()]) {
    for (const voice of ['rms', 'slt', 'kal16']) {
      const cells = Object.entries(texts).map(([name, text]) => {
        let audioMs = 0
        const costs = Array.from({ length: 9 }, () => {
          const before = process.cpuUsage()
          const { samples, sampleRateHz } = synthesizer.speak({ text, voice, speed: 1 })
          audioMs = (samples.length * 1_000) / sampleRateHz
          return cpuMs(before)
        })
        const cost = percentile(costs, 0.5)
        return `${name} ${cost.toFixed(1)} (${(cost / audioMs).toFixed(4)})`
      })
      console.log(`  flite ${synthesizer.backend} ${voice}: ${cells.join(', ')}`)
    }
  }
  const control = Array.from({ length: 5 }, () => {
    const start = performance.now()
    execFileSync('flite', ['-voice', 'rms', '-t', texts.short, '-o', 'none'])
    return performance.now() - start
  })
  console.log(`  control, flite's command started for the short text, wall: ${percentile(control, 0.5).toFixed(1)} ms`)
}

interface Case {
  readonly text: string
  readonly samples: Int16Array
}

async function measureRecognition(): Promise<void> {
  let pid = 0
  const engine = createPocketsphinx({ limits: { maxWorkers: 1 }, onWorkerStart: (started) => (pid = started) })
  console.log(
    '\nrecognition, sentences nobody tuned on: word error rate, finalise wall ms p50/p95, real-time factor by CPU',
  )
  for (const [name, voice] of Object.entries(VOICES)) {
    const commands = await speakAll(voice, COMMANDS)
    const chatter = await speakAll(voice, CHATTER)
    const hinted = await engine.openStream({ hints: HINTS }, neverAborts)
    const plain = await engine.openStream({}, neverAborts)
    const withHints = await hear(hinted, commands)
    const without = await hear(plain, commands)
    const free = await hear(hinted, chatter)
    console.log(
      `  ${name}: commands ${withHints.errorRate} (control without hints ${without.errorRate}), taken as a command ${withHints.grammar} of ${commands.length}; ` +
        `chatter ${free.errorRate}, taken as a command ${free.grammar} of ${chatter.length}; finalise ${withHints.finalise}; RTF ${withHints.factor}`,
    )
    hinted.close()
    plain.close()
  }
  const human = readHuman()
  const stream = await engine.openStream({ hints: HINTS }, neverAborts)
  const heard = await hear(stream, human)
  console.log(
    `  human readers (${human.length} utterances of pocketsphinx-testdata): ${heard.errorRate}, taken as a command ${heard.grammar}; finalise ${heard.finalise}; RTF ${heard.factor}`,
  )
  await engine.close()

  async function hear(stream: RecognitionStream, cases: readonly Case[]) {
    let [errors, words, grammar, audioMs] = [0, 0, 0, 0]
    const finalise: number[] = []
    const before = workerCpuMs()
    for (const { text, samples } of cases) {
      for (let at = 0; at < samples.length; at += 320) {
        stream.write(samples.subarray(at, at + 320))
        // A speaker takes time; without it the end would wait for the decoding of everything.
        if (at % 3_200 === 0) await new Promise((resolve) => setTimeout(resolve, 60))
      }
      await new Promise((resolve) => setTimeout(resolve, 400))
      const start = performance.now()
      const result = await stream.finish(neverAborts)
      finalise.push(performance.now() - start)
      const counted = wordErrors(text, result.text)
      errors += counted.errors
      words += counted.words
      audioMs += result.audioMs
      if (result.source === 'grammar') grammar++
    }
    return {
      errorRate: `${((errors / words) * 100).toFixed(1)} %`,
      grammar,
      finalise: `${percentile(finalise, 0.5).toFixed(0)}/${percentile(finalise, 0.95).toFixed(0)}`,
      factor: ((workerCpuMs() - before) / audioMs).toFixed(3),
    }
  }

  /** User and system time of the worker, from the fields 14 and 15 of its stat line; a tick is 10 ms. */
  function workerCpuMs(): number {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
}

async function speakAll(voice: SystemVoice, texts: readonly string[]): Promise<readonly Case[]> {
  return Promise.all(texts.map(async (text) => ({ text, samples: await speakWithSystem(voice, text) })))
}

/** People reading a novel, 16 kHz, with transcripts. */
function readHuman(): readonly Case[] {
  const directory = '/usr/share/pocketsphinx/test/data/librivox'
  if (!existsSync(directory)) return []
  const lines = readFileSync(`${directory}/transcription`, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [, text = '', id = ''] = /^<s> (.*) <\/s> \((.*)\)$/.exec(line) ?? []
    const { samples, sampleRateHz } = readPcm(readFileSync(`${directory}/${id}.wav`))
    return { text, samples: resample(samples, sampleRateHz, 16_000) }
  })
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
