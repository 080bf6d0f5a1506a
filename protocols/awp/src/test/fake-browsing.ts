import {
  type ActResult,
  type Browsing,
  type BrowsingCall,
  type BrowsingCookie,
  type BrowsingEvent,
  type BrowsingPage,
  type BrowsingSession,
  type CreateBrowsingSession,
  DomosError,
  type Intent,
  type JsonObject,
  type NavigateResult,
  type Principal,
} from '@domos/spec'

/** One operation that reached the organ. */
export interface SeenCall {
  readonly name: string
  readonly args: readonly unknown[]
}

/** A browser organ that keeps sessions and pages in memory and loads nothing: what matters here is the wire. */
export interface FakeBrowsing extends Browsing {
  readonly seen: readonly SeenCall[]
  count(name: string): number
  /** Makes operations of that name wait until the returned function is called. */
  hold(name: string): () => void
  /** Makes the next operation of that name fail. */
  failNext(name: string, error: DomosError): void
  /** What snapshots carry. */
  som: JsonObject
  readonly download: Uint8Array
  emit(houseSessionId: string, event: BrowsingEvent): void
  /** Pages whose mutation events were asked for. */
  readonly watched: readonly string[]
  readonly openSessions: readonly string[]
}

const FEATURES = {
  profiles: ['chrome128', 'firefox128', 'safari17'],
  engines: ['static'],
  proxy: false,
  skills: false,
  evaluate: false,
  screenshots: false,
  intentLevels: ['semantic', 'intent'],
  maxSessions: 500,
  maxPagesPerSession: 16,
  maxSomBytes: 1_048_576,
}

interface KeptSession {
  readonly session: BrowsingSession
  readonly tenant: string
  readonly principals: Set<string>
  readonly listeners: Set<(event: BrowsingEvent) => void>
}

