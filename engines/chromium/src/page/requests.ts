import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'
import type { ChromiumLimits } from '../limits.ts'

/** A request under way. */
interface Request {
  readonly url: string
  readonly type: string
  readonly startedAt: number
  readonly address: string
  isStream: boolean
}

/** Kinds that are held open or that nobody waits for. */
const NEVER_WAITED_FOR: ReadonlySet<string> = new Set([
  'EventSource',
  'WebSocket',
  'Ping',
  'Prefetch',
  'Media',
  'CSPViolationReport',
  'Preflight',
])
const MAX_ADDRESSES = 500
const MAX_LISTED = 100
const MAX_HEADS = 20

/** Keeps count of what a page loads: what a wait for quiet has to wait for, and what it must not. */
export class Requests {
  readonly #limits: Pick<ChromiumLimits, 'longPollMs' | 'pollingRepeats'>
  readonly #requests = new Map<string, Request>()
  readonly #sockets = new Map<string, string>()
  /** How often each address was asked for since the document began. */
  readonly #asked = new Map<string, number>()

  readonly #heads = new Map<string, { readonly contentType: string; readonly disposition: string | undefined }>()

  constructor(limits: Pick<ChromiumLimits, 'longPollMs' | 'pollingRepeats'>) {
    this.#limits = limits
  }

  listen(session: CdpSession): void {
    const key = (requestId: string): string => `${session.id} ${requestId}`
    session.on('Network.requestWillBeSent', ({ requestId, request, type, frameId, loaderId }) => {
      // Documents are followed by the navigation; frames count as what they are, a part of the page.
      if (type === 'Document' && requestId === loaderId && frameId === this.mainFrameId) return
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return
      const address = `${request.method} ${request.url.replace(/[?#].*$/, '')}`
      const isAsked = type === 'Fetch' || type === 'XHR'
      if (isAsked && this.#asked.size < MAX_ADDRESSES) this.#asked.set(address, (this.#asked.get(address) ?? 0) + 1)
      this.#requests.set(key(requestId), {
        url: request.url,
        type: type ?? 'Other',
        startedAt: Date.now(),
        address,
        isStream: false,
      })
    })
    session.on('Network.responseReceived', ({ requestId, response }) => {
      this.#keepHead(response)
      const request = this.#requests.get(key(requestId))
      if (request !== undefined && /^(?:text\/event-stream|multipart\/x-mixed-replace)/.test(response.mimeType))
        request.isStream = true
    })
    const end = ({ requestId }: { requestId: string }): void => {
      this.#requests.delete(key(requestId))
    }
    session.on('Network.loadingFinished', end)
    session.on('Network.loadingFailed', end)
    session.on('Network.webSocketCreated', ({ requestId, url }) => this.#sockets.set(key(requestId), url))
    session.on('Network.webSocketClosed', ({ requestId }) => this.#sockets.delete(key(requestId)))
  }

  mainFrameId = ''

  /** What a server said about an answer that may become a download. */
  headOf(url: string): { readonly contentType: string; readonly disposition: string | undefined } | undefined {
    return this.#heads.get(url)
  }

  #keepHead({ url, mimeType, headers }: Protocol.Network.Response): void {
    const name = Object.keys(headers).find((each) => each.toLowerCase() === 'content-disposition')
    const disposition = name === undefined ? undefined : headers[name]
    if (disposition === undefined && /^(?:text\/|image\/|application\/(?:json|javascript))/.test(mimeType)) return
    this.#heads.set(url, { contentType: mimeType, disposition })
    for (const first of this.#heads.keys()) {
      if (this.#heads.size <= MAX_HEADS) break
      this.#heads.delete(first)
    }
  }

  /** A session ended: nothing of it will be reported any more. */
  forget(session: CdpSession): void {
    for (const map of [this.#requests, this.#sockets]) {
      for (const name of map.keys()) if (name.startsWith(`${session.id} `)) map.delete(name)
    }
  }

  /** A new document began: what the old one loaded is over. */
  startOver(session: CdpSession): void {
    this.forget(session)
    this.#asked.clear()
  }

  pending(): readonly string[] {
    return this.#list((request) => this.#counts(request))
  }

  ignored(): readonly string[] {
    return [...this.#list((request) => !this.#counts(request)), ...this.#sockets.values()].slice(0, MAX_LISTED)
  }

  #list(wanted: (request: Request) => boolean): readonly string[] {
    return [...this.#requests.values()]
      .filter(wanted)
      .map(({ url }) => url)
      .slice(0, MAX_LISTED)
  }

  #counts({ type, isStream, startedAt, address }: Request): boolean {
    if (isStream || NEVER_WAITED_FOR.has(type)) return false
    if (Date.now() - startedAt > this.#limits.longPollMs) return false
    return (this.#asked.get(address) ?? 0) < this.#limits.pollingRepeats
  }
}
