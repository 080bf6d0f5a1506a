import type { DomosError, JsonObject, Session, Voice, VoiceConfig, VoiceConversation, VoiceSink } from '@domos/spec'
import { changeVoiceConfig, DEFAULT_VOICE_CONFIG, resolveVoiceLimits } from '@domos/voice'

/** A conversation that does what the test says and keeps what it was told: the wire is what is tested, not the pipeline. */
export interface ScriptedConversation extends VoiceConversation {
  readonly session: Session
  readonly sink: VoiceSink
  readonly heard: number[]
  /** What was called, in order, audio left out. */
  readonly calls: string[]
  readonly isClosed: boolean
  /** What `configure` throws next. */
  refuseNext: DomosError | undefined
  /** A whole spoken turn: transcripts, then `ms` of audio in chunks of 20 ms. */
  answer(question: string, text: string, ms: number): void
}

/** A voice whose conversations a test drives. */
export interface ScriptedVoice extends Voice {
  readonly conversations: ScriptedConversation[]
  readonly last: ScriptedConversation
  /** What `open` throws next. */
  failNext: DomosError | undefined
}

let opened = 0
const limits = resolveVoiceLimits()

export function createScriptedVoice(): ScriptedVoice {
  const conversations: ScriptedConversation[] = []
  const voice: ScriptedVoice = {
    canHear: true,
    canSpeak: true,
    conversations,
    failNext: undefined,
    get last() {
      const last = conversations.at(-1)
      if (last === undefined) throw new Error('no conversation yet')
      return last
    },
    open(session, sink, config) {
      if (voice.failNext !== undefined) {
        const error = voice.failNext
        voice.failNext = undefined
        throw error
      }
      const conversation = createConversation(session, sink, config)
      conversations.push(conversation)
      return conversation
    },
    health: () => ({ engines: 'scripted' }),
    close: async () => {},
  }
  return voice
}

function createConversation(session: Session, sink: VoiceSink, given: JsonObject | undefined): ScriptedConversation {
  let config: VoiceConfig = changeVoiceConfig(DEFAULT_VOICE_CONFIG, given ?? {}, limits)
  let isClosed = false
  let turn = 0
  const leave = session.join({ id: `conversation-${++opened}`, door: 'voice' })
  const heard: number[] = []
  const calls: string[] = []
  const conversation: ScriptedConversation = {
    session,
    sink,
    heard,
    calls,
    refuseNext: undefined,
    state: 'listening',
    get isClosed() {
      return isClosed
    },
    get config() {
      return config
    },
    pushAudio(samples) {
      for (const sample of samples) heard.push(sample)
    },
    arm: () => calls.push('arm'),
    commit: () => calls.push('commit'),
    interrupt: (reason) => calls.push(`interrupt ${reason}`),
    say: (text) => calls.push(`say ${text}`),
    announce: (text, mode) => calls.push(`announce ${mode} ${text}`),
    configure(change) {
      if (conversation.refuseNext !== undefined) {
        const error = conversation.refuseNext
        conversation.refuseNext = undefined
        throw error
      }
      config = changeVoiceConfig(config, change, limits)
      return config
    },
    async close() {
      isClosed = true
      leave()
    },
    answer(question, text, ms) {
      turn += 1
      sink.onTranscript({ role: 'user', text: question, isFinal: true, turn })
      sink.onTranscript({ role: 'assistant', text, isFinal: true, turn })
      sink.onSpeechStart({ turn })
      for (let at = 0; at < ms; at += 20) sink.onAudio(new Int16Array(Math.min(20, ms - at) * 16).fill(turn))
      sink.onSpeechEnd({ turn, audioMs: ms, interrupted: false, playedMs: ms })
    },
  }
  return conversation
}
