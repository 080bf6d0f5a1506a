import type { DeviceState } from '@domos/audio'
import { createDeviceRegistry } from '@domos/audio/door'
import { systemClock } from '@domos/spec'
import { createFileDeviceStore } from '../device-store.ts'
import type { MainIo } from '../main.ts'

function openRegistry(dataDir: string) {
  return createDeviceRegistry({ store: createFileDeviceStore(dataDir), clock: systemClock })
}

/** Prints the devices of the voice door. */
export async function printDevices(dataDir: string, io: MainIo): Promise<void> {
  const devices = await openRegistry(dataDir).list()
  if (devices.length === 0) io.out('No devices. domos devices add ID enters one and prints its secret.')
  for (const { id, type, state, secretSha256, lastSeenAt, connections } of devices) {
    const seen = lastSeenAt === undefined ? 'never seen' : `seen ${new Date(lastSeenAt).toISOString()}`
    const secret = secretSha256 === undefined ? 'no secret' : `secret, ${connections} connections`
    io.out(`${id.padEnd(32)} ${state.padEnd(10)} ${type.padEnd(10)} ${secret}; ${seen}`)
  }
}

/** Enters a device and prints its secret, once. */
export async function addDevice(dataDir: string, id: string, io: MainIo): Promise<void> {
  const { secret } = await openRegistry(dataDir).add(id, { type: 'esp32' })
  io.err(`${id} is active. Its secret goes in "Authorization: Bearer" or ?token= and is not shown again:`)
  io.out(secret)
}

/** Changes what a device may do; counts from its next connection on. */
export async function changeDevice(dataDir: string, id: string, state: DeviceState, io: MainIo): Promise<void> {
  const device = await openRegistry(dataDir).setState(id, state)
  io.out(`${device.id} is ${device.state}.`)
}
