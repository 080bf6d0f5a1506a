import { readFileSync } from 'node:fs'

/** The account the browser runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** The account for the browser when we are root, whose processes get no sandbox; undefined keeps ours. */
export function unprivilegedAccount(): Account | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const line = accounts().find((entry) => entry.startsWith('nobody:'))
  const [name, , uid, gid] = line?.split(':') ?? []
  return name !== undefined && Number(uid) > 0 ? { name, uid: Number(uid), gid: Number(gid) } : undefined
}

function accounts(): readonly string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}
