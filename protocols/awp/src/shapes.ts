import type { BrowsingCookie, ExtractQuery, Target, TargetQuery, WaitSpec } from '@domos/spec'
import * as v from 'valibot'

/** Text of a bounded length. */
export const text = (max: number) => v.pipe(v.string(), v.maxLength(max))
/** An integer within bounds. */
export const integer = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))

/** Opaque ids of sessions, pages, elements, downloads. */
export const opaqueId = v.pipe(
  v.string(),
  v.regex(/^[\w:.-]{1,128}$/, 'must be an id of 1 to 128 letters, digits or _:.-'),
)

const MAX_TIMEOUT_MS = 600_000
/** A time limit in milliseconds. */
export const timeoutMs = integer(0, MAX_TIMEOUT_MS)

/** A query ("Element References"). `text_match` and flat keys are what shipped peers send. */
const queryFields = {
  text: v.optional(text(2_000)),
  text_regex: v.optional(text(256)),
  text_match: v.optional(text(256)),
  role: v.optional(text(64)),
  label: v.optional(text(2_000)),
  level: v.optional(integer(1, 6)),
  css: v.optional(text(1_000)),
}
/** Keys of a target that select something; a target with none of them is refused. */
export const TARGET_KEYS = ['element_ref', 'ref', 'query', 'fallback', ...Object.keys(queryFields)] as const

type RawQuery = {
  [K in 'text' | 'text_regex' | 'text_match' | 'role' | 'label' | 'css']?: string | undefined
} & { level?: number | undefined }

/** Turns the wire's query into the house's. */
export function toQuery(raw: RawQuery): TargetQuery {
  const regex = raw.text_regex ?? raw.text_match
  return compact({
    text: raw.text,
    textRegex: regex,
    role: raw.role,
    label: raw.label,
    level: raw.level,
    css: raw.css,
  })
}

/** A query object with at least one key. */
export const query = v.pipe(
  v.object(queryFields),
  v.check(
    (raw) => Object.values(raw).some((value) => value !== undefined),
    'needs at least one of text, text_regex, role, label, level, css',
  ),
  v.transform(toQuery),
)

interface RawTarget extends RawQuery {
  element_ref?: string | undefined
  ref?: string | undefined
  query?: RawQuery | undefined
  fallback?: RawTarget | RawTarget[] | undefined
}

const rawTarget: v.GenericSchema<RawTarget> = v.object({
  ...queryFields,
  element_ref: v.optional(opaqueId),
  ref: v.optional(opaqueId),
  query: v.optional(v.object(queryFields)),
  fallback: v.optional(v.lazy(() => v.union([v.pipe(v.array(rawTarget), v.maxLength(16)), rawTarget]))),
}) as v.GenericSchema<RawTarget>

/** A target in the document's form, or flat as shipped peers send it. */
export const target: v.GenericSchema<unknown, Target> = v.pipe(
  rawTarget,
  v.check(hasKey, `needs at least one of ${TARGET_KEYS.join(', ')}`),
  v.transform(toTarget),
) as v.GenericSchema<unknown, Target>

function hasKey(raw: RawTarget): boolean {
  return TARGET_KEYS.some((key) => raw[key as keyof RawTarget] !== undefined)
}

function toTarget(raw: RawTarget): Target {
  const { element_ref: elementRef, ref, query: nested, fallback, ...flat } = raw
  const merged = toQuery({ ...flat, ...nested })
  const list =
    fallback === undefined ? undefined : (Array.isArray(fallback) ? fallback : [fallback]).filter(hasKey).map(toTarget)
  return compact({
    elementRef: elementRef ?? ref,
    query: Object.keys(merged).length === 0 ? undefined : merged,
    fallback: list,
  })
}

/** Names of target keys nobody reads, for the result's warnings: a misspelt key must not silently widen a match. */
export function unknownTargetKeys(raw: unknown): readonly string[] {
  if (typeof raw !== 'object' || raw === null) return []
  return Object.keys(raw).filter((key) => !(TARGET_KEYS as readonly string[]).includes(key))
}

/** `wait` of navigate, act and wait_for ("Page Lifecycle"). */
export const wait = v.pipe(
  v.object({
    until: v.optional(v.picklist(['dom_content_loaded', 'load', 'network_idle', 'som_stable'])),
    query: v.optional(query),
    gone: v.optional(v.boolean()),
    timeout_ms: v.optional(timeoutMs),
  }),
  v.transform(
    (raw): WaitSpec => compact({ until: raw.until, query: raw.query, gone: raw.gone, timeoutMs: raw.timeout_ms }),
  ),
)

/** A cookie, in the document's snake_case or shipped peers' camelCase. */
export const cookie = v.pipe(
  v.object({
    name: text(4_096),
    value: text(4_096),
    domain: v.optional(text(255)),
    url: v.optional(text(8_192)),
    path: v.optional(text(4_096)),
    expires: v.nullish(v.number()),
    http_only: v.optional(v.boolean()),
    httpOnly: v.optional(v.boolean()),
    secure: v.optional(v.boolean()),
    same_site: v.optional(v.string()),
    sameSite: v.optional(v.string()),
  }),
  v.transform((raw): BrowsingCookie => {
    const sameSite = (['Strict', 'Lax', 'None'] as const).find(
      (name) => name.toLowerCase() === (raw.same_site ?? raw.sameSite)?.toLowerCase(),
    )
    const expires = raw.expires === null || raw.expires === undefined || raw.expires < 0 ? undefined : raw.expires
    return compact({
      name: raw.name,
      value: raw.value,
      domain: raw.domain,
      url: raw.url,
      path: raw.path,
      expires,
      httpOnly: raw.http_only ?? raw.httpOnly,
      secure: raw.secure,
      sameSite,
    })
  }),
)

interface RawExtract extends RawQuery {
  query?: (RawQuery & { element_ref?: string | undefined; region?: string | undefined }) | undefined
  element_ref?: string | undefined
  ref?: string | undefined
  region?: string | undefined
  all?: boolean | undefined
  props?: string[] | undefined
  fields?: Record<string, RawExtract> | undefined
}

const rawExtract: v.GenericSchema<RawExtract> = v.object({
  ...queryFields,
  query: v.optional(v.object({ ...queryFields, element_ref: v.optional(opaqueId), region: v.optional(opaqueId) })),
  element_ref: v.optional(opaqueId),
  ref: v.optional(opaqueId),
  region: v.optional(opaqueId),
  all: v.optional(v.boolean()),
  props: v.optional(v.pipe(v.array(text(64)), v.maxLength(32))),
  fields: v.optional(v.lazy(() => v.record(text(128), rawExtract))),
}) as v.GenericSchema<RawExtract>

/** One field of page.extract: `{query: {…}}`, or flat. */
export const extractQuery: v.GenericSchema<unknown, ExtractQuery> = v.pipe(
  rawExtract,
  v.transform(toExtractQuery),
) as v.GenericSchema<unknown, ExtractQuery>

function toExtractQuery(raw: RawExtract): ExtractQuery {
  const { query: nested, element_ref: elementRef, ref, region, all, props, fields, ...flat } = raw
  return compact({
    query: compact({
      ...toQuery({ ...flat, ...nested }),
      elementRef: nested?.element_ref ?? elementRef ?? ref,
      region: nested?.region ?? region,
    }),
    all,
    props,
    fields:
      fields === undefined
        ? undefined
        : Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toExtractQuery(field)])),
  })
}

/** An object without its undefined members, typed as optional ones. */
export function compact<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
