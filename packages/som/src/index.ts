export { type CompileInput, createSomCompiler, type SomCompiler, type SomCompilerOptions } from './compile.ts'
export { defaultMedia, type MediaEnvironment } from './css/media.ts'
export { diff, type PatchOperation } from './diff.ts'
export type { ExpandRequest, Slice } from './expand.ts'
export type { BoundId, LostElement, Sha256 } from './identity.ts'
export { defaultBudgets, defaultSomLimits, type SomBudgets, type SomLimits, unlimitedBudgets } from './limits.ts'
export {
  type ModelDocument,
  type ModelElement,
  type ModelItem,
  type ModelRegion,
  nameOf,
  type Run,
  type Span,
} from './model.ts'
export type { OutlineOptions, OutlinePage } from './outline.ts'
export { applyPatch } from './patch.ts'
export { type Pattern, type PatternFactory, re2Pattern } from './pattern.ts'
export { findAll, type Match, type ResolveOptions, resolveTarget } from './resolve.ts'
export { isSecretField } from './roles.ts'
export { sha256 } from './sha256.ts'
export { Snapshot, View, type ViewOptions } from './snapshot.ts'
export type {
  AttributeValue,
  ElementAction,
  ElementExt,
  ElementRole,
  FrameExt,
  RegionRole,
  Som,
  SomDocument,
  SomElement,
  SomExt,
  SomListItem,
  SomMeta,
  SomOption,
  SomRegion,
  StructuredData,
  StructuredLink,
  Truncation,
} from './som.ts'
export { type Candidate, hasRole, type Resolved, type Target, TargetError, type TargetQuery } from './target.ts'
export { estimateTokenizer, type Tokenizer } from './tokens.ts'
export {
  type DocumentTree,
  type FrameView,
  type NodeKind,
  nextInTree,
  rawText,
  type ShadowView,
  type Visibility,
} from './tree.ts'
