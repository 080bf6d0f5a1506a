import { existsSync, readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DomosError, describeThrown } from '@domos/spec'
import { parse } from 'yaml'

/** Names looked for in the working directory, in this order. */
export const CONFIG_NAMES = ['domos.config.ts', 'domos.config.yml', 'domos.config.yaml', 'domos.config.json'] as const

/**
 * Reads the configuration file: the given one, else the first of {@link CONFIG_NAMES} in `directory`, else nothing.
 * @throws DomosError `invalid_request` when it is missing, unreadable or not an object
 */
export async function readConfigFile(
  directory: string,
  given: string | undefined,
): Promise<{ readonly path: string; readonly values: Readonly<Record<string, unknown>> } | undefined> {
  const path =
    given === undefined
      ? CONFIG_NAMES.map((name) => resolve(directory, name)).find(existsSync)
      : resolve(directory, given)
  if (path === undefined) return undefined
  if (!existsSync(path)) {
    throw new DomosError('invalid_request', `The configuration file ${path} does not exist. Check --config.`, {
      details: { setting: 'config' },
    })
  }
  let values: unknown
  try {
    values = await load(path)
  } catch (thrown) {
    throw new DomosError(
      'invalid_request',
      `The configuration file ${path} cannot be read: ${describeThrown(thrown)}`,
      {
        details: { setting: 'config' },
        cause: thrown,
      },
    )
  }
  if (values === null || values === undefined) return { path, values: {} }
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw new DomosError('invalid_request', `The configuration file ${path} must hold an object of settings.`, {
      details: { setting: 'config' },
    })
  }
  return { path, values: values as Record<string, unknown> }
}

async function load(path: string): Promise<unknown> {
  switch (extname(path)) {
    case '.ts':
    case '.js':
    case '.mjs': {
      const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
      return module.default
    }
    case '.json':
      return JSON.parse(readFileSync(path, 'utf8'))
    default:
      return parse(readFileSync(path, 'utf8'))
  }
}
