import type { DeviceRecord, DeviceStore } from './device.ts'

/** A store that forgets everything with the process. */
export function createMemoryDeviceStore(): DeviceStore {
  let kept: readonly DeviceRecord[] = []
  return {
    load: async () => kept,
    async save(devices) {
      kept = devices
    },
  }
}
