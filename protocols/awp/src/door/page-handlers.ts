import {
  DomosError,
  type Intent,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ObserveOptions,
  type WaitSpec,
} from '@domos/spec'
import type { Dialect } from '../dialect.ts'
import type { MethodParams } from '../messages.ts'
import { compact, unknownTargetKeys } from '../shapes.ts'
import type { HandlerContext } from './handler-context.ts'
import { actResult, downloadInfo, mutationsResult, navigateResult, snapshotResult, wireCursor } from './results.ts'
import { pageRows } from './session-handlers.ts'

type SnapshotParams = Pick<
  Partial<MethodParams<'page.observe'>>,
  'format' | 'max_bytes' | 'max_tokens' | 'outline' | 'ext' | 'som'
>
type Waited = { readonly wait?: WaitSpec | undefined; readonly timeout_ms?: number | undefined }

/** Handlers of the document's "Page Lifecycle", "Observation", "Actions" and "Data Extraction". */
export const pageHandlers = {
  'page.create': async (params: MethodParams<'page.create'>, context: HandlerContext): Promise<JsonObject> => {
    const session = context.session(params.session_id)
    const page = await session.createPage(context.call, compact({ url: params.url }))
    context.watch(session, page)
    return { page_id: page.id }
  },

  'page.list': async (params: MethodParams<'page.list'>, context: HandlerContext): Promise<JsonObject> => {
    return { pages: pageRows(context.session(params.session_id)) }
  },

  'page.navigate': async (params: MethodParams<'page.navigate'>, context: HandlerContext): Promise<JsonObject> => {
    const page = await context.page(params)
    const result = navigateResult(await page.navigate(params.url, waitOf(params), context.call), context.dialect)
    if (params.observe === undefined || params.observe === false) return result
    const wanted = params.observe === true ? {} : params.observe
    const snapshot = await page.snapshot(snapshotOptions(wanted, context), context.call)
    return { ...result, observe: snapshotResult(snapshot, context.dialect, wanted.som !== false) }
  },

  'page.back': async (params: MethodParams<'page.back'>, context: HandlerContext): Promise<JsonObject> => {
    return navigateResult(await (await context.page(params)).back(waitOf(params), context.call), context.dialect)
  },

  'page.forward': async (params: MethodParams<'page.forward'>, context: HandlerContext): Promise<JsonObject> => {
    return navigateResult(await (await context.page(params)).forward(waitOf(params), context.call), context.dialect)
  },

  'page.reload': async (params: MethodParams<'page.reload'>, context: HandlerContext): Promise<JsonObject> => {
    return navigateResult(await (await context.page(params)).reload(waitOf(params), context.call), context.dialect)
  },

  'page.close': async (params: MethodParams<'page.close'>, context: HandlerContext): Promise<JsonObject> => {
    await (await context.page(params)).close()
    return { closed: true }
  },

  'page.observe': async (params: MethodParams<'page.observe'>, context: HandlerContext): Promise<JsonObject> => {
    const page = await context.page(params)
    if (params.expand !== undefined) {
      const slice = await page.expand(params.expand, context.call)
      const { nextCursor, ...content } = slice
      return compact({
        mode: 'expand',
        ...content,
        elements: [...slice.elements],
        next_cursor: nextCursor,
      }) as JsonObject
    }
    if (params.mode === 'mutations') {
      const answer = await page.mutations(params.cursor ?? 0, params.max_events ?? 100, context.call)
      return 'som' in answer ? snapshotResult(answer, context.dialect) : mutationsResult(answer, context.dialect)
    }
    if (params.mode !== undefined && params.mode !== 'snapshot' && context.dialect === 'draft') {
      throw new DomosError('invalid_request', 'mode is "snapshot" or "mutations".', {
        details: { path: 'params.mode' },
      })
    }
    const snapshot = await page.snapshot(snapshotOptions(params, context), context.call)
    return snapshotResult(snapshot, context.dialect, params.som !== false)
  },

  'page.subscribe': async (params: MethodParams<'page.subscribe'>, context: HandlerContext): Promise<JsonObject> => {
    const session = context.session(params.session_id)
    context.subscribe(session, await context.page(params), params.events)
    return { events: [...params.events] }
  },

  'page.act': async (params: MethodParams<'page.act'>, context: HandlerContext): Promise<JsonObject> => {
    const { action, target, value, options } = params.intent
    const page = await context.page(params)
    const intent = compact({
      action,
      target,
      value: value as JsonValue | undefined,
      options: options as JsonObject | undefined,
    })
    try {
      return actResult(await page.act(intent, waitOf(params), context.call), context.dialect, page.id)
    } catch (thrown) {
      const candidates = ambiguity(thrown, context.dialect, intent)
      if (candidates === undefined) throw thrown
      const first = { ...intent, target: { elementRef: candidates[0] as string } }
      const result = actResult(await page.act(first, waitOf(params), context.call), context.dialect, page.id)
      return { ...result, resolved: { ...(result['resolved'] as JsonObject), ambiguous: candidates.length } }
    }
  },

  'page.wait_for': async (params: MethodParams<'page.wait_for'>, context: HandlerContext): Promise<JsonObject> => {
    const result = await (await context.page(params)).waitFor(waitOf(params), context.call)
    return compact({
      met: true,
      element_id: result.elementId,
      waited_ms: result.waitedMs,
      som_cursor: wireCursor(result.cursor, context.dialect),
    })
  },

  'page.extract': async (params: MethodParams<'page.extract'>, context: HandlerContext): Promise<JsonObject> => {
    const queries = params.queries ?? params.fields
    const isEmpty =
      queries === undefined &&
      params.schema === undefined &&
      params.structured_data !== true &&
      params.interactive_elements !== true
    if (isEmpty) {
      throw new DomosError(
        'invalid_request',
        'page.extract needs queries, a schema, structured_data or interactive_elements.',
        {
          details: { path: 'params.queries' },
        },
      )
    }
    const page = await context.page(params)
    const result = await page.extract(
      compact({
        schema: params.schema as JsonSchema | undefined,
        queries,
        structuredData: params.structured_data,
        interactiveElements: params.interactive_elements,
      }),
      context.call,
    )
    if (params.structured_data === true || params.interactive_elements === true) {
      return { ...(result.data as JsonObject), url: result.url }
    }
    return compact({
      data: result.data,
      provenance: result.provenance as JsonObject,
      url: result.url,
      ambiguous: result.ambiguous as JsonObject | undefined,
      raw: result.raw,
      invalid: result.invalid === undefined ? undefined : [...result.invalid],
    })
  },

  'page.downloads.list': async (
    params: MethodParams<'page.downloads.list'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    return { downloads: (await context.page(params)).listDownloads().map(downloadInfo) }
  },

  'page.downloads.get': async (
    params: MethodParams<'page.downloads.get'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    const page = await context.page(params)
    // Base64 grows by a third and the frame has a limit of its own, so a chunk is half a frame at most.
    const size = Math.min(params.max_bytes ?? 262_144, 524_288)
    const chunk = await page.readDownload(params.download_id, params.offset ?? 0, size)
    const data = context.format.encoding === 'msgpack' ? (chunk.data as unknown as JsonValue) : toBase64(chunk.data)
    return { data, offset: params.offset ?? 0, total_bytes: chunk.totalBytes, done: chunk.done }
  },

  'page.dialog.accept': async (
    params: MethodParams<'page.dialog.accept'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    await (await context.page(params)).answerDialog(true, params.text)
    return { accepted: true }
  },

  'page.dialog.dismiss': async (
    params: MethodParams<'page.dialog.dismiss'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    await (await context.page(params)).answerDialog(false, undefined)
    return { dismissed: true }
  },

  'page.screenshot': async (params: MethodParams<'page.screenshot'>, context: HandlerContext): Promise<JsonObject> => {
    const { data, mimeType } = await (await context.page(params)).screenshot(params.element_ref, context.call)
    return {
      data: context.format.encoding === 'msgpack' ? (data as unknown as JsonValue) : toBase64(data),
      mime_type: mimeType,
    }
  },

  'page.evaluate_js': async (
    params: MethodParams<'page.evaluate_js'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    return { value: await (await context.page(params)).evaluate(params.expression, context.call) }
  },
}

