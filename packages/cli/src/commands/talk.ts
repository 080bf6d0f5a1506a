import { type ChildProcess, spawn } from 'node:child_process'
import { createVoiceClient, type VoiceClient } from '@domos/audio/client'
import { DomosError } from '@domos/spec'
import type { MainIo } from '../main.ts'
import { createCaptions } from '../talk/captions.ts'
import { findSoundProgram, PLAYERS, RECORDERS, type SoundProgram } from '../talk/sound-programs.ts'
import { readWavFile, writeWavFile } from '../talk/wav-file.ts'

/** What `domos talk` is told. */
export interface TalkOptions {
  readonly url: string
  /** A WAV file to speak instead of the microphone. */
  readonly input: string | undefined
  /** A WAV file that gets the answers instead of the loudspeaker. */
  readonly output: string | undefined
  readonly deviceId: string
  readonly joinToken: string | undefined
  /** How long an answer is waited for after the end of the file, in milliseconds. */
  readonly answerTimeoutMs: number
}

const FRAME_SAMPLES = 320
const FRAME_MS = 20
/** Quiet time after which a conversation by file is over. */
const QUIET_MS = 2_500

/**
 * A conversation by voice in a terminal: the microphone of the system or a WAV file in, the loudspeaker or a WAV file out, captions
 * on standard output. Settles when the file was answered, the connection is refused, or `stop` aborts.
 * @throws DomosError `unavailable` (no recorder, no server), `not_found`, `unsupported`
 */
export async function talk(options: TalkOptions, io: MainIo, stop: AbortSignal): Promise<number> {
  const samples = options.input === undefined ? undefined : await readWavFile(options.input)
  const recorder = samples === undefined ? findRecorder(io) : undefined
  const terminal = process.stdout
  const captions = createCaptions({
    out: io.out,
    ...(terminal.isTTY && io.env['TERM'] !== 'dumb'
      ? { rewrite: (text: string) => void terminal.write(text), columns: terminal.columns }
      : {}),
  })
  const client = createVoiceClient({
    url: options.url,
    deviceId: options.deviceId,
    ...(io.env['DOMOS_TOKEN'] === undefined ? {} : { token: io.env['DOMOS_TOKEN'] }),
    ...(options.joinToken === undefined ? {} : { joinToken: options.joinToken }),
  })
  const answers: Int16Array[] = []
  const children: ChildProcess[] = []
  const ended = Promise.withResolvers<void>()
  const progress = watchProgress(client)
  let understood = 0
  let failure: DomosError | undefined
  const fail = (error: DomosError): void => {
    failure ??= error
    ended.resolve()
  }

  client.on('transcript', (transcript) => {
    if (transcript.role === 'user' && transcript.isFinal) understood += 1
    captions.show(transcript)
  })
  client.on('error', ({ message }) => io.err(`domos: ${message}`))
  client.on('link', ({ state, retryInMs, code, reason }) => {
    if (state === 'closed' && !stop.aborted && code !== undefined) {
      fail(new DomosError('forbidden', `${options.url} refused the connection (${code}${reason ? ` ${reason}` : ''}).`))
    } else if (state === 'waiting' && samples !== undefined) {
      fail(new DomosError('unavailable', `There is no voice door at ${options.url}; start one with domos serve.`))
    } else if (state === 'waiting') io.err(`Not connected; trying again in ${(retryInMs ?? 0) / 1_000} s.`)
  })
  connectOutput(client, options, io, children, answers)
  stop.addEventListener('abort', () => ended.resolve(), { once: true })

  client.connect()
  let stopSending = (): void => {}
  client.on('session', () => {
    stopSending()
    if (samples !== undefined) {
      stopSending = sendInRealTime(client, samples, () => {
        void progress.quiet(QUIET_MS, options.answerTimeoutMs).then(() => ended.resolve())
      })
    } else if (recorder !== undefined && children.every(({ spawnfile }) => spawnfile !== recorder.file)) {
      captions.note(`Listening with ${recorder.name}. Ctrl-C ends.`)
      children.push(record(recorder, client, fail))
    }
  })
  await ended.promise
  stopSending()
  client.close()
  for (const child of children) child.kill()
  if (failure !== undefined) throw failure
  if (options.output !== undefined) await writeWavFile(options.output, answers)
  if (samples !== undefined && understood === 0) {
    io.err('domos: Nothing was understood.')
    return 1
  }
  return 0
}

