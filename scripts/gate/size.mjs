import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { inProject } from '../lib/project.mjs'
import { listWorkspaces } from '../lib/workspaces.mjs'

/**
 * Sizes of `@domos/core` for a page, minified and gzipped, in bytes. Without the overlay counts what a page loads at
 * once; with it, what comes later by `import()` as well.
 */
const limits = { withoutOverlay: 15_000, withOverlay: 22_000 }

/** Each adapter without `@domos/core` and its framework, minified and gzipped, in bytes. */
const adapterLimit = 3_000

export async function checkSize() {
  const core = await checkCore()
  const adapters = await checkAdapters()
  return { problems: [...core.problems, ...adapters.problems], note: `${core.note}; ${adapters.note}` }
}

async function checkAdapters() {
  const adapters = listWorkspaces().filter(({ folder }) =>
    /^adapters\/(react|vue|svelte|angular|browser)$/.test(folder),
  )
  const sizes = await Promise.all(adapters.map(sizeOfAdapter))
  const problems = adapters.flatMap(({ manifest }, index) =>
    sizes[index] > adapterLimit ? [`${manifest.name} is ${sizes[index]} bytes, over its limit of ${adapterLimit}`] : [],
  )
  if (adapters.length < 5) problems.push('An adapter was not found, so its size is not measured.')
  return { problems, note: adapters.map(({ folder }, index) => `${folder.split('/')[1]} ${sizes[index]} B`).join(', ') }
}

async function sizeOfAdapter({ folder, manifest }) {
  const outside = ['@domos/core', ...Object.keys(manifest.peerDependencies ?? {})]
  const { outputFiles } = await build({
    entryPoints: [inProject(folder, 'src/index.ts')],
    external: outside.flatMap((name) => [name, `${name}/*`]),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length
}

async function checkCore() {
  const { outputFiles, metafile } = await build({
    stdin: { contents: "export { DomOSClient } from '@domos/core'", resolveDir: inProject('examples'), loader: 'ts' },
    outdir: inProject('.stamp/size'),
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@domos/source'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const bytes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents, { level: 9 }).length]))
  const sizeOf = (names) => names.reduce((total, name) => total + bytes.get(inProject(name)), 0)
  const entry = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint !== undefined)
  const atOnce = loadedAtOnce(metafile.outputs, entry)
  const later = Object.keys(metafile.outputs).filter((name) => !atOnce.includes(name))
  const measured = { withoutOverlay: sizeOf(atOnce), withOverlay: sizeOf([...atOnce, ...later]) }
  const problems = Object.entries(limits)
    .filter(([name, limit]) => measured[name] > limit)
    .map(([name, limit]) => `@domos/core ${name} is ${measured[name]} bytes, over its limit of ${limit}`)
  if (problems.length > 0) problems.push(...largestInputs(metafile.outputs))
  if (measured.withoutOverlay < 1000) problems.push('@domos/core measures under 1 kB, so something is not read.')
  return { problems, note: `core ${measured.withoutOverlay} B, with overlay ${measured.withOverlay} B` }
}

function loadedAtOnce(outputs, entry, seen = []) {
  if (seen.includes(entry)) return seen
  seen.push(entry)
  for (const { path, kind } of outputs[entry].imports)
    if (kind === 'import-statement') loadedAtOnce(outputs, path, seen)
  return seen
}

/** Where the bytes come from, before gzip, largest first. */
function largestInputs(outputs) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs
    .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    .slice(0, 15)
    .map(([path, { bytesInOutput }]) => `  ${String(bytesInOutput).padStart(6)} B  ${path}`)
}