/** Shipped peers take the first of several matches, and are told how many there were; the draft's get the error. */
function ambiguity(thrown: unknown, dialect: Dialect, { action, target }: Intent): readonly string[] | undefined {
  if (dialect !== 'legacy' || target === undefined || !/^(primitive\.)?\w+$/.test(action)) return undefined
  const candidates =
    thrown instanceof DomosError && thrown.code === 'conflict' ? thrown.details['candidates'] : undefined
  return Array.isArray(candidates) && candidates.length > 0 ? candidates.map(String) : undefined
}

/** Names of target keys nobody reads, told in the result's warnings. */
export function targetWarnings(method: string, rawParams: JsonObject): readonly string[] {
  if (method !== 'page.act') return []
  const intent = rawParams['intent']
  const target = typeof intent === 'object' && intent !== null ? (intent as JsonObject)['target'] : undefined
  return unknownTargetKeys(target).map((key) => `target.${key} is not read`)
}

/** What a snapshot may be asked for. @throws DomosError `unsupported` for a format that this connection cannot carry */
function snapshotOptions(params: SnapshotParams, context: HandlerContext): ObserveOptions {
  if (params.format === 'som+msgpack' && context.format.encoding !== 'msgpack') {
    throw new DomosError('unsupported', 'som+msgpack needs a connection that selected msgpack in awp.hello.', {
      details: { field: 'format', supported: ['som+json'] },
    })
  }
  const { max_bytes: maxBytes, max_tokens: maxTokens, som } = params
  const isOutlineAlone = som === false && params.outline !== undefined && params.outline !== false
  if (isOutlineAlone && maxBytes !== undefined) {
    throw new DomosError('invalid_request', 'max_bytes bounds the SOM; an outline alone is bounded by max_tokens.', {
      details: { path: 'params.max_bytes' },
    })
  }
  return compact({
    maxBytes,
    // Without the SOM the ceiling is the outline's.
    maxTokens: isOutlineAlone ? undefined : maxTokens,
    outline: boundedOutline(params.outline, maxTokens),
    ext: params.ext ?? (context.dialect === 'draft' && params.som !== false),
  })
}

/** An outline that names no ceiling of its own keeps to that of the whole request. */
function boundedOutline(outline: ObserveOptions['outline'], maxTokens: number | undefined): ObserveOptions['outline'] {
  if (outline === undefined || outline === false || maxTokens === undefined) return outline
  if (outline === true) return { maxTokens }
  return { ...outline, maxTokens: outline.maxTokens ?? maxTokens }
}

function waitOf({ wait, timeout_ms: timeoutMs }: Waited): WaitSpec {
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...wait }
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
