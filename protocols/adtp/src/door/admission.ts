import {
  type Credentials,
  DomosError,
  type Host,
  type Principal,
  type Session,
  toDomosError,
  type Upgrade,
  type Voice,
} from '@domos/spec'
import { BASE_CAPABILITIES, type Extension, negotiate } from '../capabilities.ts'
import type { AdtpErrorCode } from '../errors.ts'
import type { Dialect } from '../frame.ts'
import { type AdtpDoorLimits, PROTOCOL_VERSION } from '../limits.ts'
import type { ToClientPayload, ToServer } from '../messages.ts'
import { type IssueJoinToken, Page } from './page.ts'
import type { Pages } from './pages.ts'

/** What the door's owner may set beyond numbers. */
export interface AdmissionOptions {
  /** Extensions the door offers. */
  readonly extensions: readonly Extension[]
  /** Whether speech sent by a page is recognised. */
  readonly hasSpeech: boolean
  /** Hears and speaks for pages. */
  readonly voice?: Voice
  /** No approvals from browsers that say they are driven by a program. */
  readonly refuseAutomatedApprovals: boolean
  readonly joining?: Joining
}

/** How sessions are entered by join tokens. */
export interface Joining {
  /** Gives the session a token or code stands for, and uses it up. */
  redeem(token: string, principal: Principal, remoteAddress: string): Promise<Session | undefined> | Session | undefined
  /** As whom a page without a key comes in with this token. Without it, pages need their own key. */
  principalOf?(token: string, remoteAddress: string): Promise<Principal | undefined> | Principal | undefined
  /** Makes tokens for pages that ask. Without it the extension `join` is not offered. */
  readonly issue?: IssueJoinToken
}

/** Everything admission needs. */
export interface AdmissionContext {
  readonly host: Host
  readonly limits: AdtpDoorLimits
  readonly pages: Pages
  readonly options: AdmissionOptions
}

/** A page that is let in, or why not. */
export type Admission =
  | { readonly ok: true; readonly page: Page; readonly resumedAfter?: number }
  | { readonly ok: false; readonly code: AdtpErrorCode; readonly message: string; readonly path: string }

/** Checks version and key, and opens, joins or resumes a session. Never rejects. */
export async function admit(
  context: AdmissionContext,
  upgrade: Upgrade,
  init: ToServer<'HANDSHAKE_INIT'>,
  dialect: Dialect,
): Promise<Admission> {
  const { host, limits, options } = context
  const { payload } = init
  if (payload.protocolVersion !== undefined && !isCompatible(payload.protocolVersion)) {
    const message = `This server speaks version ${PROTOCOL_VERSION} and every 1.x.`
    return { ok: false, code: 'version_mismatch', message, path: 'payload.protocolVersion' }
  }
  try {
    const principal = await identify(context, upgrade, payload)
    const extensions = negotiate(payload.capabilities, options.extensions)
    const resumed =
      payload.resume === undefined ? undefined : resumable(context, payload.resume, principal, dialect, extensions)
    if (resumed !== undefined) return { ok: true, page: resumed, resumedAfter: payload.resume?.lastSeq ?? 0 }
    const session = await openSession(context, principal, upgrade, payload)
    const isAutomated = payload.webdriver === true
    if (isAutomated) host.log.info('automated-browser', { session: session.id })
    const page = new Page({
      session,
      dialect,
      extensions,
      isAutomated,
      mayApprove: !(options.refuseAutomatedApprovals && isAutomated),
      clock: host.clock,
      log: host.log,
      limits,
      isJoined: payload.joinToken !== undefined,
      ...(options.joining?.issue === undefined ? {} : { issueJoinToken: options.joining.issue }),
      ...(options.voice === undefined ? {} : { voice: options.voice }),
    })
    return { ok: true, page }
  } catch (thrown) {
    const error = toDomosError(thrown)
    if (!(thrown instanceof DomosError)) host.log.error('admission-failed', { error: error.code })
    const path = error.code === 'unauthorized' ? 'payload.apiKey' : error.details.path
    return { ok: false, code: error.code, message: error.message, path: typeof path === 'string' ? path : 'payload' }
  }
}

