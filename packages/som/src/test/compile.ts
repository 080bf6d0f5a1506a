import { hash } from 'node:crypto'
import { createSomCompiler, type Snapshot, type SomCompilerOptions } from '../index.ts'
import { type LeanNode, type LeanTree, parseHtml } from '../parse.ts'

export const nodeSha256 = (text: string): string => hash('sha256', text)

export function compiler(options: Partial<SomCompilerOptions> = {}) {
  return createSomCompiler<LeanNode>({ sha256: nodeSha256, ...options })
}

export function compileHtml(html: string, options: Partial<SomCompilerOptions> & { url?: string } = {}) {
  return compileTree(parseHtml(html), options)
}

export function compileTree(
  tree: LeanTree,
  options: Partial<SomCompilerOptions> & { url?: string } = {},
): Snapshot<LeanNode> {
  return compiler(options).compile(tree, { url: options.url ?? 'https://example.com/' })
}

/** First node with the tag, and optionally an attribute. */
export function findNode(tree: LeanTree, test: (node: LeanNode) => boolean): LeanNode {
  const visit = (node: LeanNode | undefined): LeanNode | undefined => {
    for (let at = node; at; at = at.next) {
      if (test(at)) return at
      const inner = visit(at.first)
      if (inner) return inner
    }
    return undefined
  }
  const found = visit(tree.root)
  if (!found) throw new Error('no such node in the test page')
  return found
}
