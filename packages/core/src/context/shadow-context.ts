import type { JsonObject, JsonValue } from '@domos/spec'
import { canonicalJson } from '@domos/wire'
import { cloneJson, freezeJson, isJsonObject } from '../json.ts'

const PAGE = ''

/**
 * What the page tells the agent about itself, put together from what its components declare (Core Concepts, "Shadow
 * Context"). Each owner has its own piece; later owners win where keys collide.
 */
export class ShadowContext {
  readonly #pieces = new Map<string, Record<string, JsonValue>>()
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Replaces one owner's piece. The returned function takes it away again, unless it was replaced meanwhile. */
  set(data: object, ownerId = PAGE): () => void {
    const piece = readPiece(data)
    this.#put(ownerId, piece)
    return () => {
      if (this.#pieces.get(ownerId) === piece) this.#put(ownerId, undefined)
    }
  }

  /** Merges into one owner's piece. The returned function takes away the keys that still hold what was merged. */
  update(data: object, ownerId = PAGE): () => void {
    const added = readPiece(data)
    this.#put(ownerId, { ...this.#pieces.get(ownerId), ...added })
    return () => {
      const now = this.#pieces.get(ownerId)
      if (!now) return
      const kept = Object.entries(now).filter(([key, value]) => !Object.hasOwn(added, key) || value !== added[key])
      this.#put(ownerId, kept.length === 0 ? undefined : Object.fromEntries(kept))
    }
  }

  /** All pieces as one frozen object. */
  get(): JsonObject {
    return freezeJson(Object.assign({}, ...this.#pieces.values()) as JsonObject)
  }

  clear(): void {
    if (this.#pieces.size === 0) return
    this.#pieces.clear()
    this.#changed()
  }

  #put(ownerId: string, piece: Record<string, JsonValue> | undefined): void {
    const before = this.#pieces.get(ownerId)
    if (piece) this.#pieces.set(ownerId, piece)
    else this.#pieces.delete(ownerId)
    if (canonicalJson(before ?? {}) !== canonicalJson(piece ?? {})) this.#changed()
  }
}

function readPiece(data: object): Record<string, JsonValue> {
  const copy = cloneJson(data)
  if (!isJsonObject(copy)) {
    throw new TypeError('A context must be an object, such as { page: "detail" }.')
  }
  return freezeJson({ ...copy })
}