/** What HANDSHAKE_ACK says to a page, in the words of its dialect. */
export function acknowledgement(
  context: AdmissionContext,
  page: Page,
  resume: { readonly token: string; readonly resumed: boolean } | undefined,
): ToClientPayload<'HANDSHAKE_ACK'> {
  const { limits, options } = context
  const base = BASE_CAPABILITIES.filter((name) => name !== 'audio' || options.hasSpeech)
  return {
    sessionId: `ses_${page.session.id}`,
    ...(page.dialect === 'spoken' ? { serverVersion: PROTOCOL_VERSION } : {}),
    protocolVersion: PROTOCOL_VERSION,
    capabilities: [...base, ...page.extensions],
    ...(page.dialect === 'spoken' || page.isExtended ? { maxActiveTools: limits.maxActiveTools } : {}),
    ...(resume === undefined
      ? {}
      : { resumeToken: resume.token, resumeTtlMs: limits.resumeTtlMs, resumed: resume.resumed }),
  }
}

function isCompatible(version: string): boolean {
  return /^1(?:\.\d{1,6}){0,2}$/.test(version)
}

function credentials(host: Host, upgrade: Upgrade, apiKey: string | undefined): Credentials {
  // Without a key requirement the field holds whatever the page's author put there, such as `anonymous`.
  const token = upgrade.token ?? (host.requiresKey ? apiKey : undefined)
  return {
    door: 'adtp',
    remoteAddress: upgrade.remoteAddress,
    ...(token === undefined ? {} : { token }),
    ...(upgrade.origin === undefined ? {} : { origin: upgrade.origin }),
  }
}

/**
 * Who is at the far end: whoever the key belongs to; without one, a page that holds a join token, or that a token had let in and
 * that comes back, is the principal of its session.
 */
async function identify(
  { host, pages, options }: AdmissionContext,
  upgrade: Upgrade,
  { apiKey, joinToken, resume }: ToServer<'HANDSHAKE_INIT'>['payload'],
): Promise<Principal> {
  const shown = credentials(host, upgrade, apiKey)
  if (host.requiresKey && shown.token === undefined) {
    const page = resume === undefined ? undefined : pages.find(resume.token)
    if (page?.isJoined === true) return page.session.principal
    const { principalOf } = options.joining ?? {}
    const holder = joinToken === undefined ? undefined : await principalOf?.(joinToken, upgrade.remoteAddress)
    if (holder !== undefined) return holder
    if (joinToken !== undefined && principalOf !== undefined) throw unknownToken()
  }
  return await host.authenticate(shown)
}

function unknownToken(): DomosError {
  return new DomosError('not_found', 'The join token is unknown, used or expired; ask for a new one.', {
    details: { path: 'payload.joinToken' },
  })
}

function resumable(
  { pages }: AdmissionContext,
  resume: { readonly sessionId: string; readonly token: string },
  principal: Principal,
  dialect: Dialect,
  extensions: ReadonlySet<Extension>,
): Page | undefined {
  const page = pages.find(resume.token)
  if (page === undefined || page.isGone || page.session.signal.aborted) return undefined
  const owner = page.session.principal
  const isSame =
    resume.sessionId === `ses_${page.session.id}` &&
    owner.id === principal.id &&
    owner.tenant === principal.tenant &&
    page.dialect === dialect &&
    page.extensions.size === extensions.size &&
    [...page.extensions].every((extension) => extensions.has(extension))
  return isSame ? page : undefined
}

async function openSession(
  { host, options }: AdmissionContext,
  principal: Principal,
  { remoteAddress }: Upgrade,
  payload: ToServer<'HANDSHAKE_INIT'>['payload'],
): Promise<Session> {
  if (payload.joinToken === undefined) {
    return await host.openSession(principal, {
      door: 'adtp',
      ...(payload.language === undefined ? {} : { language: payload.language }),
    })
  }
  const session = await options.joining?.redeem(payload.joinToken, principal, remoteAddress)
  if (session !== undefined) return session
  throw unknownToken()
}
