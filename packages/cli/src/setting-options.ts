import { type Command, Option } from 'commander'
import { SETTINGS, type SettingKey, type SettingRow } from './settings.ts'

/** Adds settings to a command as flags, all of them or only those named, and `--config`. */
export function addSettings(command: Command, only?: readonly SettingKey[]): void {
  for (const row of SETTINGS as readonly SettingRow[]) {
    if (row.flag === undefined || (only !== undefined && !only.includes(row.key as SettingKey))) continue
    const name = row.kind === 'flag' ? `--${row.flag}` : `--${row.flag} <${placeholder(row)}>`
    const shown = row.default === undefined || row.kind === 'flag' ? '' : ` (default: ${row.default})`
    const option = new Option(name, `${row.description}${shown}`)
    if (row.kind === 'list')
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    option.attributeName = () => row.key
    // `--no-…` is a flag of its own here, not the opposite of another one.
    option.negate = false
    command.addOption(option)
  }
  command.option('--config <file>', 'configuration file (default: domos.config.{ts,yml,json} in this folder)')
}

function placeholder(row: SettingRow): string {
  return row.kind === 'choice' ? (row.choices ?? []).join('|') : row.kind
}
