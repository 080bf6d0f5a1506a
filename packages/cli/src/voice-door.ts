import type { Agent } from '@domos/agent'
import { createAudioDoor, createDeviceRegistry } from '@domos/audio/door'
import type { Door, Voice } from '@domos/spec'
import { createNetworkTest } from './device-networks.ts'
import { createFileDeviceStore } from './device-store.ts'
import type { Settings } from './settings.ts'

/**
 * The voice door with its registered devices.
 * @throws DomosError `invalid_request` for a device network that cannot be read
 */
export function openVoiceDoor(agent: Agent, voice: Voice, settings: Settings): Door {
  const door = createAudioDoor(agent, voice, {
    limits: settings.limits['audio'] ?? {},
    devices: createDeviceRegistry({
      store: createFileDeviceStore(settings.dataDir),
      clock: agent.clock,
      log: agent.log,
    }),
    allowsDeviceFrom: createNetworkTest(settings.deviceNetworks),
    redeemJoinToken: (token, principal, remoteAddress) => agent.redeemJoinToken(token, principal, remoteAddress),
    joinTokenPrincipal: (token, remoteAddress) => agent.joinTokenPrincipal(token, remoteAddress),
  })
  if (settings.deviceNetworks.length === 0) return door
  return {
    ...door,
    health: () => ({ ...door.health(), unauthenticatedDevicesFrom: [...settings.deviceNetworks] }),
  }
}
