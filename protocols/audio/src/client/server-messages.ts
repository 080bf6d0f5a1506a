import type { JsonObject } from '@domos/spec'
import type { ToClient, ToClientMessage, ToClientType } from '../messages.ts'
import { messagesToClient } from '../messages-to-client.ts'
import type { VoiceClientEvents } from './events.ts'

type HandlerName = (typeof messagesToClient)[ToClientType]['handler']
type MessageOf<H extends HandlerName> = {
  [T in ToClientType]: (typeof messagesToClient)[T]['handler'] extends H ? ToClient<T> : never
}[ToClientType]
type Handlers = { readonly [H in HandlerName]: (message: MessageOf<H>) => void }

/** Tells the client's listeners. */
export type Emit = <Name extends keyof VoiceClientEvents>(name: Name, event: VoiceClientEvents[Name]) => void

/** What changes the client itself. */
export interface ClientEffects {
  onSessionAck(message: ToClient<'session_ack'>): void
  onResumeToken(token: string): void
  onAnswerStart(): void
  onStatus(details: ToClient<'status'>['details']): void
}

/** Makes what handles each message of the server. */
export function createHandlers(emit: Emit, effects: ClientEffects): (message: ToClientMessage) => void {
  const handlers: Handlers = {
    onSessionAck: (message) => effects.onSessionAck(message),
    onTranscript: ({ role, text, final = true, words = [], turn }) =>
      emit('transcript', { role, text, isFinal: final, words, turn }),
    onSpeechStart({ turn }) {
      effects.onAnswerStart()
      emit('speech-start', { turn })
    },
    onSpeechEnd: ({ turn, details }) =>
      emit('speech-end', { turn, interrupted: details?.interrupted === true, playedMs: details?.playedMs }),
    onError: ({ code = 'unknown', error }) => emit('error', { code, message: error }),
    onConfig({ config, details }) {
      if (details !== undefined) effects.onResumeToken(details.resumeToken)
      // Parsed from JSON, so its values are JSON values.
      emit('config', config as JsonObject)
    },
    onStatus: ({ details }) => effects.onStatus(details),
    onState: ({ state }) => emit('state', state),
    onNothingHeard: ({ reason }) => emit('nothing-heard', { reason }),
    onLatency: (message) => emit('latency', message),
    onDeviceOnly() {},
  }
  return (message) => {
    // The handler's name and the message's type come from the same row.
    const handle = handlers[messagesToClient[message.type].handler] as (message: ToClientMessage) => void
    handle(message)
  }
}
