import type { Scope } from '@domos/spec'
import * as v from 'valibot'
import { compact, cookie, extractQuery, integer, opaqueId, target, text, timeoutMs, wait } from './shapes.ts'

/** One method of the document. */
export interface MethodRow {
  /** Parameters, read into the house's spelling. */
  readonly params: v.GenericSchema<unknown, unknown>
  /** Scope a caller needs ("Permissions"); undefined = none. */
  readonly scope: Scope | undefined
  /** False: named by the document, answered UNSUPPORTED by this build. */
  readonly isBuilt: boolean
  /** Spellings shipped peers use besides. */
  readonly aliases?: readonly string[]
}

const session = { session_id: opaqueId }
const page = { session_id: opaqueId, page_id: v.optional(opaqueId) }
const concurrency = { concurrency: v.optional(v.picklist(['serial', 'parallel'])) }
const waited = { ...page, ...concurrency, wait: v.optional(wait), timeout_ms: v.optional(timeoutMs) }

const createSession = v.object({
  persist: v.optional(v.boolean()),
  ttl_ms: v.optional(integer(1, Number.MAX_SAFE_INTEGER)),
  profile: v.optional(
    v.object({
      impersonation: v.optional(text(64)),
      user_agent: v.optional(text(512)),
      locale: v.optional(text(64)),
      timezone: v.optional(text(64)),
      viewport: v.optional(v.object({ width: integer(1, 10_000), height: integer(1, 10_000) })),
      color_scheme: v.optional(v.picklist(['light', 'dark'])),
    }),
  ),
  network: v.optional(v.object({ proxy: v.optional(v.looseObject({ mode: v.optional(text(64)) })) })),
  limits: v.optional(
    v.object({ max_pages: v.optional(integer(1, 1_000)), max_js_heap_mb: v.optional(integer(1, 65_536)) }),
  ),
  engine: v.optional(v.picklist(['auto', 'static', 'chromium'])),
  allowed_domains: v.optional(v.pipe(v.array(text(255)), v.maxLength(1_000))),
  join_token: v.optional(text(128)),
  timeout_ms: v.optional(timeoutMs),
  // The flat keys of shipped peers.
  user_agent: v.optional(text(512)),
  locale: v.optional(text(64)),
  proxy: v.optional(v.unknown()),
  use_pool: v.optional(v.unknown()),
  target_domain: v.optional(v.unknown()),
  tls: v.optional(v.unknown()),
})

const intent = v.object({
  action: text(128),
  target: v.optional(target),
  value: v.optional(v.unknown()),
  options: v.optional(v.record(v.string(), v.unknown())),
})

const cursor = v.pipe(
  v.union([
    integer(0, Number.MAX_SAFE_INTEGER),
    v.pipe(v.string(), v.regex(/^(c:)?\d{1,15}$/, 'must be a cursor such as "c:12345"')),
  ]),
  v.transform((raw) => (typeof raw === 'number' ? raw : Number(raw.replace('c:', '')))),
)

const snapshot = {
  format: v.optional(v.picklist(['som+json', 'som+msgpack'])),
  max_bytes: v.optional(integer(1, 1_073_741_824)),
  max_tokens: v.optional(integer(1, 10_000_000)),
  ext: v.optional(v.boolean()),
  /** False leaves the SOM itself out, for those who read the outline. */
  som: v.optional(v.boolean()),
  outline: v.optional(
    v.union([
      v.boolean(),
      v.pipe(
        v.object({
          links: v.optional(v.boolean()),
          interactive: v.optional(v.boolean()),
          max_tokens: v.optional(integer(1, 10_000_000)),
          cursor: v.optional(text(64)),
        }),
        v.transform((raw) =>
          compact({
            links: raw.links,
            interactive: raw.interactive,
            maxTokens: raw.max_tokens,
            cursor: raw.cursor,
          }),
        ),
      ),
    ]),
  ),
}

const observe = v.object({
  ...page,
  ...concurrency,
  ...snapshot,
  mode: v.optional(v.string()),
  max_events: v.optional(integer(1, 10_000)),
  cursor: v.optional(cursor),
  expand: v.optional(
    v.pipe(
      v.object({
        region: v.optional(opaqueId),
        element: v.optional(opaqueId),
        cursor: v.optional(text(4_096)),
        max_tokens: v.optional(integer(1, 10_000_000)),
        filter: v.optional(text(256)),
      }),
      v.transform((raw) =>
        compact({
          region: raw.region,
          element: raw.element,
          cursor: raw.cursor,
          maxTokens: raw.max_tokens,
          filter: raw.filter,
        }),
      ),
    ),
  ),
})

const row = <S extends v.GenericSchema<unknown, unknown>>(
  params: S,
  scope: Scope | undefined,
  more: { readonly aliases?: readonly string[]; readonly isBuilt?: boolean } = {},
) => ({
  params,
  scope,
  isBuilt: more.isBuilt ?? true,
  ...(more.aliases === undefined ? {} : { aliases: more.aliases }),
})

