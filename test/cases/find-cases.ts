import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { CaseFile } from './run-case.ts'

/** A case found on disk. */
export interface FoundCase {
  readonly name: string
  readonly file: CaseFile
}

/** Finds every messages.json in a folder and the folders below it, in the order of their names. */
export function findCases(directory: string): readonly FoundCase[] {
  const root = resolve(directory)
  if (!existsSync(root)) return []
  const paths: string[] = []
  const visit = (path: string): void => {
    if (statSync(path).isFile()) {
      if (basename(path) === 'messages.json') paths.push(path)
      return
    }
    for (const entry of readdirSync(path).sort()) if (entry !== 'node_modules') visit(join(path, entry))
  }
  visit(root)
  return paths.map((path) => ({
    name: basename(dirname(path)),
    file: JSON.parse(readFileSync(path, 'utf8')) as CaseFile,
  }))
}
