import type { MutableExt } from './model.ts'
import type { Scope } from './scope.ts'
import type { ElementRole } from './som.ts'
import type { DocumentTree } from './tree.ts'

/** What the builder knows about a node when it makes an element of it. */
export interface ElementModelInput<N extends object> {
  readonly tree: DocumentTree<N>
  readonly scope: Scope<N>
  readonly node: N
  readonly tag: string
  readonly role: ElementRole
  readonly ext: MutableExt
  readonly disabled: boolean
  readonly inert: boolean
  readonly isSecret: (node: N) => boolean
  readonly maxChars: number
}
