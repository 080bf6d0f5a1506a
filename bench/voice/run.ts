import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getPriority, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { needDebianPackages, neverAborts, speakWithSystem, wordErrors } from '@domos/testing/speech'
import { createFlite } from '@domos/tts-flite'
import { createSileroVad } from '@domos/vad-silero'
import { COMMANDS, HINTS } from '../speech/sentences.ts'
import { type Caller, openCaller, type Reply } from './caller.ts'
import type { ServerFacts, ServerQuestion } from './server.ts'
import { charsPlayed, detectorTailMs, finalMs, firstSoundMs, naiveMs } from './stages.ts'

// node --conditions=@domos/source bench/voice/run.ts [parts]
// A spoken turn through a whole server with real engines, against its stages alone and against a naive pipeline, in one run.
// Ratios hold on any machine; milliseconds only beside the load average. The figures of the last run are in last-run.txt.

const HANGOVER_MS = 250
const TOKENS_PER_SECOND = 30
const SENTENCES = [
  'The tickets for Silent River are booked for you on Friday evening.',
  'Your seats are in the fifth row on the left, close to the aisle.',
  'The film begins at half past eight, and the doors open at eight.',
  'Please show this booking at the desk when you come in, thank you.',
]
const FOUR_SENTENCES = SENTENCES.join(' ')
const SHORT = 'That is done.'
const CLIENT_BUFFER_MS = 60
const JITTER_MS = 80
/** The lead and the buffer bear so much, besides the jitter. */
const STALL_MS = 80

const missing = await needDebianPackages('flite', 'libpocketsphinx3', 'pocketsphinx-en-us')
if (missing) throw new Error(missing)
const parts = process.argv.slice(2)
const wanted = (part: string): boolean => parts.length === 0 || parts.includes(part)
const lines: string[] = []
const say = (line: string): void => {
  lines.push(line)
  console.log(line)
}
const load = (): string => `load average ${loadavg()[0]?.toFixed(1)}`

const utterances = await Promise.all(
  COMMANDS.slice(0, 12).map(async (text) => ({
    text,
    samples: await speakWithSystem({ program: 'flite', voice: 'slt' }, text),
  })),
)
say(`Node ${process.version}, ${load()} at the start, 2 cores`)
say(
  `Others work on this machine meanwhile (load averages; our priority ${getPriority()}): milliseconds are those of a busy machine.`,
)
const server = await startServer()
const detector = createSileroVad()
const recognition = createPocketsphinx({ limits: { maxWorkers: 1 } })
const synthesis = createFlite()

if (wanted('latency')) await measureLatency()
if (wanted('speedup')) await measureSpeedup()
if (wanted('pacing')) await measurePacing()
if (wanted('truncation')) await measureTruncation()
if (wanted('capacity')) await measureCapacity()
if (wanted('streams')) await measureStreams()
await Promise.all([recognition.close(), synthesis.close()])
server.child.disconnect()
say(`${load()} at the end`)
if (parts.length === 0)
  writeFileSync(fileURLToPath(new URL('./last-run.txt', import.meta.url)), `${lines.join('\n')}\n`)

interface Measured {
  readonly child: ChildProcess
  readonly port: number
  ask(question: ServerQuestion): Promise<ServerFacts>
}

async function startServer(...args: string[]): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), args, {
    execArgv: ['--conditions=@domos/source'],
  })
  const answer = <Value>(): Promise<Value> => new Promise((resolve) => child.once('message', resolve))
  await answer()
  const ask = (question: ServerQuestion): Promise<ServerFacts> => {
    const facts = answer<ServerFacts>()
    child.send(question)
    return facts
  }
  return { child, port: (await ask({})).port, ask }
}

/** All utterances, one after the other; the first time is not counted. */
async function askAll(caller: Caller): Promise<readonly Reply[]> {
  await ask(caller, utterances[0]?.samples)
  const replies: Reply[] = []
  for (const { samples } of utterances) replies.push(await ask(caller, samples))
  return replies
}

async function ask(caller: Caller, samples: Int16Array = new Int16Array()): Promise<Reply> {
  // An utterance that is not answered counts as the slowest one.
  const reply = await caller
    .ask(samples)
    .catch((): Reply => ({ heard: '', voiceToVoiceMs: Number.POSITIVE_INFINITY, frames: [] }))
  await sleep(700)
  return reply
}

