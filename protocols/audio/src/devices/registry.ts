import { type Clock, DomosError, type Log, silentLog } from '@domos/spec'
import { randomHex, sha256Hex } from '@domos/wire'
import {
  type DeviceRecord,
  type DeviceState,
  type DeviceStore,
  type DeviceTrust,
  type DeviceType,
  deviceTransitions,
} from './device.ts'

/** Bounds of {@link createDeviceRegistry}. */
export interface DeviceRegistryLimits {
  /** Devices in all; a device that only showed itself makes room first. @default 1000 */
  readonly maxDevices: number
  /** Connections with its secret after which a device counts as known. @default 20 */
  readonly historyConnections: number
  /** Time since its entry after which a device counts as known, in milliseconds. @default 604800000 (7 days) */
  readonly historyAgeMs: number
  /** Least time between two notes of a device's telemetry; what comes sooner is left out. @default 5000 */
  readonly telemetryIntervalMs: number
}

/** The defaults of {@link DeviceRegistryLimits}. */
export const defaultDeviceRegistryLimits: DeviceRegistryLimits = {
  maxDevices: 1_000,
  historyConnections: 20,
  historyAgeMs: 604_800_000,
  telemetryIntervalMs: 5_000,
}

/** What a device says of itself. */
export interface DeviceFacts {
  readonly type?: DeviceType
  readonly capabilities?: readonly string[]
  readonly firmware?: string
}

/** The devices an operator knows. */
export interface DeviceRegistry {
  list(): Promise<readonly DeviceRecord[]>
  find(id: string): Promise<DeviceRecord | undefined>
  /** The device a secret belongs to; all hashes are compared, each in constant time. */
  findBySecret(secret: string): Promise<DeviceRecord | undefined>
  /**
   * Enters a device with a secret of its own, active from now on, and gives the secret: it is not kept and cannot be shown again.
   * @throws DomosError `invalid_request` (id, secret of less than 8 or more than 256 characters), `conflict` (id taken)
   */
  add(
    id: string,
    options?: DeviceFacts & { readonly secret?: string; readonly tenant?: string },
  ): Promise<{
    readonly device: DeviceRecord
    readonly secret: string
  }>
  /** Notes what a device said of itself; one that nobody knows is entered as pending. */
  noteSeen(id: string, facts: DeviceFacts, isAuthenticated: boolean): Promise<void>
  noteTelemetry(
    id: string,
    telemetry: Readonly<Record<string, number | boolean>>,
    isAuthenticated: boolean,
  ): Promise<void>
  /** @throws DomosError `not_found`, `conflict` when the state may not follow */
  setState(id: string, state: DeviceState): Promise<DeviceRecord>
  /** How well a device is known, given how it came. */
  trust(device: DeviceRecord | undefined, how: 'anonymous' | 'key' | 'secret'): DeviceTrust
}

/** What {@link createDeviceRegistry} takes. */
export interface DeviceRegistryOptions {
  readonly store: DeviceStore
  readonly clock: Clock
  readonly limits?: Partial<DeviceRegistryLimits>
  readonly log?: Log
}

