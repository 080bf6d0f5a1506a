import { resolve } from 'node:path'
import { DomosError } from '@domos/spec'
import { readConfigFile } from './config-file.ts'
import { type ApiKeySetting, SETTINGS, type SettingRow, type Settings } from './settings.ts'

/** Where settings come from; earlier members win over later ones, defaults come last. */
export interface SettingSources {
  /** By setting key, as the command line gave them. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** `--config FILE`. */
  readonly configFile?: string
}

interface Given {
  readonly value: unknown
  /** How a person would name the place it came from. */
  readonly source: string
}

/**
 * Puts the settings together.
 * @throws DomosError `invalid_request` naming the flag, environment name or key that is wrong
 */
export async function loadSettings(sources: SettingSources): Promise<Settings> {
  const file = await readConfigFile(sources.directory, sources.configFile ?? sources.env['DOMOS_CONFIG'])
  const known = new Set<string>([...SETTINGS.map((row) => row.key), 'limits'])
  for (const key of Object.keys(file?.values ?? {})) {
    if (!known.has(key)) throw invalid(`${key} in ${file?.path}`, `is no setting. Known ones: ${[...known].join(', ')}`)
  }

  const given = new Map<string, Given>()
  for (const row of SETTINGS as readonly SettingRow[]) {
    const found = find(row, sources, file)
    if (found !== undefined) given.set(row.key, { value: read(row, found), source: found.source })
  }
  const value = <T>(key: string): T => {
    const row = SETTINGS.find((candidate) => candidate.key === key) as SettingRow | undefined
    return (given.get(key)?.value ?? row?.default) as T
  }
  const logFormat = value<'text' | 'json'>('logFormat')
  return {
    host: value('host'),
    port: value('port'),
    isPortGiven: given.has('port'),
    doors: value('doors'),
    model: value('model'),
    modelBaseUrl: value('modelBaseUrl'),
    modelApiKey: value('modelApiKey'),
    apiKeys: readApiKeys(value<readonly unknown[] | undefined>('apiKeys') ?? [], given.get('apiKeys')?.source ?? ''),
    allowedOrigins: value<readonly string[] | undefined>('allowedOrigins') ?? [],
    publicHosts: value<readonly string[] | undefined>('publicHosts') ?? [],
    refuseRiskyWithoutApproval: value('refuseRiskyWithoutApproval'),
    engine: value('engine'),
    noSandbox: value('noSandbox'),
    allowEvaluate: value('allowEvaluate'),
    allowPrivateNetwork: value('allowPrivateNetwork'),
    allowedHosts: value<readonly string[] | undefined>('allowedHosts') ?? [],
    recognition: value('recognition'),
    synthesis: value('synthesis'),
    speechApiKey: value('speechApiKey'),
    deviceNetworks: value<readonly string[] | undefined>('deviceNetworks') ?? [],
    voiceRecordings: given.has('voiceRecordings')
      ? resolve(sources.directory, value<string>('voiceRecordings'))
      : undefined,
    voiceRecordingDays: value('voiceRecordingDays'),
    dataDir: resolve(sources.directory, value<string>('dataDir')),
    tlsCert: value('tlsCert'),
    tlsKey: value('tlsKey'),
    logFormat,
    logLevel: value<Settings['logLevel'] | undefined>('logLevel') ?? (logFormat === 'json' ? 'info' : 'warn'),
    limits: readLimits(file?.values['limits']),
  }
}

function find(
  row: SettingRow,
  sources: SettingSources,
  file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | undefined,
): Given | undefined {
  const flag = sources.flags[row.key]
  if (flag !== undefined) return { value: flag, source: `--${row.flag}` }
  for (const name of row.env) {
    const text = sources.env[name]
    if (text !== undefined && text !== '') return { value: text, source: name }
  }
  const inFile = file?.values[row.key]
  if (inFile !== undefined) return { value: inFile, source: `${row.key} in ${file?.path}` }
  return undefined
}

function read(row: SettingRow, { value, source }: Given): unknown {
  switch (row.kind) {
    case 'port': {
      const port = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN)
      if (!Number.isInteger(port) || port < 0 || port > 65_535) throw invalid(source, 'must be a port from 0 to 65535')
      return port
    }
    case 'count': {
      const count = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN)
      if (!Number.isSafeInteger(count) || count < 1) throw invalid(source, 'must be a whole number of at least 1')
      return count
    }
    case 'flag': {
      if (typeof value === 'boolean') return value
      const text = String(value).toLowerCase()
      if (['1', 'true', 'yes', 'on'].includes(text)) return true
      if (['0', 'false', 'no', 'off'].includes(text)) return false
      throw invalid(source, 'must be true or false')
    }
    case 'list': {
      const parts =
        typeof value === 'string'
          ? value.split(',')
          : Array.isArray(value)
            ? value.flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]))
            : undefined
      if (parts === undefined) throw invalid(source, 'must be a list')
      const list = parts.map((part) => (typeof part === 'string' ? part.trim() : part)).filter((part) => part !== '')
      for (const part of list) {
        if (row.choices !== undefined && !row.choices.includes(part as string)) {
          throw invalid(source, `knows ${row.choices.join(', ')}, not ${JSON.stringify(part)}`)
        }
      }
      return list
    }
    case 'choice':
      if (!row.choices?.includes(String(value))) throw invalid(source, `must be one of ${row.choices?.join(', ')}`)
      return value
    default:
      if (typeof value !== 'string' || value === '') throw invalid(source, 'must be a text that is not empty')
      return value
  }
}

function readApiKeys(list: readonly unknown[], source: string): readonly ApiKeySetting[] {
  return list.map((entry) => {
    const key = typeof entry === 'string' ? entry : (entry as { key?: unknown } | null)?.key
    if (typeof key !== 'string' || key.length < 8) throw invalid(source, 'must hold keys of at least 8 characters')
    return typeof entry === 'string' ? { key } : { ...(entry as ApiKeySetting), key }
  })
}

/** Organs and doors whose numbers may be changed. */
const LIMITED: readonly string[] = ['agent', 'server', 'adtp', 'voice', 'audio', 'browsing', 'awp']

function readLimits(value: unknown): Settings['limits'] {
  if (value === undefined) return {}
  const limits: Record<string, Record<string, number>> = {}
  if (typeof value !== 'object' || value === null)
    throw invalid('limits', 'must be an object by organ, such as {agent: {toolTimeoutMs: 10000}}')
  for (const [organ, numbers] of Object.entries(value)) {
    if (!LIMITED.includes(organ))
      throw invalid(`limits.${organ}`, `is no organ with limits; there are ${LIMITED.join(', ')}`)
    if (typeof numbers !== 'object' || numbers === null)
      throw invalid(`limits.${organ}`, 'must be an object of numbers')
    for (const [name, number] of Object.entries(numbers as Record<string, unknown>)) {
      if (typeof number !== 'number' || !Number.isFinite(number) || number < 0)
        throw invalid(`limits.${organ}.${name}`, 'must be a number of at least 0')
    }
    limits[organ] = numbers as Record<string, number>
  }
  return limits
}

function invalid(source: string, problem: string): DomosError {
  return new DomosError('invalid_request', `${source} ${problem}.`, { details: { setting: source } })
}
