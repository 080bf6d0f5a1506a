import { access } from 'node:fs/promises'

/** Where Debian, a build from source and Homebrew put the English model. */
const DIRECTORIES = [
  '/usr/share/pocketsphinx/model/en-us',
  '/usr/local/share/pocketsphinx/model/en-us',
  '/opt/homebrew/share/pocketsphinx/model/en-us',
]
const FILES = ['en-us/mdef', 'en-us/means', 'en-us.lm.bin', 'cmudict-en-us.dict']

/** The first directory that holds the whole English model, or undefined. */
export async function findModel(directory?: string): Promise<string | undefined> {
  for (const candidate of directory === undefined ? DIRECTORIES : [directory]) {
    try {
      await Promise.all(FILES.map((file) => access(`${candidate}/${file}`)))
      return candidate
    } catch {
      // The next place may have it; when none has, the caller says what to install.
    }
  }
  return undefined
}