/** Makes the registry. Each look reads the store, so that what an operator changes elsewhere counts at once. */
export function createDeviceRegistry(options: DeviceRegistryOptions): DeviceRegistry {
  const { store, clock, log = silentLog } = options
  const limits: DeviceRegistryLimits = { ...defaultDeviceRegistryLimits, ...options.limits }
  let last: Promise<unknown> = Promise.resolve()
  const notedAt = new Map<string, number>()

  /** One change after the other, each on what the one before has saved. */
  function change<T>(work: (devices: Map<string, DeviceRecord>) => T | Promise<T>): Promise<T> {
    const next = last.then(async () => {
      const devices = new Map((await store.load()).map((device) => [device.id, device]))
      const result = await work(devices)
      await store.save([...devices.values()])
      return result
    })
    last = next.catch(() => {})
    return next
  }

  function makeRoom(devices: Map<string, DeviceRecord>): void {
    if (devices.size < limits.maxDevices) return
    const idle = [...devices.values()]
      .filter(({ state, secretSha256 }) => state === 'pending' && secretSha256 === undefined)
      .sort((a, b) => (a.lastSeenAt ?? 0) - (b.lastSeenAt ?? 0))[0]
    if (idle === undefined) {
      throw new DomosError('busy', `${limits.maxDevices} devices are entered; the limit is maxDevices.`)
    }
    devices.delete(idle.id)
  }

  return {
    list: () => store.load(),
    async find(id) {
      return (await store.load()).find((device) => device.id === id)
    },
    async findBySecret(secret) {
      const hash = await sha256Hex(secret.slice(0, 4_096))
      let found: DeviceRecord | undefined
      for (const device of await store.load()) {
        if (isEqualConstantTime(hash, device.secretSha256 ?? '')) found = device
      }
      return found
    },
    add(id, { secret = randomHex(24), tenant = 'default', ...facts } = {}) {
      return change(async (devices) => {
        if (!/^[a-zA-Z0-9_-]{1,128}$/.test(id)) {
          throw new DomosError('invalid_request', 'A device id is 1 to 128 letters, digits, "-" or "_".')
        }
        if (secret.length < 8 || secret.length > 256) {
          throw new DomosError('invalid_request', 'A device secret has 8 to 256 characters.')
        }
        const known = devices.get(id)
        if (known !== undefined && (known.state !== 'pending' || known.secretSha256 !== undefined)) {
          throw new DomosError('conflict', `There is a device ${id} already.`)
        }
        if (known === undefined) makeRoom(devices)
        const device: DeviceRecord = {
          ...(known ?? newDevice(id, clock.now())),
          ...facts,
          tenant,
          state: 'active',
          secretSha256: await sha256Hex(secret),
        }
        devices.set(id, device)
        return { device, secret }
      })
    },
    async noteSeen(id, facts, isAuthenticated) {
      try {
        await change((devices) => {
          const known = devices.get(id)
          if (known === undefined) makeRoom(devices)
          // What an unproven peer claims must not overwrite what a proven one said.
          if (known?.secretSha256 !== undefined && !isAuthenticated) return
          const device = known ?? newDevice(id, clock.now())
          devices.set(id, {
            ...device,
            ...facts,
            capabilities: (facts.capabilities ?? device.capabilities).slice(0, 32),
            lastSeenAt: clock.now(),
            connections: device.connections + (isAuthenticated ? 1 : 0),
          })
        })
      } catch (thrown) {
        log.warn('device-not-noted', { error: thrown instanceof DomosError ? thrown.code : 'store' })
      }
    },
    async noteTelemetry(id, telemetry, isAuthenticated) {
      const now = clock.now()
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < limits.telemetryIntervalMs) return
      if (notedAt.size >= limits.maxDevices) notedAt.clear()
      notedAt.set(id, now)
      try {
        await change((devices) => {
          const known = devices.get(id)
          if (known === undefined || (known.secretSha256 !== undefined && !isAuthenticated)) return
          devices.set(id, { ...known, telemetry, lastSeenAt: clock.now() })
        })
      } catch {
        log.warn('device-not-noted', { error: 'store' })
      }
    },
    setState(id, state) {
      return change((devices) => {
        const known = devices.get(id)
        if (known === undefined) throw new DomosError('not_found', `There is no device ${id}.`)
        if (!deviceTransitions[known.state].includes(state)) {
          throw new DomosError('conflict', `The device ${id} is ${known.state}; it cannot become ${state}.`)
        }
        const device = { ...known, state }
        devices.set(id, device)
        return device
      })
    },
    trust(device, how) {
      if (how === 'anonymous') return 0
      if (how === 'key' || device === undefined) return 1
      const isKnown =
        device.connections >= limits.historyConnections && clock.now() - device.createdAt >= limits.historyAgeMs
      return isKnown ? 3 : 2
    },
  }
}

function newDevice(id: string, now: number): DeviceRecord {
  return {
    id,
    type: 'custom',
    tenant: 'default',
    state: 'pending',
    capabilities: [],
    createdAt: now,
    connections: 0,
    telemetry: {},
  }
}

/** Compares two hex digests; takes the same time wherever they differ. */
function isEqualConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ (b.charCodeAt(index) || 0)
  return difference === 0
}
