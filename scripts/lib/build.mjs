// Builds what the command and the demo run: compiled packages, the script-tag bundle, and the pages of examples and
// apps. Runs on Node 20; the packages must be installed.

import { spawn } from 'node:child_process'
import { inProject, projectEnvironment, projectNode } from './project.mjs'
import { run } from './run.mjs'
import { whenChanged } from './stamp.mjs'
import { listWorkspaces, withDependencies } from './workspaces.mjs'

/** Where the script-tag bundle of `@domos/browser` is put; the server hands it out as `/sdk/domos.js`. */
export const scriptTagBundle = 'adapters/browser/dist/browser/domos.js'

/** Builds everything that changed. Throws a sentence when a step fails; the step's own messages are printed before. */
export async function build() {
  const workspaces = listWorkspaces()
  await compile()
  await bundleForScriptTag(workspaces)
  await bundleForPages(workspaces)
  await buildPages(workspaces)
}

async function compile() {
  const compiler = inProject('node_modules/@typescript/native/bin/tsc')
  const { code } = await run(projectNode(), [compiler, '-b'], { env: projectEnvironment() })
  if (code !== 0) throw new Error(`The compiler (tsc -b) failed with exit code ${code}; its messages are above.`)
}

async function bundleForScriptTag(workspaces) {
  const adapter = workspaces.find(({ folder }) => folder === 'adapters/browser')
  if (adapter === undefined) return
  const inputs = [...inputsOf(adapter, workspaces), 'scripts/lib/build.mjs']
  await whenChanged('script-tag', inputs, scriptTagBundle, async () => {
    const { build: bundle } = await import('esbuild')
    await bundle({
      entryPoints: [inProject('adapters/browser/src/script.ts')],
      outfile: inProject(scriptTagBundle),
      bundle: true,
      minify: true,
      sourcemap: 'linked',
      format: 'iife',
      globalName: 'DomOS',
      platform: 'browser',
      target: 'es2022',
      conditions: ['@domos/source'],
      legalComments: 'none',
      logLevel: 'warning',
    })
  })
}

/** The scripts that the Chromium engine puts into pages. */
async function bundleForPages(workspaces) {
  const engine = workspaces.find(({ folder }) => folder === 'engines/chromium')
  if (engine === undefined) return
  const folder = `${engine.folder}/dist/injected`
  const inputs = [...inputsOf(engine, workspaces), 'scripts/lib/build.mjs']
  await whenChanged('injected', inputs, `${folder}/isolated.js`, async () => {
    const { build: bundle } = await import('esbuild')
    await bundle({
      entryPoints: {
        isolated: inProject(`${engine.folder}/src/inject/main.ts`),
        'main-world': inProject(`${engine.folder}/src/inject/main-world.ts`),
      },
      outdir: inProject(folder),
      bundle: true,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'chrome120',
      conditions: ['@domos/source'],
      legalComments: 'none',
      logLevel: 'warning',
    })
  })
}

/** Examples and apps are pages with a `build` script of their own that writes `dist/index.html`. */
async function buildPages(workspaces) {
  for (const workspace of workspaces) {
    const { folder, manifest } = workspace
    const command = manifest.scripts?.build
    if (command === undefined) continue
    await whenChanged(folder, inputsOf(workspace, workspaces), `${folder}/dist/index.html`, async () => {
      console.log(`Building ${folder} …`)
      const code = await runScript(command, folder)
      if (code !== 0) throw new Error(`The build script of ${folder} (${command}) failed with exit code ${code}.`)
    })
  }
}

function inputsOf(workspace, workspaces) {
  return [
    ...withDependencies(workspace, workspaces).map(({ folder }) => folder),
    'package-lock.json',
    'tsconfig.base.json',
  ]
}

function runScript(command, folder) {
  return new Promise((done, failed) => {
    // A build that a test started would take over the test's NODE_ENV, and with it React's development code.
    const env = projectEnvironment({ NODE_ENV: 'production' })
    const options = { cwd: inProject(folder), env, shell: true, stdio: 'inherit' }
    const child = spawn(command, options)
    child.on('error', failed)
    child.on('close', (code) => done(code ?? 1))
  })
}
