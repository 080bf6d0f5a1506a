import { hash } from 'node:crypto'
import { createSomCompiler } from '@domos/som'
import { parseHtml } from '@domos/som/parse'
import type { MainIo } from '../main.ts'
import { readDocument } from '../read-document.ts'

/** How a page is printed. */
export interface PrintOptions {
  /** The text view for models instead of the document. */
  readonly outline: boolean
  /** Ceiling for what is printed, in tokens. */
  readonly maxTokens: number | undefined
  /** `{som, som_ext}` instead of the document alone. */
  readonly ext: boolean
}

/** Compiles a document of this machine and prints its Semantic Object Model. Reaches no network. */
export async function som(
  source: string,
  options: PrintOptions & { readonly url: string | undefined },
  io: MainIo,
): Promise<void> {
  const { html, url, htmlBytes } = await readDocument(source, io.directory)
  const compiler = createSomCompiler<object>({ sha256: (text) => hash('sha256', text) })
  const snapshot = compiler.compile(parseHtml(html), { url: options.url ?? url, htmlBytes })
  const limit = options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }
  if (options.outline) {
    const page = snapshot.outline(limit)
    io.out(page.text)
    if (page.linesLeft > 0) io.err(`${page.linesLeft} more lines; raise --max-tokens to see them.`)
    return
  }
  const view = snapshot.view(limit)
  io.out(JSON.stringify(options.ext ? view : view.som))
}
