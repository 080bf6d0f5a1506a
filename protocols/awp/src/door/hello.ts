import type { BrowsingFeatures, JsonObject } from '@domos/spec'
import { DomosError } from '@domos/spec'
import type { CompressionName, Encoding, WireFormat } from '../codec.ts'
import { type Dialect, dialectOfHello } from '../dialect.ts'
import { AWP_VERSIONS } from '../limits.ts'
import { EVENTS } from '../messages.ts'

/** What a hello settles for its connection. */
export interface Negotiated {
  readonly dialect: Dialect
  readonly version: string
  readonly format: WireFormat
  /** Mutation events may be sent for every page without page.subscribe. */
  readonly wantsMutations: boolean
  readonly wantsPong: boolean
}

/** How the server names itself. */
export interface ServerIdentity {
  readonly name: string
  readonly version: string
  readonly build: string
}

/**
 * Reads a hello ("Handshake", "Capability Negotiation").
 * @throws DomosError `unsupported` when no version is common, `invalid_request` when malformed
 */
export function negotiate(params: JsonObject, hasZstd: boolean): Negotiated {
  const dialect = dialectOfHello(params)
  const wants = isObject(params['wants']) ? params['wants'] : {}
  const features = strings(wants['features'])
  return {
    dialect,
    version: pickVersion(params, dialect),
    format: { encoding: pickEncoding(wants, dialect), compression: pickCompression(wants, dialect, hasZstd) },
    wantsMutations: features.includes('som.mutations'),
    wantsPong: features.includes('awp.pong'),
  }
}

function pickVersion(params: JsonObject, dialect: Dialect): string {
  const supported: readonly string[] = AWP_VERSIONS
  const offered =
    dialect === 'draft' ? strings((params['awp'] as JsonObject)['versions']) : [String(params['awp_version'] ?? '0.1')]
  const common = [...supported].reverse().find((version) => offered.includes(version))
  if (common !== undefined) return common
  throw new DomosError('unsupported', `No common AWP version. This server speaks ${supported.join(', ')}.`, {
    details: { supported, offered },
  })
}

function pickEncoding(wants: JsonObject, dialect: Dialect): Encoding {
  const offered = strings(wants['encoding'])
  const wanted = offered.find((name) => name === 'json' || name === 'msgpack')
  if (wanted !== undefined) return wanted as Encoding
  if (offered.length > 0) {
    throw new DomosError('unsupported', 'wants.encoding holds none that this server speaks: json, msgpack.', {
      details: { field: 'wants.encoding', supported: ['json', 'msgpack'], offered },
    })
  }
  // The document's default is MessagePack; shipped peers read JSON text alone.
  return dialect === 'draft' ? 'msgpack' : 'json'
}

function pickCompression(wants: JsonObject, dialect: Dialect, hasZstd: boolean): CompressionName {
  if (dialect === 'legacy') return 'none'
  const wanted = strings(wants['compression']).find((name) => name === 'none' || (name === 'zstd' && hasZstd))
  return wanted === 'zstd' ? 'zstd' : 'none'
}

/** The result of awp.hello: the document's nested form and the flat one, `features` by dialect. */
export function helloResult(
  negotiated: Negotiated,
  features: BrowsingFeatures,
  identity: ServerIdentity,
  methods: { readonly built: readonly string[]; readonly missing: readonly string[] },
): JsonObject {
  const map: JsonObject = {
    som: {
      snapshot: true,
      mutation: true,
      ext: true,
      formats: negotiated.format.encoding === 'msgpack' ? ['som+json', 'som+msgpack'] : ['som+json'],
      max_bytes: features.maxSomBytes,
    },
    intents: {
      level2: features.intentLevels.includes('semantic'),
      levels: [...new Set(['primitive', ...features.intentLevels])],
    },
    skills: { invoke: features.skills, registry: features.skills },
    network: { proxy: features.proxy, profiles: [...features.profiles], tls_imitation: false },
    page: { evaluate_js: features.evaluate, screenshot: features.screenshots, engines: [...features.engines] },
    events: [...EVENTS],
    sessions: { persist: true, attach: true, export: true },
    auth: { methods: ['none', 'bearer', 'hmac'] },
    limits: { max_sessions: features.maxSessions, max_pages_per_session: features.maxPagesPerSession },
    methods: { built: [...methods.built], unsupported: [...methods.missing] },
  }
  const list = [
    'som.snapshot',
    'som.mutations',
    'act.primitive',
    'extract',
    'cookies',
    'sessions.persist',
    ...(features.intentLevels.includes('semantic') ? ['act.semantic', 'intents.level2'] : []),
    ...(features.intentLevels.includes('intent') ? ['act.intent'] : []),
  ]
  const isDraft = negotiated.dialect === 'draft'
  return {
    awp: { version: negotiated.version },
    awp_version: negotiated.version,
    encoding: { selected: negotiated.format.encoding },
    compression: { selected: negotiated.format.compression },
    features: isDraft ? map : list,
    ...(isDraft ? { feature_list: list } : { feature_map: map }),
    server: { name: identity.name, version: identity.version, build: identity.build },
    server_name: identity.name,
    server_version: identity.version,
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string').slice(0, 64) : []
}
