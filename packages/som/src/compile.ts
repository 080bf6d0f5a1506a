import type { JsonObject } from '@domos/spec'
import { defaultMedia, type MediaEnvironment } from './css/media.ts'
import { type BoundId, type Sha256, SomIdentity } from './identity.ts'
import { defaultBudgets, defaultSomLimits, type SomBudgets, type SomLimits } from './limits.ts'
import type { ModelDocument, ModelRegion } from './model.ts'
import { isSecretField } from './roles.ts'
import { readScope } from './scope.ts'
import { Snapshot } from './snapshot.ts'
import { readStructuredData } from './structured-data.ts'
import type { DocumentTree, FrameView } from './tree.ts'
import type { Model } from './view.ts'
import { walkDocument } from './walk.ts'

/** Options of {@link createSomCompiler}. */
export interface SomCompilerOptions {
  /** Synchronous SHA-256 in hex: `(text) => crypto.hash('sha256', text)` in Node, {@link sha256} anywhere. */
  readonly sha256: Sha256
  /**
   * `bound`: an id stays with its node, whatever moves or changes around it; `pure`: ids follow from the document alone,
   * so that any compiler gives the same. @default bound
   */
  readonly ids?: 'bound' | 'pure'
  /** @default {@link defaultBudgets} */
  readonly budgets?: Partial<SomBudgets>
  /** @default {@link defaultSomLimits} */
  readonly limits?: Partial<SomLimits>
  /** Viewport that media queries are answered for. @default 1280 × 720 */
  readonly media?: MediaEnvironment
}

/** What one compile is told about the document. */
export interface CompileInput<N extends object> {
  readonly url: string
  /** Size of the source in bytes. @default 0 */
  readonly htmlBytes?: number
  /** Text of a linked stylesheet, when the engine has it. */
  readonly stylesheet?: (href: string) => string | undefined
  /** True for fields that a secret was typed into; their value is never shown. */
  readonly isSecret?: (node: N) => boolean
  /** The focused node. */
  readonly focused?: N | undefined
  /** State of the page as the engine knows it; passed through as `som_ext.page`. */
  readonly page?: JsonObject
}

/** Compiles snapshots of one page and keeps its ids. */
export interface SomCompiler<N extends object> {
  /** Compiles the document as it is now. Never throws for any document. */
  compile(tree: DocumentTree<N>, input: CompileInput<N>): Snapshot<N>
  /**
   * Lets go of the document, so that its tree can be dropped, and gives the ids by node. With `rebind` they are bound
   * again to the nodes of an equal tree.
   */
  release(): readonly BoundId<N>[]
  rebind(tree: DocumentTree<N>, ids: readonly BoundId<N>[]): void
}

/** Makes a compiler for one page. Keep it for as long as the page lives: ids are bound in it. */
export function createSomCompiler<N extends object>(options: SomCompilerOptions): SomCompiler<N> {
  const limits = { ...defaultSomLimits, ...options.limits }
  const budgets = { ...defaultBudgets, ...options.budgets }
  const identity = new SomIdentity<N>({
    sha256: options.sha256,
    ids: options.ids ?? 'bound',
    maxLostIds: limits.maxLostIds,
  })
  const media = options.media ?? defaultMedia
  // A field that once was a password stays one, also when the page shows it in the clear.
  const secrets = new WeakSet<N>()
  const isSecret = (tree: DocumentTree<N>, node: N, input: CompileInput<N>): boolean => {
    if (secrets.has(node)) return true
    if (!isSecretField(tree, node) && input.isSecret?.(node) !== true) return false
    secrets.add(node)
    return true
  }

  return {
    release: () => identity.release(),
    rebind: (tree, ids) => identity.rebind(tree.root, ids),
    compile(tree, input) {
      const documents: ModelDocument<N>[] = []
      const work = { left: limits.maxWork }
      const add = (
        view: FrameView<N>,
        frameId: string,
        parent: string | undefined,
        host: N | undefined,
        depth: number,
      ): void => {
        const compiled = compileDocument(view, frameId, parent, host)
        documents.push(compiled.document)
        if (depth >= limits.maxFrameDepth) return
        compiled.frames.forEach(({ node }, index) => {
          if (documents.length > limits.maxFrames) return
          const inner = view.tree.frame?.(node)
          if (inner !== undefined)
            add(inner, inner.frameId ?? `${frameId === '' ? 'f' : `${frameId}_`}${index}`, frameId, node, depth + 1)
        })
      }

      const compileDocument = (
        view: FrameView<N>,
        frameId: string,
        parent: string | undefined,
        host: N | undefined,
      ) => {
        const root = view.tree.root
        const scopeOptions = {
          media,
          limits,
          work,
          ...(input.stylesheet === undefined ? {} : { stylesheet: input.stylesheet }),
        }
        const scope = readScope(view.tree, root, scopeOptions)
        const url = withoutCredentials(view.url)
        const walked =
          root === undefined
            ? { regions: [], hidden: new Map<string, number>(), frames: [] }
            : walkDocument(
                view.tree,
                scope,
                { scopeOptions, limits, isSecret: (node) => isSecret(view.tree, node, input) },
                root,
              )
        const document: ModelDocument<N> = {
          tree: view.tree,
          scope,
          url,
          baseUrl: resolveUrl(scope.baseHref, url),
          title: scope.title.toWellFormed(),
          lang: (root === undefined ? undefined : view.tree.attribute(root, 'lang'))?.trim() || 'en',
          htmlBytes: view.htmlBytes ?? 0,
          regions: openDialogsFirst(walked.regions),
          hidden: droppedBy(view.tree, walked.hidden),
          structuredData: readStructuredData(view.tree, scope),
          frameId,
          parentFrameId: parent,
          hostNode: host,
        }
        return { document, frames: walked.frames }
      }

      add({ tree, url: input.url, htmlBytes: input.htmlBytes ?? 0 }, '', undefined, undefined, 0)
      identity.enter(tree.root, documents[0]?.url ?? '')
      for (const { regions } of documents) identity.assignRegions(regions)
      const reanchored = identity.assign(documents)
      const model: Model<N> = {
        documents,
        generation: identity.generation,
        reanchored,
        page: input.page,
        focused: input.focused,
        isHeavy: work.left <= 0,
      }
      return new Snapshot(model, { budgets, sha256: options.sha256, identity })
    },
  }
}

function openDialogsFirst<N extends object>(regions: ModelRegion<N>[]): ModelRegion<N>[] {
  const first = regions.filter((region) => region.role === 'dialog' && region.open && region.modal)
  return first.length === 0 ? regions : [...first, ...regions.filter((region) => !first.includes(region))]
}

/** What was hidden, and what the parser had to leave out. */
function droppedBy<N extends object>(tree: DocumentTree<N>, hidden: Map<string, number>): Map<string, number> {
  return tree.isCut === true ? new Map([...hidden, ['limit', (hidden.get('limit') ?? 0) + 1]]) : hidden
}

/** Removes user and password from a URL. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1')
}

function resolveUrl(href: string | undefined, url: string): string {
  if (href === undefined) return url
  try {
    return new URL(href, url).href
  } catch {
    return url
  }
}
