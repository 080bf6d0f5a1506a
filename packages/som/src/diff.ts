/** One operation of RFC 6902. Only these three are made; any reader of JSON Patch applies them. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type Json = Readonly<Record<string, unknown>>

const maxDepth = 200

/**
 * The patch from one JSON document to another. Arrays of objects with unique `id`s are compared by id, so that an
 * insertion is one operation; what only moved is removed and added. Applying the patch to `before` and serialising gives
 * the bytes of `after`, key order included: where keys would come out in another order, the object is replaced whole.
 */
export function diff(before: unknown, after: unknown): PatchOperation[] {
  const operations: PatchOperation[] = []
  compare(before, after, '', operations, 0)
  return operations
}

function compare(before: unknown, after: unknown, path: string, out: PatchOperation[], depth: number): void {
  if (Object.is(before, after)) return
  if (depth < maxDepth && Array.isArray(before) && Array.isArray(after)) {
    if (keyed(before) && keyed(after)) return compareKeyed(before, after, path, out, depth)
    return compareLists(before, after, path, out, depth)
  }
  if (depth < maxDepth && isObject(before) && isObject(after) && keepsOrder(before, after)) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key)) out.push({ op: 'remove', path: `${path}/${escapeKey(key)}` })
    }
    for (const key of Object.keys(after)) {
      const at = `${path}/${escapeKey(key)}`
      if (Object.hasOwn(before, key)) compare(before[key], after[key], at, out, depth + 1)
      else out.push({ op: 'add', path: at, value: after[key] })
    }
    return
  }
  if (!equal(before, after)) out.push({ op: 'replace', path, value: after })
}

/** True when removing and appending keys leads from the key order of `before` to that of `after`. */
function keepsOrder(before: Json, after: Json): boolean {
  const kept = Object.keys(before).filter((key) => Object.hasOwn(after, key))
  const keys = Object.keys(after)
  for (const [index, key] of kept.entries()) if (keys[index] !== key) return false
  // Engines put number-like keys first, wherever they are added; `__proto__` must never be a path.
  return keys.length === kept.length || !keys.some((key) => /^\d+$/.test(key) || key === '__proto__')
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  out: PatchOperation[],
  depth: number,
): void {
  if (equal(before, after)) return
  let start = 0
  while (start < before.length && start < after.length && equal(before[start], after[start])) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    equal(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end++
  }
  const removed = before.length - start - end
  const added = after.length - start - end
  const common = Math.min(removed, added)
  for (let at = start; at < start + common; at++) compare(before[at], after[at], `${path}/${at}`, out, depth + 1)
  for (let at = start + removed - 1; at >= start + common; at--) out.push({ op: 'remove', path: `${path}/${at}` })
  for (let at = start + common; at < start + added; at++)
    out.push({ op: 'add', path: `${path}/${at}`, value: after[at] })
}

function compareKeyed(
  before: readonly (Json & { id: string })[],
  after: readonly (Json & { id: string })[],
  path: string,
  out: PatchOperation[],
  depth: number,
): void {
  const places = new Map(before.map((item, index) => [item.id, index]))
  const common = after.filter((item) => places.has(item.id))
  const stay = new Set(
    longestIncreasing(common.map((item) => places.get(item.id) as number)).map((at) => common[at]?.id),
  )
  const current: (Json & { id: string })[] = []
  for (let at = before.length - 1; at >= 0; at--) {
    const item = before[at] as Json & { id: string }
    if (stay.has(item.id)) current.push(item)
    else out.push({ op: 'remove', path: `${path}/${at}` })
  }
  current.reverse()
  let at = 0
  for (const [index, item] of after.entries()) {
    if (stay.has(item.id)) {
      compare(current[at], item, `${path}/${index}`, out, depth + 1)
      at++
    } else out.push({ op: 'add', path: `${path}/${index}`, value: item })
  }
}

/** Positions of a longest increasing subsequence. */
function longestIncreasing(values: readonly number[]): number[] {
  const tails: number[] = []
  const previous: number[] = []
  values.forEach((value, index) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[tails[middle] as number] as number) < value) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? (tails[low - 1] as number) : -1
    tails[low] = index
  })
  const found: number[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] as number) found.push(at)
  return found.reverse()
}

function keyed(list: readonly unknown[]): list is readonly (Json & { id: string })[] {
  if (list.length === 0) return true
  const seen = new Set<string>()
  for (const item of list) {
    if (!isObject(item) || typeof item['id'] !== 'string' || seen.has(item['id'])) return false
    seen.add(item['id'])
  }
  return true
}

function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  const others = Object.keys(b)
  return keys.length === others.length && keys.every((key, index) => others[index] === key && equal(a[key], b[key]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
