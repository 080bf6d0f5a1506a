import type { CreateBrowsingSession, JsonObject, JsonValue } from '@domos/spec'
import { DomosError } from '@domos/spec'
import type { MethodParams } from '../messages.ts'
import { compact } from '../shapes.ts'
import type { HandlerContext } from './handler-context.ts'
import { cookieResult, houseSessionId, sessionInfo, wireSessionId } from './results.ts'

type CreateParams = MethodParams<'session.create'>

/** Handlers of the document's "Sessions" and "State". */
export const sessionHandlers = {
  'session.create': async (params: CreateParams, context: HandlerContext): Promise<JsonObject> => {
    const { options, ignored } = readCreate(params, context)
    const session = await context.browsing.createSession(context.principal, options)
    return created(session, params, ignored, context)
  },

  'session.import': async (params: MethodParams<'session.import'>, context: HandlerContext): Promise<JsonObject> => {
    const { options, ignored } = readCreate(params, context)
    const session = await context.browsing.importSession(context.principal, params.state as JsonValue, options)
    return created(session, params, ignored, context)
  },

  'session.attach': async (params: MethodParams<'session.attach'>, context: HandlerContext): Promise<JsonObject> => {
    const session = await context.browsing.attachSession(
      context.principal,
      houseSessionId(params.session_id),
      params.attach_secret,
    )
    context.adopt(session, false)
    return { ...sessionInfo(session.info()), pages: pageRows(session) }
  },

  'session.close': async (params: MethodParams<'session.close'>, context: HandlerContext): Promise<JsonObject> => {
    const session = context.session(params.session_id)
    context.release(session)
    await session.close(params.persist === undefined ? {} : { persist: params.persist })
    return { closed: true }
  },

  'session.list': async (_params: MethodParams<'session.list'>, context: HandlerContext): Promise<JsonObject> => {
    const sessions = context.browsing.listSessions(context.principal).map(sessionInfo)
    return { sessions, count: sessions.length }
  },

  'session.export': async (params: MethodParams<'session.export'>, context: HandlerContext): Promise<JsonObject> => {
    return { state: await context.session(params.session_id).exportState() }
  },

  'session.set_network': async (
    params: MethodParams<'session.set_network'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    const session = context.session(params.session_id)
    const { profiles } = context.browsing.features
    if (wantsProxy(params.proxy)) throw noProxy('proxy', 'Leave proxy out or set its mode to "none".')
    const { impersonation } = params
    if (impersonation !== undefined && !profiles.includes(impersonation)) {
      throw new DomosError('unsupported', `There is no profile of that name; known are ${profiles.join(', ')}.`, {
        details: { field: 'impersonation', known: profiles },
      })
    }
    // A profile is chosen when a session is created: headers that change within one betray more than they hide.
    return {
      session_id: wireSessionId(session.id),
      proxy: { mode: 'none' },
      ignored: impersonation === undefined ? [] : ['impersonation'],
    }
  },

  'session.cookies.get': async (
    params: MethodParams<'session.cookies.get'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    const found = await context.session(params.session_id).cookies.get(compact({ url: params.url }))
    return { cookies: found.map((cookie) => cookieResult(cookie, context.dialect)), count: found.length }
  },

  'session.cookies.set': async (
    params: MethodParams<'session.cookies.set'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    return { set: await context.session(params.session_id).cookies.set(params.cookies) }
  },

  'session.cookies.clear': async (
    params: MethodParams<'session.cookies.clear'>,
    context: HandlerContext,
  ): Promise<JsonObject> => {
    const filter = compact({ name: params.name, domain: params.domain, url: params.url })
    return { cleared: await context.session(params.session_id).cookies.clear(filter) }
  },
}

/** Whether a proxy is asked for; `none` is what every session has. */
function wantsProxy(proxy: { readonly mode?: string | undefined } | undefined): boolean {
  return proxy?.mode !== undefined && proxy.mode !== 'none'
}

function noProxy(field: string, advice: string): DomosError {
  return new DomosError('unsupported', `This build has no proxy support. ${advice}`, { details: { field } })
}

function readCreate(
  params: CreateParams,
  context: HandlerContext,
): {
  readonly options: CreateBrowsingSession
  readonly ignored: readonly string[]
} {
  if (wantsProxy(params.network?.proxy)) {
    context.needs('network:configure')
    throw noProxy('network.proxy', 'Leave network.proxy out or set its mode to "none".')
  }
  if (params.proxy !== undefined && params.proxy !== null) {
    context.needs('network:configure')
    throw noProxy('proxy', 'Leave proxy out.')
  }
  // What shipped peers send and no engine of ours applies is told, not swallowed.
  const ignored = (['use_pool', 'target_domain', 'tls'] as const).filter((key) => params[key] !== undefined)
  const { profile, limits } = params
  const options = compact({
    persist: params.persist,
    ttlMs: params.ttl_ms,
    engine: params.engine,
    allowedDomains: params.allowed_domains,
    joinToken: params.join_token,
    timeoutMs: params.timeout_ms,
    profile: compact({
      impersonation: profile?.impersonation,
      userAgent: params.user_agent ?? profile?.user_agent,
      locale: params.locale ?? profile?.locale,
      timezone: profile?.timezone,
      viewport: profile?.viewport,
      colorScheme: profile?.color_scheme,
    }),
    limits: compact({ maxPages: limits?.max_pages, maxJsHeapMb: limits?.max_js_heap_mb }),
  })
  return { options, ignored }
}

async function created(
  session: ReturnType<HandlerContext['session']>,
  params: CreateParams,
  ignored: readonly string[],
  context: HandlerContext,
): Promise<JsonObject> {
  // Sessions of shipped peers die with their socket unless they say that they mean to come back.
  const outlives = context.dialect === 'draft' || params.persist === true || params.ttl_ms !== undefined
  context.adopt(session, !outlives)
  const info = session.info()
  return {
    session_id: wireSessionId(session.id),
    attach_secret: session.attachSecret,
    expires_at: info.expiresAt,
    ignored: [...session.ignored, ...ignored],
    from_pool: false,
  }
}

/** Pages of a session as rows. */
export function pageRows(session: ReturnType<HandlerContext['session']>): JsonValue {
  return session.listPages().map(({ id, url, title }) => ({ page_id: id, url, title }))
}
