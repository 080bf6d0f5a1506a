import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, transform } from 'esbuild'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** The contract of one adapter as a script for a page; the cases stand in `window.contract`. */
export async function bundleContract(harness: string, plugins: readonly Plugin[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { adapterContract } from '@domos/testing/adapter'
        import { harness } from './${harness}'
        window.contract = adapterContract(harness)`,
      resolveDir: project,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    target: 'es2022',
    conditions: ['@domos/source', 'browser', 'svelte', 'development'],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    plugins: [...plugins],
    logLevel: 'silent',
  })
  const [output] = outputFiles
  if (!output) throw new Error(`Bundling ${harness} gave nothing.`)
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
export const svelte: Plugin = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte(\.ts)?$/ }, async ({ path }) => {
      const { compile, compileModule } = await import('svelte/compiler')
      const source = await readFile(path, 'utf8')
      if (path.endsWith('.svelte')) return { contents: compile(source, { filename: path, css: 'injected' }).js.code }
      const { code } = await transform(source, { loader: 'ts', target: 'esnext' })
      return { contents: compileModule(code, { filename: path.replace(/\.ts$/, '.js') }).js.code }
    })
  },
}
