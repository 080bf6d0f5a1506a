import { type Connection, type Door, type Host, mergeLimits, type Voice } from '@domos/spec'
import { EXTENSIONS, type Extension } from '../capabilities.ts'
import { type AdtpDoorLimits, closeCodes, defaultAdtpDoorLimits } from '../limits.ts'
import type { AdmissionContext, Joining } from './admission.ts'
import { PageConnection } from './page-connection.ts'
import { Pages } from './pages.ts'

export type { Joining } from './admission.ts'
export type { IssueJoinToken } from './page.ts'

/** Options of {@link createAdtpDoor}. */
export interface AdtpDoorOptions {
  /** Numbers that differ from {@link defaultAdtpDoorLimits}. */
  readonly limits?: Partial<AdtpDoorLimits>
  /** Extensions offered. @default all but `audio_stream`, which needs speech, and without `joining.issue` but `join` */
  readonly extensions?: readonly Extension[]
  /** Takes no approvals from browsers that say they are driven by a program. @default false */
  readonly refuseAutomatedApprovals?: boolean
  /** How sessions are entered by join tokens; without it they are refused. */
  readonly joining?: Joining
  /** Hears what pages say and speaks to them. While it cannot hear, pages are not offered the audio modality. */
  readonly voice?: Voice
}

/**
 * The page door: ADTP at `/adtp`, with the aliases `/domos` and `/owllayer`. Each connection becomes a member of a session:
 * it brings in tools, context and input, and gets tool calls, questions and answers.
 */
export function createAdtpDoor(host: Host, options: AdtpDoorOptions = {}): Door {
  const limits: AdtpDoorLimits = mergeLimits(defaultAdtpDoorLimits, options.limits)
  const pages = new Pages(host.clock, limits)
  const connections = new Map<Connection, PageConnection>()
  const idle = new Set<() => void>()
  let isClosing = false
  const context: AdmissionContext = {
    host,
    limits,
    pages,
    options: {
      extensions: (
        options.extensions ??
        EXTENSIONS.filter((extension) => extension !== 'audio_stream' || options.voice !== undefined)
      ).filter((extension) => extension !== 'join' || options.joining?.issue !== undefined),
      get hasSpeech() {
        return options.voice?.canHear === true
      },
      ...(options.voice === undefined ? {} : { voice: options.voice }),
      refuseAutomatedApprovals: options.refuseAutomatedApprovals ?? false,
      ...(options.joining === undefined ? {} : { joining: options.joining }),
    },
  }

  return {
    name: 'adtp',
    paths: ['/adtp', '/domos', '/owllayer'],
    maxFrameBytes: limits.maxFrameBytes,
    allowsQueryToken: true,
    accept(connection, upgrade) {
      if (isClosing) {
        connection.close(closeCodes.goingAway, 'Server shutting down')
        return
      }
      connections.set(connection, new PageConnection(context, connection, upgrade))
      connection.onClose(() => {
        connections.delete(connection)
        if (connections.size === 0) for (const settle of [...idle]) settle()
      })
    },
    health: () => ({ connections: connections.size, droppedPages: pages.detachedCount }),
    async close(signal) {
      isClosing = true
      pages.close('shutdown')
      for (const connection of [...connections.values()]) connection.shutdown()
      if (connections.size > 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const settle = () => {
            idle.delete(settle)
            signal.removeEventListener('abort', settle)
            resolve()
          }
          idle.add(settle)
          signal.addEventListener('abort', settle, { once: true })
        })
      }
    },
  }
}