/** Creates the organ. */
export function createFakeBrowsing(options: { readonly intentLevels?: readonly string[] } = {}): FakeBrowsing {
  const seen: SeenCall[] = []
  const holds = new Map<string, Promise<void>>()
  const failures = new Map<string, DomosError>()
  const sessions = new Map<string, KeptSession>()
  const watched: string[] = []
  const download = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 31) % 256)
  let number = 0

  const run = async <T>(name: string, args: readonly unknown[], call: BrowsingCall | undefined, make: () => T) => {
    seen.push({ name, args })
    const failure = failures.get(name)
    failures.delete(name)
    if (failure !== undefined) throw failure
    const hold = holds.get(name)
    if (hold !== undefined) await orAbort(hold, call?.signal)
    return make()
  }

  const makePage = (id: string): BrowsingPage => {
    let url = ''
    let cursor = 1
    const navigated = (): NavigateResult => ({
      pageId: id,
      url,
      status: 200,
      contentType: 'text/html',
      title: 'A page',
      htmlBytes: 120,
      somBytes: 80,
      redirects: [],
      fetchMs: 1,
      pipelineMs: 1,
      loadMs: 2,
      cursor: ++cursor,
      engine: 'static',
    })
    return {
      id,
      navigate: (to, wait, call) =>
        run('navigate', [to, wait, call.isParallel], call, () => {
          url = to
          return navigated()
        }),
      back: (wait, call) => run('back', [wait], call, navigated),
      forward: (wait, call) => run('forward', [wait], call, navigated),
      reload: (wait, call) => run('reload', [wait], call, navigated),
      snapshot: (observe, call) =>
        run('snapshot', [observe], call, () => {
          if (url === '') throw new DomosError('not_found', 'No page is loaded yet.')
          return { cursor, som: browsing.som, ...(observe.ext === false ? {} : { ext: { truncated: [] } }) }
        }),
      expand: (expand, call) => run('expand', [expand], call, () => ({ elements: [], nextCursor: 'x:2' })),
      mutations: (from, maxEvents, call) =>
        run('mutations', [from, maxEvents], call, () =>
          from < 1
            ? { cursor, som: browsing.som, reason: 'cursor_expired' }
            : {
                fromCursor: from,
                cursor,
                isChanged: true,
                hasMore: false,
                patches: [{ cursor, patch: [{ op: 'replace', path: '/title', value: 'B' }] }],
              },
        ),
      act: (intent: Intent, wait, call) =>
        run('act', [intent, wait], call, (): ActResult => {
          const [level, ...rest] = intent.action.split('.')
          if (rest.length > 0 && level !== 'primitive' && !browsing.features.intentLevels.includes(level as string)) {
            throw new DomosError('unsupported', `There is no ${intent.action}.`, {
              details: { field: 'intent.action' },
            })
          }
          const action = rest.length > 0 ? intent.action : `primitive.${intent.action}`
          const isClick = action === 'primitive.click'
          return {
            action,
            effects: {
              navigation: isClick ? 'same_document' : false,
              somChanged: true,
              ...(isClick ? { newPages: [{ pageId: 'p_2', url: 'https://example.com/new' }] } : {}),
            },
            ...(intent.target === undefined
              ? {}
              : { target: { elementId: 'e_1', role: 'button', text: 'Go', confidence: 0.98 } }),
            cursor: ++cursor,
          }
        }),
      waitFor: (wait, call) => run('waitFor', [wait], call, () => ({ elementId: 'e_1', waitedMs: 3, cursor })),
      extract: (extract, call) =>
        run('extract', [extract], call, () => {
          if (extract.structuredData === true) return { data: { structured_data: null }, provenance: {}, url }
          if (extract.interactiveElements === true) {
            return {
              data: { interactive_elements: [{ id: 'e_1', attrs: { input_type: 'text' } }], count: 1 },
              provenance: {},
              url,
            }
          }
          const names = Object.keys(extract.queries ?? extract.schema?.['properties'] ?? {})
          return {
            data: Object.fromEntries(names.map((name) => [name, 'value'])),
            provenance: Object.fromEntries(names.map((name) => [name, 'e_1'])),
            url,
          }
        }),
      listDownloads: () => [
        {
          id: 'd_1',
          filename: 'a.bin',
          bytes: download.length,
          contentType: 'x/y',
          state: 'done',
          url: 'https://e.com/a',
        },
      ],
      readDownload: (downloadId, offset, maxBytes) =>
        run('readDownload', [downloadId, offset, maxBytes], undefined, () => {
          if (downloadId !== 'd_1') throw new DomosError('not_found', 'There is no such download.')
          const data = download.slice(offset, offset + maxBytes)
          return { data, totalBytes: download.length, done: offset + data.length >= download.length }
        }),
      answerDialog: (accept, text) => run('answerDialog', [accept, text], undefined, () => undefined),
      screenshot: async () => {
        throw new DomosError('unsupported', 'This engine paints nothing.', { details: { field: 'engine' } })
      },
      evaluate: async () => {
        throw new DomosError('unsupported', 'This engine runs no script.', { details: { field: 'engine' } })
      },
      subscribe() {
        watched.push(id)
        return () => void watched.splice(watched.indexOf(id), 1)
      },
      close: () => run('closePage', [id], undefined, () => undefined),
    }
  }

  const make = (principal: Principal, create: CreateBrowsingSession): BrowsingSession => {
    const id = (++number).toString(16).padStart(32, '0')
    const pages = new Map<string, BrowsingPage>()
    const cookies: BrowsingCookie[] = []
    const listeners = new Set<(event: BrowsingEvent) => void>()
    const newPage = (): BrowsingPage => {
      const page = makePage(`p_${pages.size + 1}`)
      pages.set(page.id, page)
      return page
    }
    const session: BrowsingSession = {
      id,
      attachSecret: `secret-of-${id}`,
      ignored: create.limits?.maxJsHeapMb === undefined ? [] : ['limits.max_js_heap_mb'],
      info: () => ({ id, pageCount: pages.size, uptimeMs: 5, expiresAt: 9, persist: create.persist ?? false }),
      createPage: (call, page) => run('createPage', [page], call, newPage),
      async page(pageId) {
        if (pageId === undefined) return [...pages.values()][0] ?? newPage()
        const found = pages.get(pageId)
        if (found === undefined) {
          throw new DomosError('not_found', 'There is no such page.', { details: { field: 'page_id' } })
        }
        return found
      },
      listPages: () => [...pages.keys()].map((pageId) => ({ id: pageId, url: '', title: '' })),
      cookies: {
        get: async () => cookies,
        async set(list) {
          cookies.push(...list)
          return list.length
        },
        clear: async () => cookies.splice(0).length,
      },
      exportState: async () => ({ version: 1, cookies: [] }),
      onEvent(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      touch: () => seen.push({ name: 'touch', args: [id] }),
      async close(how) {
        seen.push({ name: 'closeSession', args: [id, how] })
        sessions.delete(id)
        for (const listener of [...listeners]) listener({ type: 'session-closed', reason: 'closed' })
      },
    }
    sessions.set(id, { session, tenant: principal.tenant, principals: new Set([principal.id]), listeners })
    return session
  }

  const find = (id: string, principal: Principal, secret?: string): KeptSession => {
    const kept = sessions.get(id)
    const mayAttach = secret === undefined ? kept?.principals.has(principal.id) : kept?.session.attachSecret === secret
    if (kept === undefined || kept.tenant !== principal.tenant || mayAttach !== true) {
      throw new DomosError('not_found', 'There is no such session.', { details: { field: 'session_id' } })
    }
    return kept
  }

  const browsing: FakeBrowsing = {
    features: { ...FEATURES, ...(options.intentLevels === undefined ? {} : { intentLevels: options.intentLevels }) },
    createSession: (principal, create) => run('createSession', [create], undefined, () => make(principal, create)),
    session: (principal, id) => find(id, principal).session,
    async attachSession(principal, id, secret) {
      const kept = find(id, principal, secret)
      kept.principals.add(principal.id)
      return kept.session
    },
    listSessions: (principal) =>
      [...sessions.values()]
        .filter(({ principals }) => principals.has(principal.id))
        .map(({ session }) => session.info()),
    importSession: (principal, state, create) =>
      run('importSession', [state, create], undefined, () => make(principal, create)),
    health: () => ({ sessions: sessions.size }),
    close: async () => {},
    seen,
    count: (name) => seen.filter((call) => call.name === name).length,
    hold(name) {
      let release = (): void => {}
      holds.set(
        name,
        new Promise<void>((resolve) => {
          release = resolve
        }),
      )
      return () => {
        holds.delete(name)
        release()
      }
    },
    failNext: (name, error) => void failures.set(name, error),
    som: { som_version: '0.1', url: 'https://example.com/', title: 'A page', regions: [] } as JsonObject,
    download,
    emit(id, event) {
      for (const listener of sessions.get(id)?.listeners ?? []) listener(event)
    },
    watched,
    get openSessions() {
      return [...sessions.keys()]
    },
  }
  return browsing
}

function orAbort(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    wait.then(resolve, reject)
  })
}