function findRecorder(io: MainIo): SoundProgram & { readonly file: string } {
  const found = findSoundProgram(RECORDERS, io.env['PATH'])
  if (found !== undefined) return found
  const names = RECORDERS.map((program) => `${program.name} (${program.package})`).join(', ')
  throw new DomosError('unavailable', `No recorder was found: install one of ${names}, or speak a file with --in.`)
}

function connectOutput(
  client: VoiceClient,
  options: TalkOptions,
  io: MainIo,
  children: ChildProcess[],
  answers: Int16Array[],
): void {
  const player = options.output === undefined ? findSoundProgram(PLAYERS, io.env['PATH']) : undefined
  if (options.output !== undefined) client.on('audio', (samples) => void answers.push(samples))
  else if (player !== undefined) {
    let child: ChildProcess | undefined
    const start = (): ChildProcess => {
      const next = spawn(player.file, [...player.args], { stdio: ['pipe', 'ignore', 'ignore'] })
      next.on('error', () => io.err(`domos: ${player.name} does not play; the captions go on.`))
      next.stdin?.on('error', () => {})
      children.push(next)
      return next
    }
    client.on('audio', (samples) => {
      child ??= start()
      child.stdin?.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    })
    client.on('speech-end', ({ interrupted }) => {
      // What the program holds cannot be taken back, so an interrupted answer ends with its player.
      if (interrupted) child?.kill()
      else child?.stdin?.end()
      child = undefined
    })
  } else io.err('No player was found, so answers are shown and not spoken; --out FILE.wav keeps them.')
}

function record(
  recorder: SoundProgram & { readonly file: string },
  client: VoiceClient,
  fail: (error: DomosError) => void,
): ChildProcess {
  const child = spawn(recorder.file, [...recorder.args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  let rest = Buffer.alloc(0)
  child.stdout?.on('data', (chunk: Buffer) => {
    const bytes = Buffer.concat([rest, chunk])
    const samples = new Int16Array(Math.floor(bytes.length / 2))
    for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(index * 2)
    rest = bytes.subarray(samples.length * 2)
    client.sendAudio(samples)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-500)
  })
  child.on('error', () => fail(new DomosError('unavailable', `${recorder.name} cannot be started.`)))
  child.on('exit', (code) => {
    const said = complaint.trim().split('\n').at(-1) ?? ''
    fail(
      new DomosError(
        'unavailable',
        `${recorder.name} ended (${code ?? 'by a signal'})${said === '' ? '' : `: ${said}`}.`,
      ),
    )
  })
  return child
}

/** Sends the file at the speed of speech, then silence; deadlines are absolute, so that it does not drift. */
function sendInRealTime(client: VoiceClient, samples: Int16Array<ArrayBuffer>, onFileEnd: () => void): () => void {
  const startedAt = performance.now()
  const silence = new Int16Array(FRAME_SAMPLES)
  let sent = 0
  let isOver = false
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - startedAt) / FRAME_MS) + 1
    while (sent < due) {
      const from = sent * FRAME_SAMPLES
      client.sendAudio(from < samples.length ? samples.slice(from, from + FRAME_SAMPLES) : silence)
      sent += 1
      if (!isOver && sent * FRAME_SAMPLES >= samples.length) {
        isOver = true
        onFileEnd()
      }
    }
  }, FRAME_MS)
  return () => clearInterval(timer)
}

/** Knows when a conversation has come to rest. */
function watchProgress(client: VoiceClient): { quiet(quietMs: number, timeoutMs: number): Promise<void> } {
  let lastAt = performance.now()
  let isBusy = false
  const touch = (): void => {
    lastAt = performance.now()
  }
  client.on('transcript', touch)
  client.on('audio', touch)
  client.on('speech-end', touch)
  client.on('state', (state) => {
    touch()
    isBusy = state !== 'idle' && state !== 'listening'
  })
  return {
    quiet: (quietMs, timeoutMs) =>
      new Promise((resolve) => {
        const startedAt = performance.now()
        touch()
        const timer = setInterval(() => {
          const now = performance.now()
          if ((isBusy || now - lastAt < quietMs) && now - startedAt < timeoutMs) return
          clearInterval(timer)
          resolve()
        }, 50)
      }),
  }
}
