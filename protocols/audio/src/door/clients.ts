import type { Upgrade } from '@domos/spec'
import type { AudioDoorLimits } from '../limits.ts'

/** A place among the connections of the door. */
export interface ClientSlot {
  /** Gives it back; safe to call twice. */
  release(): void
}

/** Counts live connections, in all and of each remote address. */
export class Clients {
  readonly #limits: AudioDoorLimits
  readonly #perAddress = new Map<string, number>()
  #count = 0

  constructor(limits: AudioDoorLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  /** Takes a place, or says which limit is reached. */
  take(upgrade: Pick<Upgrade, 'remoteAddress' | 'isLoopback'>): ClientSlot | 'full' | 'address-full' {
    if (this.#count >= this.#limits.maxClients) return 'full'
    const address = upgrade.remoteAddress
    const own = this.#perAddress.get(address) ?? 0
    if (!upgrade.isLoopback && own >= this.#limits.maxClientsPerAddress) return 'address-full'
    this.#count += 1
    this.#perAddress.set(address, own + 1)
    let isReleased = false
    return {
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#count -= 1
        const left = (this.#perAddress.get(address) ?? 1) - 1
        if (left > 0) this.#perAddress.set(address, left)
        else this.#perAddress.delete(address)
      },
    }
  }
}