async function measureLatency(): Promise<void> {
  await server.ask({ reply: SHORT, tokensPerSecond: 0 })
  const caller = await openCaller(server.port, { endpointMs: HANGOVER_MS, endpointCompleteMs: HANGOVER_MS })
  const stream = await recognition.openStream({ hints: HINTS }, neverAborts)
  await ask(caller, utterances[0]?.samples)
  await finalMs(stream, utterances[0]?.samples ?? new Int16Array(), HANGOVER_MS)
  await firstSoundMs(synthesis, SHORT)
  const replies: Reply[] = []
  const finals: number[] = []
  const sounds: number[] = []
  // In turn, so that both see the same machine.
  for (const { samples } of utterances) {
    replies.push(await ask(caller, samples))
    finals.push(await finalMs(stream, samples, HANGOVER_MS))
    sounds.push(await firstSoundMs(synthesis, SHORT))
  }
  caller.close()
  stream.close()
  const tails = utterances.map(({ samples }) => detectorTailMs(detector, samples))
  const total = replies.map(({ voiceToVoiceMs }) => voiceToVoiceMs)
  const alone = median(tails) + median(finals) + median(sounds)
  say(`\nvoice-to-voice at ${HANGOVER_MS} ms of silence, model at once, ${replies.length} utterances (${load()})`)
  say(
    `  median ${ms(median(total))}, fastest tenth ${ms(percentile(total, 0.1))}, p90 ${ms(percentile(total, 0.9))} (aim: at most 450); words wrong ${wrong(replies)}`,
  )
  say(
    `  stages alone: detector tail ${ms(median(tails))}, final words ${ms(median(finals))}, first sound ${ms(median(sounds))}`,
  )
  say(
    `  overhead = (total - silence) / stages alone = ${((median(total) - HANGOVER_MS) / alone).toFixed(2)} (aim: at most 1.3)`,
  )

  const eager = await startServer('eager')
  await eager.ask({ reply: SHORT, tokensPerSecond: 0 })
  const early = await openCaller(eager.port, { endpointCompleteMs: 140, endpointMs: 700 })
  const soon = await askAll(early)
  early.close()
  const soonMs = soon.map(({ voiceToVoiceMs }) => voiceToVoiceMs)
  say(`with early endpointing (140 ms after a complete command, else 700) and eager answers`)
  say(
    `  median ${ms(median(soonMs))}, fastest tenth ${ms(percentile(soonMs, 0.1))}, p90 ${ms(percentile(soonMs, 0.9))} (aim: at most 330); words wrong ${wrong(soon)}`,
  )
  const plain = await openCaller(eager.port)
  const usual = (await askAll(plain)).map(({ voiceToVoiceMs }) => voiceToVoiceMs)
  plain.close()
  say(
    `with the defaults (250 ms after a complete command, else 700): median ${ms(median(usual))}, p90 ${ms(percentile(usual, 0.9))}`,
  )
  eager.child.disconnect()
}

async function measureSpeedup(): Promise<void> {
  await server.ask({ reply: FOUR_SENTENCES, tokensPerSecond: TOKENS_PER_SECOND })
  const caller = await openCaller(server.port, { endpointMs: HANGOVER_MS, endpointCompleteMs: HANGOVER_MS })
  await ask(caller, utterances[0]?.samples)
  const engines = { detector, recognition, synthesis }
  await naiveMs(engines, HINTS, utterances[0]?.samples ?? new Int16Array(), FOUR_SENTENCES, TOKENS_PER_SECOND)
  const ours: number[] = []
  const naive: number[] = []
  for (const { samples } of utterances) {
    ours.push((await caller.askAndInterrupt(samples, 300)).voiceToVoiceMs)
    await sleep(700)
    naive.push(await naiveMs(engines, HINTS, samples, FOUR_SENTENCES, TOKENS_PER_SECOND))
  }
  caller.close()
  say(
    `\nagainst a naive pipeline, model at ${TOKENS_PER_SECOND} tokens a second, ${SENTENCES.length} sentences (${load()})`,
  )
  say(
    `  ours ${ms(median(ours))}, naive ${ms(median(naive))}: ${(median(naive) / median(ours)).toFixed(1)} times as fast (aim: at least 3)`,
  )
}

