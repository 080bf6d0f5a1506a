/// <reference types="vite/client" />
import {
  createVoiceClient,
  type Microphone,
  openMicrophone,
  openSpeaker,
  type Speaker,
  type VoiceClient,
  type VoiceClientEvents,
} from '@domos/audio/client'
import workletUrl from '@domos/audio/worklet?worker&url'
import { hearingProblem, problemOf } from './voice-problem.ts'
import { nextVoice, SILENT, type VoiceEvent, type VoiceMode, type VoiceView } from './voice-state.ts'

/** How long entering the session may take. */
const JOIN_MS = 10_000

/** What a link needs. */
export interface VoiceLinkOptions {
  /** The voice door. */
  readonly url: string
  /** The server's /healthz. */
  readonly healthUrl: string
  /** A token or code that opens the session; asked for again when the link is lost for good. */
  readonly joinToken: () => Promise<string>
  /** Words that are likely to be said. */
  readonly vocabulary?: readonly string[]
  readonly onTranscript?: (transcript: VoiceClientEvents['transcript']) => void
}

/**
 * Microphone and loudspeaker of this browser in a session that somebody else opened. Nothing is opened before the first press.
 * The microphone records only while a button is held, or in hands-free mode; typed text works without any.
 */
export class VoiceLink {
  readonly #options: VoiceLinkOptions
  readonly #listeners = new Set<() => void>()
  readonly #meters = new Set<(level: number) => void>()
  #view: VoiceView = SILENT
  #speaker: Speaker | undefined
  #microphone: Microphone | undefined
  #client: VoiceClient | undefined
  #opening: Promise<boolean> | undefined
  /** Counts starts and stops, so that what finishes late changes nothing. */
  #round = 0
  #wantsToTalk = false

  constructor(options: VoiceLinkOptions) {
    this.#options = options
  }

