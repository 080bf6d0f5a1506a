/** What kind of thing a device is. */
export const DEVICE_TYPES = ['esp32', 'browser', 'cli', 'mcp-client', 'custom'] as const
/** One of {@link DEVICE_TYPES}. */
export type DeviceType = (typeof DEVICE_TYPES)[number]

/** `pending`: seen or entered, not let in by its secret yet · `active` · `suspended`: may come back · `revoked`: for good. */
export type DeviceState = 'pending' | 'active' | 'suspended' | 'revoked'

/** What may follow on what; an operator decides. */
export const deviceTransitions: Readonly<Record<DeviceState, readonly DeviceState[]>> = {
  pending: ['active', 'revoked'],
  active: ['suspended', 'revoked'],
  suspended: ['active', 'revoked'],
  revoked: [],
}

/**
 * How well a device is known. 0: an id anybody could claim · 1: came with an API key · 2: has its own secret · 3: has its own
 * secret and a history.
 */
export type DeviceTrust = 0 | 1 | 2 | 3

/** A device as it is kept. Holds the hash of its secret, never the secret. */
export interface DeviceRecord {
  /** 1 to 128 letters, digits, `-`, `_`. */
  readonly id: string
  readonly type: DeviceType
  readonly tenant: string
  readonly state: DeviceState
  /** SHA-256 of the secret's UTF-8 bytes, in hex. */
  readonly secretSha256?: string
  /** What it says it can do, e.g. `microphone`, `wake_word`. */
  readonly capabilities: readonly string[]
  readonly firmware?: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSeenAt?: number
  /** Connections with its secret. */
  readonly connections: number
  /** The newest facts it reported, such as `wifi_rssi`. */
  readonly telemetry: Readonly<Record<string, number | boolean>>
}

/** Where devices are kept. Written as a whole: there are few of them. */
export interface DeviceStore {
  load(): Promise<readonly DeviceRecord[]>
  save(devices: readonly DeviceRecord[]): Promise<void>
}