async function measurePacing(): Promise<void> {
  await server.ask({ reply: FOUR_SENTENCES, tokensPerSecond: 0 })
  const caller = await openCaller(server.port)
  const windows: number[] = []
  const whole: number[] = []
  const stalls: number[] = []
  let underruns = 0
  let stalledUnderruns = 0
  let count = 0
  for (const { samples } of utterances.slice(0, 6)) {
    await server.ask({ reset: true })
    const own = monitorEventLoopDelay({ resolution: 1 })
    own.enable()
    const { frames } = await ask(caller, samples)
    own.disable()
    const stallMs = Math.max(own.max / 1e6, (await server.ask({})).loopStallMs)
    stalls.push(stallMs)
    const paced = frames.slice(frames.findIndex(({ at }) => at - (frames[0]?.at ?? 0) > 100))
    for (const [index, { at }] of paced.entries()) {
      const end = paced.findIndex((frame) => frame.at >= at + 1_000)
      if (end < 0) break
      windows.push(sum(paced.slice(index, end)) / ((paced[end]?.at ?? 0) - at))
    }
    whole.push(sum(paced.slice(0, -1)) / ((paced.at(-1)?.at ?? 0) - (paced[0]?.at ?? 0)))
    for (let seed = 1; seed <= 20; seed++) {
      const count = runsDry(frames, seed)
      if (stallMs > STALL_MS) stalledUnderruns += count
      else underruns += count
    }
    count += frames.length
  }
  caller.close()
  const inside = windows.filter((ratio) => ratio >= 0.98 && ratio <= 1.02).length / windows.length
  say(`\npacing, ${whole.length} answers, ${count} frames, one lead of 200 ms (${load()})`)
  say(
    `  sound sent / time passed, windows of 1 s: median ${median(windows).toFixed(3)}, p1 ${percentile(windows, 0.01).toFixed(3)}, p99 ${percentile(windows, 0.99).toFixed(3)}; within 0.98 to 1.02: ${(inside * 100).toFixed(1)} %`,
  )
  say(`  the longest stall of either process in each answer: ${stalls.map((stall) => ms(stall)).join(', ')}`)
  say(`  whole answers: ${whole.map((ratio) => ratio.toFixed(4)).join(', ')}`)
  const calm = stalls.filter((stall) => stall <= STALL_MS).length
  say(
    `  underruns of a client with ${CLIENT_BUFFER_MS} ms of buffer behind ±${JITTER_MS} ms of jitter, 20 jitters an answer: ${underruns} in ${calm} answers without a stall of the machine over ${STALL_MS} ms (aim: 0), ${stalledUnderruns} in ${stalls.length - calm} with one`,
  )
}

/** Times a player behind a jittery network has nothing to play. */
function runsDry(frames: Reply['frames'], seed: number): number {
  let state = seed
  let arrived = 0
  let playedUntil: number | undefined
  let underruns = 0
  for (const { at, ms: length } of frames) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    arrived = Math.max(arrived, at + JITTER_MS + (state / 2 ** 31 - 1) * JITTER_MS)
    playedUntil ??= arrived + CLIENT_BUFFER_MS
    if (arrived > playedUntil) {
      underruns++
      playedUntil = arrived
    }
    playedUntil += length
  }
  return underruns
}

async function measureTruncation(): Promise<void> {
  await server.ask({ reply: FOUR_SENTENCES, tokensPerSecond: 0 })
  const caller = await openCaller(server.port)
  await ask(caller, utterances[0]?.samples)
  const errors: number[] = []
  for (const [index, { samples }] of utterances.slice(0, 8).entries()) {
    const { playedMs } = await caller.askAndInterrupt(samples, 2_500 + 1_250 * index)
    await server.ask({ reply: SHORT })
    await caller.type('thank you')
    const { lastAnswer } = await server.ask({ reply: FOUR_SENTENCES })
    const played = await charsPlayed(synthesis, SENTENCES, playedMs)
    errors.push(Math.abs(lastAnswer.length - played) / played)
    await sleep(700)
  }
  caller.close()
  say(`\nwhat the conversation holds of ${errors.length} interrupted answers, against what was played (${load()})`)
  say(
    `  |kept - played| / played, characters: median ${share(median(errors))}, largest ${share(Math.max(...errors))} (aim: at most 5 %); each ${errors.map(share).join(', ')}`,
  )
}

