import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The scripts put into pages. */
export interface InjectedScripts {
  /** For the isolated world; expects `__domosSettings`. */
  readonly isolated: string
  /** For the page's own world; expects `__domosToken`. */
  readonly main: string
}

let loading: Promise<InjectedScripts> | undefined

/** Loads the scripts: built ones beside this file, or, when it runs from its source, made on the spot. */
export function loadInjectedScripts(): Promise<InjectedScripts> {
  loading ??= load().catch((thrown: unknown) => {
    loading = undefined
    throw thrown
  })
  return loading
}

async function load(): Promise<InjectedScripts> {
  const built = new URL('../injected/', import.meta.url)
  if (existsSync(new URL('isolated.js', built))) {
    const [isolated, main] = await Promise.all(
      ['isolated.js', 'main-world.js'].map((name) => readFile(new URL(name, built), 'utf8')),
    )
    return { isolated: isolated ?? '', main: main ?? '' }
  }
  // A development tool of the repository, absent where the package is installed; there the files above exist.
  const name = 'esbuild'
  const { build } = (await import(name)) as typeof import('esbuild')
  const bundle = async (entry: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../inject/${entry}.ts`, import.meta.url))],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'chrome120',
      conditions: ['@domos/source'],
      legalComments: 'none',
    })
    return outputFiles[0]?.text ?? ''
  }
  const [isolated, main] = await Promise.all([bundle('main'), bundle('main-world')])
  return { isolated, main }
}
