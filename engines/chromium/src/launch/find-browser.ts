import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DomosError } from '@domos/spec'

const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A sentence that says how a browser is got. */
export const HOW_TO_GET_A_BROWSER =
  'Install chromium-headless-shell (Debian, Ubuntu: apt-get install chromium-headless-shell), Chromium or Google Chrome, or set DOMOS_CHROMIUM to its path.'

/** The path of an installed browser: `DOMOS_CHROMIUM`, else the first that PATH or the usual places have. */
export function findBrowser(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const named = environment['DOMOS_CHROMIUM']
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new DomosError('unavailable', `DOMOS_CHROMIUM names ${named}, which is not a program. Correct or unset it.`)
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)))
  return [...onPath, ...PLACES].find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
