import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeviceRecord, DeviceStore } from '@domos/audio'
import { DomosError } from '@domos/spec'

/** Devices in a JSON file of the data directory, written as a whole, so that a crash leaves the old or the new one. */
export function createFileDeviceStore(dataDir: string): DeviceStore {
  const path = join(dataDir, 'devices.json')
  return {
    async load() {
      let text: string
      try {
        text = await readFile(path, 'utf8')
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw thrown
      }
      try {
        const parsed: unknown = JSON.parse(text)
        if (Array.isArray(parsed)) return parsed as readonly DeviceRecord[]
      } catch {
        // Said below: the file is not ours to guess at.
      }
      throw new DomosError('unavailable', `${path} cannot be read as a list of devices; restore or remove it.`)
    },
    async save(devices) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const next = `${path}.${process.pid}.tmp`
      await writeFile(next, `${JSON.stringify(devices, undefined, 1)}\n`, { mode: 0o600 })
      await rename(next, path)
    },
  }
}