  // ---- for a view ----

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): VoiceView => this.#view

  /** Hears the loudness of the microphone, 0 to 1, some 50 times a second. */
  readonly onLevel = (listener: (level: number) => void): (() => void) => {
    this.#meters.add(listener)
    return () => this.#meters.delete(listener)
  }

  // ---- for a person ----

  /** Button down: whatever is being said stops, and what the person says is recorded. */
  async press(): Promise<void> {
    this.#wantsToTalk = true
    this.#speaker?.flush()
    if (!(await this.#open(true)) || !this.#wantsToTalk || this.#view.mode !== 'push') return
    this.#client?.interrupt()
    this.#client?.listen()
    this.#record(true)
  }

  /** Button up: the sentence is complete. */
  release(): void {
    this.#wantsToTalk = false
    if (this.#view.mode !== 'push' || !this.#view.isRecording) return
    this.#record(false)
    this.#client?.commit()
  }

  /** Listens all the time, or only while the button is held. */
  async setHandsFree(on: boolean): Promise<void> {
    const mode: VoiceMode = on ? 'hands-free' : 'push'
    this.#tell({ type: 'mode', mode })
    if (on && !(await this.#open(true))) {
      this.#tell({ type: 'mode', mode: 'push' })
      return
    }
    this.#applyMode()
  }

  /** Silences the answer. */
  readonly interrupt = (): void => {
    this.#speaker?.flush()
    this.#client?.interrupt()
  }

  /** A typed sentence; opens the link without a microphone where there is none. False when it could not be sent. */
  async say(text: string): Promise<boolean> {
    if (!(await this.#open(false))) return false
    this.#client?.say(text)
    return true
  }

  /** Enters the session without a microphone. */
  enter(): Promise<boolean> {
    return this.#open(false)
  }

  readonly dismissProblem = (): void => this.#tell({ type: 'problem', problem: undefined })

  /** The session went away and another took its place: enters that one. */
  async rejoin(): Promise<void> {
    if (this.#view.status === 'off') return
    const hadMicrophone = this.#microphone !== undefined
    this.#client?.close()
    this.#client = undefined
    this.#record(false)
    await this.#open(hadMicrophone)
  }

  /** Closes microphone, loudspeaker and connection. */
  readonly stop = (): void => this.#close({ type: 'stop' })

  // ---- inside ----

  #tell(event: VoiceEvent): void {
    this.#view = nextVoice(this.#view, event)
    for (const listener of this.#listeners) listener()
  }

  #record(isRecording: boolean): void {
    if (this.#microphone !== undefined) this.#microphone.isMuted = !isRecording
    if (!isRecording) this.#showLevel(0)
    this.#tell({ type: 'record', isRecording })
  }

  #showLevel(level: number): void {
    for (const meter of this.#meters) meter(level)
  }

  #applyMode(): void {
    const handsFree = this.#view.mode === 'hands-free'
    this.#client?.configure({ pushToTalk: !handsFree })
    this.#record(handsFree && this.#client !== undefined)
  }

  #close(event: VoiceEvent): void {
    this.#round += 1
    this.#wantsToTalk = false
    this.#client?.close()
    void this.#microphone?.close()
    void this.#speaker?.close()
    this.#client = undefined
    this.#microphone = undefined
    this.#speaker = undefined
    this.#showLevel(0)
    this.#tell(event)
  }

  /** Opens what is missing. True when the link stands; otherwise the view says why it does not. */
  async #open(needsMicrophone: boolean): Promise<boolean> {
    if (this.#opening !== undefined) await this.#opening
    if (this.#client !== undefined && (this.#microphone !== undefined || !needsMicrophone)) {
      return this.#view.status === 'on'
    }
    const opening = this.#openParts(needsMicrophone)
    this.#opening = opening
    try {
      return await opening
    } finally {
      this.#opening = undefined
    }
  }

  async #openParts(needsMicrophone: boolean): Promise<boolean> {
    this.#round += 1
    const round = this.#round
    const isOld = (): boolean => round !== this.#round
    if (this.#client === undefined) this.#tell({ type: 'start' })
    try {
      if (needsMicrophone) {
        const deaf = await hearingProblem(this.#options.healthUrl, AbortSignal.timeout(JOIN_MS))
        if (isOld()) return false
        if (deaf !== undefined) {
          if (this.#client === undefined) this.#close({ type: 'stop', problem: deaf })
          else this.#tell({ type: 'problem', problem: deaf })
          return false
        }
      }
      this.#speaker ??= await openSpeaker({ workletUrl })
      if (needsMicrophone && this.#microphone === undefined) {
        const microphone = await this.#openMicrophone()
        if (isOld()) {
          await microphone.close()
          return false
        }
        this.#microphone = microphone
      }
      if (this.#client === undefined) await this.#join(isOld)
      if (isOld()) return false
      this.#tell({ type: 'joined' })
      return true
    } catch (thrown) {
      if (isOld()) return false
      const problem = problemOf(thrown)
      if (this.#client === undefined) this.#close({ type: 'stop', problem })
      else this.#tell({ type: 'problem', problem })
      return false
    }
  }

  async #openMicrophone(): Promise<Microphone> {
    const microphone = await openMicrophone({
      workletUrl,
      onAudio: (samples) => void this.#client?.sendAudio(samples),
      onLevel: (level) => this.#showLevel(level),
      onError: (error) => this.#close({ type: 'stop', problem: problemOf(error) }),
    })
    microphone.isMuted = true
    return microphone
  }

  async #join(isOld: () => boolean): Promise<void> {
    const joinToken = await this.#options.joinToken()
    if (isOld()) return
    const client = createVoiceClient({ url: this.#options.url, joinToken })
    const joined = Promise.withResolvers<void>()
    let isJoined = false
    const late = setTimeout(() => joined.reject(new Error('The voice door does not answer.')), JOIN_MS)
    client.on('session', (session) => {
      if (session.joined) {
        isJoined = true
        joined.resolve()
        if (this.#client === client) this.#tell({ type: 'joined' })
      }
    })
    client.on('error', ({ code, message }) => {
      if (!isJoined) joined.reject(new Error(message))
      else this.#tell({ type: 'problem', problem: { title: message, advice: adviceFor(code) } })
    })
    client.on('link', ({ state, reason = '' }) => {
      if (state === 'waiting') {
        this.#speaker?.flush()
        if (isJoined) this.#tell({ type: 'lost' })
        else joined.reject(new Error(reason || 'The voice door cannot be reached.'))
      } else if (state === 'closed' && isJoined && this.#client === client) {
        this.#close({
          type: 'stop',
          problem: { title: 'The voice link was ended.', advice: `${reason} Press to begin again.` },
        })
      }
    })
    client.connect()
    // Every setting stays for later connections of this client.
    client.configure({
      pushToTalk: this.#view.mode !== 'hands-free',
      vocabulary: [...(this.#options.vocabulary ?? [])],
    })
    try {
      await joined.promise
    } catch (thrown) {
      client.close()
      throw thrown
    } finally {
      clearTimeout(late)
    }
    if (isOld()) {
      client.close()
      return
    }
    this.#client = client
    this.#follow(client)
  }

  #follow(client: VoiceClient): void {
    client.on('session', ({ joined, lost }) => {
      // Too late: the server has forgotten where it was.
      if (lost && this.#client === client) void this.rejoin()
      else if (joined) this.#applyMode()
    })
    client.on('transcript', (transcript) => {
      const { role, text, isFinal } = transcript
      if (role === 'user') this.#tell({ type: 'heard', text, isFinal })
      else this.#tell({ type: 'spoke', text })
      this.#options.onTranscript?.(transcript)
    })
    client.on('state', (doing) => this.#tell({ type: 'doing', doing }))
    client.on('speech-start', () => this.#speaker?.begin())
    client.on('audio', (samples) => this.#speaker?.play(samples))
    client.on('speech-end', ({ interrupted }) => (interrupted ? this.#speaker?.flush() : this.#speaker?.end()))
    this.#applyMode()
  }
}

function adviceFor(code: string): string {
  if (code === 'unavailable') return ''
  return code === 'rate_limited' ? 'Wait a moment, then go on.' : 'Say it again, or type it.'
}
