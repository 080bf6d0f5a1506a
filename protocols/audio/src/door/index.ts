import type { Connection, Door, Host, Voice } from '@domos/spec'
import type { DeviceRegistry } from '../devices/registry.ts'
import { AUDIO_PATHS, AUDIO_SUBPROTOCOLS } from '../dialects.ts'
import { type AudioDoorLimits, closeCodes, closeReasons, defaultAudioDoorLimits } from '../limits.ts'
import type { JoinTokenPrincipal, RedeemJoinToken } from './admission.ts'
import { Clients } from './clients.ts'
import { AudioPeer } from './peer.ts'
import type { DoorContext } from './peer-port.ts'
import { ResumableSessions } from './resumable-sessions.ts'

export { createMemoryDeviceStore } from '../devices/memory-store.ts'
export {
  createDeviceRegistry,
  type DeviceFacts,
  type DeviceRegistry,
  type DeviceRegistryLimits,
  type DeviceRegistryOptions,
  defaultDeviceRegistryLimits,
} from '../devices/registry.ts'

/** Options of {@link createAudioDoor}. */
export interface AudioDoorOptions {
  /** Numbers that differ from {@link defaultAudioDoorLimits}. */
  readonly limits?: Partial<AudioDoorLimits>
  /** Registered devices; without it every device id is a label. */
  readonly devices?: DeviceRegistry
  /** Whether a device without a key may come from this address; it gets tools of risk `none` alone. @default nobody */
  readonly allowsDeviceFrom?: (remoteAddress: string) => boolean
  /** Gives the session a join token stands for; without it join tokens are refused. */
  readonly redeemJoinToken?: RedeemJoinToken
  /** As whom a client without a key comes in with a join token. Without it, clients need a key of their own. */
  readonly joinTokenPrincipal?: JoinTokenPrincipal
  /** Milliseconds that never go back, for `uptime` in `status`. @default performance.now */
  readonly monotonicNow?: () => number
}

/**
 * The voice door: the WebSocket Voice Protocol at `/audio`, with the paths of small devices as aliases. Each connection is one
 * microphone and one speaker in a session of its own, or in one it joins.
 */
export function createAudioDoor(host: Host, voice: Voice, options: AudioDoorOptions = {}): Door {
  const limits: AudioDoorLimits = { ...defaultAudioDoorLimits, ...options.limits }
  const peers = new Map<Connection, AudioPeer>()
  const idle = new Set<() => void>()
  let isClosing = false
  const context: DoorContext = {
    host,
    voice,
    limits,
    clients: new Clients(limits),
    resumables: new ResumableSessions(host.clock, limits),
    allowsDeviceFrom: options.allowsDeviceFrom ?? (() => false),
    monotonicNow: options.monotonicNow ?? (() => performance.now()),
    ...(options.devices === undefined ? {} : { devices: options.devices }),
    ...(options.redeemJoinToken === undefined ? {} : { redeemJoinToken: options.redeemJoinToken }),
    ...(options.joinTokenPrincipal === undefined ? {} : { joinTokenPrincipal: options.joinTokenPrincipal }),
    principalOfResumeToken(token) {
      const live = [...peers.values()].find((peer) => peer.resumeToken === token)?.voiceSession
      const found = live ?? context.resumables.find(token)
      return found?.isOwn === false ? found.session.principal : undefined
    },
    replaceOlder(deviceId, by) {
      for (const peer of [...peers.values()]) {
        if (peer !== by && peer.provenDeviceId === deviceId) {
          peer.dismiss(closeCodes.replaced, closeReasons.replaced)
        }
      }
    },
    detachLive(resumeToken, principal) {
      for (const peer of [...peers.values()]) {
        if (peer.resumeToken === resumeToken && peer.principal.id === principal.id) peer.detach()
      }
    },
  }
  /** Peers that may yet show that they replace a connection, and so do not need a place. */
  let withoutSlot = 0

  return {
    name: 'voice',
    paths: AUDIO_PATHS,
    maxFrameBytes: limits.maxFrameBytes,
    allowsQueryToken: true,
    subprotocols: AUDIO_SUBPROTOCOLS,
    accept(connection, upgrade) {
      if (isClosing) {
        connection.close(closeCodes.goingAway, closeReasons.shutdown)
        return
      }
      const slot = context.clients.take(upgrade)
      if (typeof slot === 'string') {
        const mayReplace = options.devices !== undefined && upgrade.token !== undefined
        if (!mayReplace || withoutSlot >= limits.maxClients) {
          host.metrics.count('voice_clients_refused', { reason: slot })
          connection.close(closeCodes.tryLater, slot === 'full' ? closeReasons.full : closeReasons.addressFull)
          return
        }
        withoutSlot += 1
        connection.onClose(() => {
          withoutSlot -= 1
        })
      }
      const peer = new AudioPeer(context, connection, upgrade, typeof slot === 'string' ? undefined : slot)
      peers.set(connection, peer)
      connection.onClose(() => {
        peers.delete(connection)
        if (peers.size === 0) for (const settle of [...idle]) settle()
      })
    },
    health() {
      // Asked first: a voice that has not looked at its engines yet looks now.
      const facts = voice.health()
      return {
        clients: context.clients.count,
        maxClients: limits.maxClients,
        waitingForReturn: context.resumables.count,
        canHear: voice.canHear,
        canSpeak: voice.canSpeak,
        voice: facts,
      }
    },
    async close(signal) {
      isClosing = true
      context.resumables.close()
      for (const peer of [...peers.values()]) peer.shutdown()
      if (peers.size > 0 && !signal.aborted) {
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