/** Every method of the document and of decisions 18 to 23, one row each. The door, the client's types and the docs read it. */
export const METHODS = {
  'awp.hello': row(v.looseObject({}), undefined),
  'awp.ping': row(v.object({}), undefined),
  'awp.cancel': row(v.object({ request_id: v.union([text(128), v.number()]) }), undefined),

  'session.create': row(createSession, 'session:write'),
  'session.close': row(v.object({ ...session, persist: v.optional(v.boolean()) }), 'session:write'),
  'session.list': row(v.object({}), 'som:read'),
  'session.attach': row(v.object({ ...session, attach_secret: text(256) }), 'session:write'),
  'session.export': row(v.object(session), 'session:write'),
  'session.import': row(v.object({ state: v.unknown(), ...createSession.entries }), 'session:write'),
  'session.cookies.get': row(v.object({ ...session, url: v.optional(text(8_192)) }), 'session:write'),
  'session.cookies.set': row(
    v.object({ ...session, cookies: v.pipe(v.array(cookie), v.maxLength(1_000)) }),
    'session:write',
  ),
  'session.cookies.clear': row(
    v.object({
      ...session,
      name: v.optional(text(4_096)),
      domain: v.optional(text(255)),
      url: v.optional(text(8_192)),
    }),
    'session:write',
  ),
  'session.set_network': row(
    v.object({
      ...session,
      proxy: v.optional(v.looseObject({ mode: v.optional(text(64)) })),
      impersonation: v.optional(text(64)),
    }),
    'network:configure',
  ),

  'page.create': row(v.object({ ...session, url: v.optional(text(65_536)) }), 'page:act'),
  'page.list': row(v.object(session), 'som:read'),
  'page.navigate': row(
    v.object({ ...waited, url: text(65_536), observe: v.optional(v.union([v.boolean(), v.object(snapshot)])) }),
    'page:act',
  ),
  'page.back': row(v.object(waited), 'page:act'),
  'page.forward': row(v.object(waited), 'page:act'),
  'page.reload': row(v.object(waited), 'page:act'),
  'page.close': row(v.object(page), 'page:act'),
  'page.observe': row(observe, 'som:read'),
  'page.subscribe': row(v.object({ ...page, events: v.pipe(v.array(text(64)), v.maxLength(32)) }), 'som:read'),
  'page.act': row(v.object({ ...waited, intent }), 'page:act'),
  'page.wait_for': row(v.object({ ...page, ...concurrency, wait, timeout_ms: v.optional(timeoutMs) }), 'som:read'),
  'page.extract': row(
    v.object({
      ...page,
      ...concurrency,
      schema: v.optional(v.record(v.string(), v.unknown())),
      queries: v.optional(v.record(text(128), extractQuery)),
      fields: v.optional(v.record(text(128), extractQuery)),
      structured_data: v.optional(v.boolean()),
      interactive_elements: v.optional(v.boolean()),
    }),
    'som:read',
  ),
  'page.downloads.list': row(v.object(page), 'page:act'),
  'page.downloads.get': row(
    v.object({
      ...page,
      download_id: opaqueId,
      offset: v.optional(integer(0, Number.MAX_SAFE_INTEGER)),
      max_bytes: v.optional(integer(1, 1_048_576)),
    }),
    'page:act',
  ),
  'page.dialog.accept': row(v.object({ ...page, text: v.optional(text(10_000)) }), 'page:act'),
  'page.dialog.dismiss': row(v.object(page), 'page:act'),
  'page.screenshot': row(v.object({ ...page, ...concurrency, element_ref: v.optional(opaqueId) }), 'som:read'),
  'page.evaluate_js': row(v.object({ ...page, ...concurrency, expression: text(65_536) }), 'page:evaluate'),

  'skills.list': row(v.looseObject({}), 'skills:invoke', { isBuilt: false, aliases: ['plugin.list'] }),
  'skills.invoke': row(v.looseObject({}), 'skills:invoke', { isBuilt: false }),
} as const satisfies Readonly<Record<string, MethodRow>>

/** Name of a method. */
export type MethodName = keyof typeof METHODS

/** Parameters of a method as handlers get them. */
export type MethodParams<M extends MethodName> = v.InferOutput<(typeof METHODS)[M]['params']>

const BY_NAME: ReadonlyMap<string, MethodName> = new Map(
  (Object.entries(METHODS) as [MethodName, MethodRow][]).flatMap(([name, { aliases = [] }]) =>
    [name, ...aliases].map((spelling) => [spelling, name] as const),
  ),
)

/** The method of that name or alias. */
export function findMethod(name: string): MethodName | undefined {
  return BY_NAME.get(name)
}

/** Events this build sends ("Message Model"). */
export const EVENTS = [
  'page.som_mutation',
  'page.telemetry',
  'page.opened',
  'page.closed',
  'page.dialog',
  'page.download',
  'session.recovered',
  'session.closed',
  'awp.pong',
] as const