async function measureCapacity(): Promise<void> {
  await server.ask({ reply: SHORT, tokensPerSecond: 0 })
  say(`\nclients that speak all the time, 6 utterances each, ${HANGOVER_MS} ms of silence (${load()})`)
  let single = Number.NaN
  let most = 0
  for (const count of [1, 2, 3, 4]) {
    const callers = await Promise.all(
      Array.from({ length: count }, () =>
        openCaller(server.port, { endpointMs: HANGOVER_MS, endpointCompleteMs: HANGOVER_MS }),
      ),
    )
    await Promise.all(callers.map((caller) => ask(caller, utterances[0]?.samples)))
    const before = (await server.ask({})).cpuMs
    const start = performance.now()
    const replies = await Promise.all(
      callers.map(async (caller, offset) => {
        const own: Reply[] = []
        await sleep(offset * 700)
        for (let turn = 0; turn < 6; turn++)
          own.push(await ask(caller, utterances[(turn * 2 + offset) % utterances.length]?.samples))
        return own
      }),
    )
    const cpu = ((await server.ask({})).cpuMs - before) / (performance.now() - start)
    for (const caller of callers) caller.close()
    const total = replies.flat().map(({ voiceToVoiceMs }) => voiceToVoiceMs)
    const p95 = percentile(total, 0.95)
    if (count === 1) single = p95
    if (p95 <= 1.5 * single) most = count
    say(
      `  ${count}: median ${ms(median(total))}, p95 ${ms(p95)} (${(p95 / single).toFixed(2)} of one client), ${cpu.toFixed(2)} cores, ${(cpu / count).toFixed(2)} a client; ${load()}`,
    )
  }
  say(`  capacity = ${most} of 4 workers' clients within 1.5 times one client's p95, ${(most / 2).toFixed(1)} a core`)
}

async function measureStreams(): Promise<void> {
  await server.ask({ reply: SHORT, tokensPerSecond: 0 })
  const callers = await Promise.all(Array.from({ length: 50 }, () => openCaller(server.port)))
  for (const caller of callers.slice(0, 4)) await ask(caller, utterances[0]?.samples)
  const before = await server.ask({ reset: true })
  const start = performance.now()
  let answered = 0
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let turn = 0; turn < 4; turn++) {
        const caller = callers[(lane * 13 + turn) % callers.length]
        if (caller === undefined) continue
        const { voiceToVoiceMs } = await ask(caller, utterances[(lane * 3 + turn) % utterances.length]?.samples)
        if (Number.isFinite(voiceToVoiceMs)) answered++
      }
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  const facts = await server.ask({})
  const counts = await Promise.all(callers.map((caller) => caller.count()))
  const errors = callers.flatMap((caller) => caller.errors)
  for (const caller of callers) caller.close()
  const wall = [...facts.frameWallMs]
  const cpu = [...facts.frameCpuMs]
  const lost = counts.filter(({ sent, counted }) => sent !== counted).length
  // Less than one frame of 512 samples may wait in each of the streams, at both ends of the measurement.
  const unjudged = facts.samples / 512 - facts.detectorFrames
  say(`\n50 streams for ${seconds.toFixed(0)} s, at most 4 speaking, ${wall.length} frames of 20 ms (${load()})`)
  say(
    `  handling of a frame: wall p50 ${ms(percentile(wall, 0.5), 2)}, p99 ${ms(percentile(wall, 0.99), 2)} (aim: at most 10); CPU p50 ${ms(percentile(cpu, 0.5), 2)}, p99 ${ms(percentile(cpu, 0.99), 2)}; event loop late p99 ${ms(facts.loopDelayMs, 1)}`,
  )
  say(
    `  lost: ${lost} streams of 50 with bytes missing, ${Math.abs(unjudged) <= 50 ? 0 : unjudged.toFixed(0)} frames not judged; errors ${errors.length}; answered ${answered} of 16`,
  )
  say(`  CPU of the server and its workers: ${((facts.cpuMs - before.cpuMs) / seconds / 1_000).toFixed(2)} cores`)
}

function wrong(replies: readonly Reply[]): string {
  const counted = replies.map(({ heard }, index) =>
    wordErrors(utterances[index % utterances.length]?.text ?? '', heard),
  )
  const errors = counted.reduce((all, { errors }) => all + errors, 0)
  const words = counted.reduce((all, { words }) => all + words, 0)
  return `${((errors / words) * 100).toFixed(1)} %`
}

function sum(frames: Reply['frames']): number {
  return frames.reduce((all, { ms: length }) => all + length, 0)
}

function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function ms(value: number, digits = 0): string {
  return `${value.toFixed(digits)} ms`
}

function share(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}
