import { build } from 'esbuild'
import { Window } from 'happy-dom'
import { describe, expect, it } from 'vitest'

const entry = `
  import { createSomCompiler, sha256 } from '@domos/som'
  import { DomTree } from '@domos/som/dom'
  globalThis.domosCompile = (document) => {
    const compiler = createSomCompiler({ sha256 })
    return compiler.compile(new DomTree(document), { url: document.URL }).view().som
  }`

describe('the compiler in a page', () => {
  it('bundles without a parser, a regex engine or any Node API, and runs without eval', async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: entry, resolveDir: new URL('.', import.meta.url).pathname },
      bundle: true,
      write: false,
      minify: true,
      metafile: true,
      format: 'iife',
      platform: 'browser',
      conditions: ['@domos/source'],
    })
    const code = outputFiles[0]?.text ?? ''
    const inputs = Object.entries(metafile.outputs).flatMap(([, output]) =>
      Object.entries(output.inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path),
    )
    expect(inputs.filter((path) => /node_modules\/(?:parse5|re2js|entities)\//.test(path))).toEqual([])
    expect(code).not.toMatch(/\beval\(|new Function|\brequire\(|\bprocess\.|\bBuffer\b/)
    expect(code.length).toBeLessThan(100_000)

    const window = new Window({ url: 'https://example.com/' })
    window.document.write('<title>T</title><main><button>Go</button></main>')
    const scope: { domosCompile?: (document: unknown) => unknown } = {}
    new Function('globalThis', code)(scope)
    expect(scope.domosCompile?.(window.document)).toMatchObject({ title: 'T', regions: [{ id: 'r_main' }] })
    await window.happyDOM.close()
  })
})
