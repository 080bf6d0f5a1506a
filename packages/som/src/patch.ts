import { DomosError } from '@domos/spec'
import type { PatchOperation } from './diff.ts'

type Container = Record<string, unknown> | unknown[]

/**
 * Applies a patch of add, remove and replace to a copy of a JSON document.
 * @throws DomosError invalid_request when an operation does not fit the document; the document is untouched
 */
export function applyPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  let root: unknown = structuredClone(document)
  for (const operation of operations) {
    const value = operation.op === 'remove' ? undefined : structuredClone(operation.value)
    if (operation.path === '') {
      if (operation.op === 'remove') throw misfit(operation.path)
      root = value
      continue
    }
    const keys = operation.path.split('/').slice(1).map(unescapeKey)
    const last = keys.pop() as string
    let parent: unknown = root
    for (const key of keys) parent = read(parent, key, operation.path)
    change(parent, last, operation, value)
  }
  return root
}

function change(parent: unknown, key: string, operation: PatchOperation, value: unknown): void {
  if (typeof parent !== 'object' || parent === null || key === '__proto__') throw misfit(operation.path)
  if (!Array.isArray(parent)) {
    const object = parent as Record<string, unknown>
    if (operation.op !== 'add' && !Object.hasOwn(object, key)) throw misfit(operation.path)
    if (operation.op === 'remove') delete object[key]
    else object[key] = value
    return
  }
  const at = key === '-' && operation.op === 'add' ? parent.length : indexOf(key)
  const max = operation.op === 'add' ? parent.length : parent.length - 1
  if (at < 0 || at > max) throw misfit(operation.path)
  if (operation.op === 'add') parent.splice(at, 0, value)
  else if (operation.op === 'remove') parent.splice(at, 1)
  else parent[at] = value
}

function read(parent: unknown, key: string, path: string): Container {
  const value: unknown = Array.isArray(parent)
    ? parent[indexOf(key)]
    : typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
      ? (parent as Record<string, unknown>)[key]
      : undefined
  if (typeof value !== 'object' || value === null) throw misfit(path)
  return value as Container
}

function indexOf(key: string): number {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : -1
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function misfit(path: string): DomosError {
  return new DomosError('invalid_request', `The patch does not fit the document at ${path}; fetch a new snapshot.`, {
    details: { path },
  })
}
