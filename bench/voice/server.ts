import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type LanguageModel,
  type ModelRequest,
  silentLog,
  type Tool,
  type Voice,
  type VoiceActivityDetector,
} from '@domos/spec'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { createFlite } from '@domos/tts-flite'
import { createSileroVad } from '@domos/vad-silero'
import { createVoice } from '@domos/voice'
import { createDomos, loadSettings } from 'domos'
import { HINTS } from '../speech/sentences.ts'

// The process under measurement: a whole server with real engines. Only the model is a stub, because what it costs is not
// ours: it writes `reply`, at once or at a rate. Answers over IPC.

/** What the bench asks for; answered with {@link ServerFacts}. */
export interface ServerQuestion {
  /** What the model answers from now on. */
  readonly reply?: string
  /** How fast it writes, four characters a token; 0 = at once. */
  readonly tokensPerSecond?: number
  /** Forget the times of frames so far. */
  readonly reset?: true
}

/** What the process knows of itself. */
export interface ServerFacts {
  readonly port: number
  /** What was answered last, as the model was shown it with the newest question; empty when nothing was. */
  readonly lastAnswer: string
  readonly requests: number
  /** Milliseconds for each piece of sound since the last reset: detector, endpointing, hand-over to recognition. */
  readonly frameWallMs: readonly number[]
  readonly frameCpuMs: readonly number[]
  /** How late the event loop was, 99th percentile since the last reset. */
  readonly loopDelayMs: number
  /** The longest it was late since the last reset. */
  readonly loopStallMs: number
  /** Samples that came and frames that were judged, of all conversations since the last reset. */
  readonly samples: number
  readonly detectorFrames: number
  /** CPU of this process and its workers so far. */
  readonly cpuMs: number
}

const isEager = process.argv[2] === 'eager'
const directory = mkdtempSync(join(tmpdir(), 'domos-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

let reply = 'Done.'
let tokensPerSecond = 0
let requests = 0
let lastAnswer = ''
let frameWallMs: number[] = []
let frameCpuMs: number[] = []
let samplesPushed = 0
let detectorFrames = 0
const loopDelay = monitorEventLoopDelay({ resolution: 1 })

const languageModel: LanguageModel = {
  id: 'bench/stub',
  embedded: isEager,
  async *stream(request) {
    requests++
    lastAnswer = newestAnswer(request)
    const pieces = tokensPerSecond === 0 ? [reply] : (reply.match(/.{1,4}/gs) ?? [])
    for (const text of pieces) {
      if (tokensPerSecond > 0) await sleep(1_000 / tokensPerSecond)
      yield { type: 'text-delta', text }
    }
    yield { type: 'finish', reason: 'stop' }
  },
}

function newestAnswer({ messages }: ModelRequest): string {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  if (answer?.role !== 'assistant') return ''
  return answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

const silero = createSileroVad()
const detector: VoiceActivityDetector = {
  ...silero,
  openStream() {
    const stream = silero.openStream()
    return {
      process(frame) {
        detectorFrames++
        return stream.process(frame)
      },
      reset: () => stream.reset(),
    }
  },
}
const pipeline = createVoice({ detector, recognition: createPocketsphinx(), synthesis: createFlite(), isEager })
const voice: Voice = {
  get canHear() {
    return pipeline.canHear
  },
  get canSpeak() {
    return pipeline.canSpeak
  },
  health: () => pipeline.health(),
  close: () => pipeline.close(),
  open(session, sink, config) {
    const conversation = pipeline.open(session, sink, config)
    const push = conversation.pushAudio.bind(conversation)
    conversation.pushAudio = (samples, rate) => {
      const cpu = process.threadCpuUsage()
      const start = performance.now()
      push(samples, rate)
      frameWallMs.push(performance.now() - start)
      const { user, system } = process.threadCpuUsage(cpu)
      frameCpuMs.push((user + system) / 1_000)
      samplesPushed += samples.length
    }
    return conversation
  },
}
const tools: readonly Tool[] = (HINTS.tools ?? []).map((tool) => ({
  ...tool,
  risk: 'none',
  execute: async () => ({ type: 'success', value: { done: true } }),
}))

const settings = await loadSettings({ flags: { dataDir: directory }, env: {}, directory })
const limits = { audio: { maxClients: 64 } }
const domos = await createDomos({
  settings: { ...settings, limits },
  log: silentLog,
  console: false,
  languageModel,
  voice,
  tools: () => tools,
})
const { port } = await domos.server.listen({ port: 0 })
process.on('disconnect', () => void domos.close().finally(() => process.exit()))
process.on('message', (question: ServerQuestion) => {
  if (question.reply !== undefined) reply = question.reply
  if (question.tokensPerSecond !== undefined) tokensPerSecond = question.tokensPerSecond
  const facts: ServerFacts = {
    port,
    lastAnswer,
    requests,
    frameWallMs,
    frameCpuMs,
    loopDelayMs: loopDelay.percentile(99) / 1e6,
    loopStallMs: loopDelay.max / 1e6,
    samples: samplesPushed,
    detectorFrames,
    cpuMs: cpuOfFamily(),
  }
  process.send?.(facts)
  if (question.reset !== true) return
  frameWallMs = []
  frameCpuMs = []
  samplesPushed = 0
  detectorFrames = 0
  loopDelay.reset()
})
loopDelay.enable()
process.send?.('ready')

/** CPU of this process and the workers it started: fields 14 and 15 of their stat lines, a tick is 10 ms. */
function cpuOfFamily(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isOurs = Number(pid) === process.pid || Number(fields[1]) === process.pid
      if (isOurs) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * 10
}
