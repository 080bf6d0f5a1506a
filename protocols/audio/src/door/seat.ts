import type { Session } from '@domos/spec'
import { AUDIO_FORMAT } from '../limits.ts'
import type { PeerPort } from './peer-port.ts'
import { createSink, type SinkPort } from './sink.ts'
import { closeIfAlone, VoiceSession } from './voice-session.ts'

/** A connection as far as its seat in a session is concerned. */
export interface SeatPort extends PeerPort, SinkPort {
  voiceSession: VoiceSession | undefined
  /** The server shuts down: nobody is waited for. */
  readonly isLeaving: boolean
  /** Forgets half a sample and the resampler's memory. */
  resetInput(): void
  /** The session was closed by somebody else. */
  onSessionEnded(session: Session): void
}

/**
 * Leaves the session before, takes a seat in this one and acknowledges it.
 * @throws DomosError of the session (`busy`) or the pipeline (`unavailable`)
 */
export function enterSession(peer: SeatPort, session: Session, isOwn: boolean, resumed: boolean | undefined): void {
  leaveSession(peer, 'session-changed')
  peer.voiceSession = new VoiceSession({
    session,
    isOwn,
    voice: peer.context.voice,
    config: peer.voiceConfig,
    log: peer.context.host.log,
    sink: (isCurrent) => createSink(peer, `session-${session.id}`, isCurrent),
    onEnded: () => peer.onSessionEnded(session),
  })
  acknowledge(peer, resumed)
}

/** Sends `session_ack`; `resumed` answers a resume token, and undefined says that there was none. */
export function acknowledge(peer: SeatPort, resumed: boolean | undefined): void {
  const { voiceSession, connectionConfig, context } = peer
  if (voiceSession === undefined) return
  if (resumed === true && connectionConfig.resume) peer.resumeToken = context.resumables.newToken()
  peer.send({
    type: 'session_ack',
    sessionId: voiceSession.id,
    details: {
      ...AUDIO_FORMAT,
      ...(resumed === undefined ? {} : { resumed }),
      ...(resumed === true && peer.resumeToken !== undefined
        ? { resumeToken: peer.resumeToken, resumeTtlMs: context.limits.resumeTtlMs }
        : {}),
    },
  })
}

/** Ends what is being said, then the conversation; closes the session when it is ours alone. */
export function leaveSession(peer: SeatPort, reason: string): void {
  peer.output.stop()
  peer.resetInput()
  const left = peer.voiceSession
  peer.voiceSession = undefined
  left?.close(reason)
}

/** The connection is gone: its session waits for a client that may come back, or ends. */
export function keepOrClose(peer: SeatPort, reason: string): void {
  const { voiceSession, resumeToken } = peer
  if (voiceSession === undefined) return
  if (resumeToken === undefined || peer.isLeaving) {
    leaveSession(peer, reason)
    return
  }
  peer.output.stop()
  peer.voiceSession = undefined
  peer.resumeToken = undefined
  voiceSession.leave()
  const { session, isOwn } = voiceSession
  const { voiceConfig, connectionConfig } = peer
  peer.context.resumables.keep(resumeToken, {
    session,
    isOwn,
    voiceConfig,
    connectionConfig,
    abandon: () => closeIfAlone(session, isOwn, 'client-did-not-return'),
  })
}
