import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** The contract of one adapter as a script for a page; its cases, and those of the adapter's own, stand in `window.contract`. */
export async function bundleContract(harness: string, plugins: readonly Plugin[] = []): Promise<string> {
  return await bundle({
    stdin: {
      contents: `
        import { adapterContract } from '@domos/testing/adapter'
        import * as own from './${harness}'
        window.contract = [...adapterContract(own.harness), ...(own.cases ?? [])]`,
      resolveDir: project,
      loader: 'ts',
    },
    format: 'iife',
    plugins: [...plugins],
  })
}

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    jsx: 'automatic',
    target: 'es2022',
    conditions: ['@domos/source', 'browser', 'svelte', 'development'],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    logLevel: 'silent',
    ...options,
  })
  const [output] = outputFiles ?? []
  if (!output) throw new Error('The bundle is empty.')
  return output.text
}

/** Takes React from the workspace that has version 18. */
export const react18: Plugin = {
  name: 'react-18',
  setup({ onResolve, resolve }) {
    const resolveDir = `${project}/examples/tasks-react-18`
    onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === 'found' ? undefined : resolve(path, { resolveDir, kind, pluginData: 'found' }),
    )
  },
}

/** Compiles Svelte components and modules with runes. */
export const svelte = compileSvelte('client')

function compileSvelte(generate: 'client' | 'server'): Plugin {
  return {
    name: 'svelte',
    setup({ onLoad }) {
      onLoad({ filter: /\.svelte(\.ts)?$/ }, async ({ path }) => {
        const { compile, compileModule } = await import('svelte/compiler')
        const source = await readFile(path, 'utf8')
        if (path.endsWith('.svelte')) return { contents: compile(source, { filename: path, generate }).js.code }
        const { code } = await transform(source, { loader: 'ts', target: 'esnext' })
        return { contents: compileModule(code, { filename: path.replace(/\.ts$/, '.js'), generate }).js.code }
      })
    },
  }
}

/** A module of this repository as a page's script, its exports in the global `name`. */
export async function bundleSvelte(path: string, name: string): Promise<string> {
  return await bundle({ entryPoints: [`${project}/${path}`], format: 'iife', globalName: name, plugins: [svelte] })
}

/** A module of this repository, compiled for rendering on a server, imported. */
export async function importForServer(path: string): Promise<Readonly<Record<string, unknown>>> {
  const code = await bundle({
    entryPoints: [`${project}/${path}`],
    format: 'esm',
    platform: 'node',
    conditions: ['@domos/source', 'svelte', 'node', 'import'],
    plugins: [compileSvelte('server')],
  })
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
