import type { Session, Voice, VoiceConversation, VoiceSink } from '@domos/spec'
import { toDomosError } from '@domos/spec'
import type { AdtpErrorCode } from '../errors.ts'
import { readPcm, writePcm } from '../pcm.ts'
import type { PagePort } from './page-port.ts'
import type { PageTurns } from './page-turns.ts'

/** What a spoken answer is sent as. */
const SPEECH_TYPE = 'audio/pcm;rate=16000'

/**
 * The ears and the mouth of a page: whole utterances (USER_INPUT) and live sound (AUDIO_STREAM) go through the house's voice, whose
 * turns come back to the page as those of another member. Answers are spoken to pages that understand AUDIO_STREAM.
 */
export class PageVoice {
  readonly #port: PagePort
  readonly #session: Session
  readonly #voice: Voice
  readonly #turns: PageTurns
  readonly #speaks: boolean
  #conversation: VoiceConversation | undefined
  /** Inputs whose words are awaited, oldest first. */
  #awaited: (string | undefined)[] = []
  /** The input whose words are in and whose turn is about to be shown. */
  #asked: { readonly ref: string | undefined; readonly text: string } | undefined

  constructor(port: PagePort, session: Session, voice: Voice, turns: PageTurns) {
    this.#port = port
    this.#session = session
    this.#voice = voice
    this.#turns = turns
    this.#speaks = port.dialect === 'spoken' || port.supports('audio_stream')
  }

  /** Takes one whole utterance, base64; it ends in `done: true` like every input. */
  takeUtterance(content: string, mimeType: string | undefined, ref: string | undefined): void {
    if (!this.#voice.canHear) {
      const hint = 'Speech recognition does not work now, /healthz says why; send text.'
      return this.#turns.refuse('unavailable', hint, ref, 'payload.modality')
    }
    const sound = readPcm(content, mimeType)
    if ('problem' in sound) return this.#turns.refuse('invalid_payload', sound.problem, ref, sound.path)
    this.#try(ref, 'payload.content', (conversation) => {
      // Whoever sends a whole utterance has the word; the answer to the last one does not go on under it.
      if (conversation.state === 'speaking') conversation.interrupt('utterance')
      conversation.configure({ pushToTalk: true })
      this.#awaited.push(ref)
      conversation.arm()
      conversation.pushAudio(sound.samples, sound.sampleRateHz)
      conversation.commit()
    })
  }

  /** Takes a piece of live sound. */
  takeChunk(data: string, mimeType: string, ref: string | undefined): void {
    const sound = readPcm(data, mimeType)
    if ('problem' in sound) {
      this.#port.report('invalid_payload', sound.problem, { ref, path: sound.path.replace('content', 'data') })
      return
    }
    this.#try(ref, 'payload.data', (conversation) => {
      if (conversation.config.pushToTalk) conversation.configure({ pushToTalk: false })
      conversation.pushAudio(sound.samples, sound.sampleRateHz)
    })
  }

  /** The person has finished a live turn. */
  endLive(): void {
    this.#conversation?.commit()
  }

  /** Stops what is being said; false when nothing was. */
  interrupt(): boolean {
    const conversation = this.#conversation
    if (conversation === undefined || !['thinking', 'speaking', 'paused'].includes(conversation.state)) return false
    conversation.interrupt('page')
    return true
  }

  /** The input that a turn answers, if it came from here. */
  refOf(text: string, modality: string): string | undefined {
    const asked = this.#asked
    if (asked === undefined || modality !== 'audio' || asked.text !== text) return undefined
    this.#asked = undefined
    return asked.ref
  }

  leave(): void {
    void this.#conversation?.close()
  }

  #try(ref: string | undefined, path: string, work: (conversation: VoiceConversation) => void): void {
    try {
      this.#conversation ??= this.#voice.open(this.#session, this.#sink(), { speak: this.#speaks })
      work(this.#conversation)
    } catch (thrown) {
      const { code, message } = toDomosError(thrown)
      this.#port.log.warn('page-voice-failed', { code })
      this.#turns.refuse(code, message, ref, path)
    }
  }

  #sink(): VoiceSink {
    const refuse = (code: AdtpErrorCode, message: string): void => {
      if (this.#awaited.length === 0) this.#port.report(code, message)
      else this.#turns.refuse(code, message, this.#awaited.shift(), 'payload.content')
    }
    return {
      // The connection ends a page that reads too slowly.
      bufferedMs: 0,
      onTranscript: ({ role, text, isFinal }) => {
        if (role === 'user' && isFinal) this.#asked = { ref: this.#awaited.shift(), text }
      },
      onSpeechStart: () => {},
      onAudio: (samples) => void this.#port.send('AUDIO_STREAM', { data: writePcm(samples), mimeType: SPEECH_TYPE }),
      onSpeechEnd: ({ interrupted }) => {
        if (this.#speaks) this.#port.send('VOICE_STATE_EVENT', { event: interrupted ? 'interrupted' : 'turn_complete' })
      },
      onState: (state) => {
        if (state !== 'idle') return
        // The words went on with a turn that ran already, so that no turn of their own was shown.
        const asked = this.#asked
        this.#asked = undefined
        if (asked !== undefined) this.#turns.finish(asked.ref)
      },
      onNothingHeard: ({ reason }) => {
        // A failure was reported as an error already.
        if (this.#awaited.length > 0 && reason !== 'failed') refuse('invalid_request', NOTHING[reason] ?? NO_WORDS)
      },
      onError: ({ code, message }) => refuse(code, message),
      onLatency: () => {},
    }
  }
}

const NO_WORDS = 'No words were understood; please say it again.'
const NOTHING: Readonly<Record<string, string>> = {
  'no-speech': 'No speech was heard in the sound.',
  stop: 'The answer was stopped.',
}
