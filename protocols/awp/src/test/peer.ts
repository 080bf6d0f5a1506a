import {
  type Clock,
  type Connection,
  DomosError,
  type Door,
  type Host,
  type JsonObject,
  type JsonValue,
  type Principal,
  silentLog,
  silentMetrics,
  type Upgrade,
} from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import { createFrameCodec, type WireFormat } from '../codec.ts'
import { type AwpDoorOptions, createAwpDoor } from '../door/index.ts'
import { defaultAwpLimits } from '../limits.ts'
import { createFakeBrowsing, type FakeBrowsing } from './fake-browsing.ts'
import { createManualClock, type ManualClock, settle } from './manual-clock.ts'
import { nodeZstd } from './node-parts.ts'

/** A principal that has exactly these scopes. */
export function principalWith(id: string, scopes: readonly string[] | 'all', tenant = 'default'): Principal {
  return { id, tenant, allows: (scope) => scopes === 'all' || scopes.includes(scope) }
}

/** A house that lets in whoever shows one of these tokens, or everybody when there are none. */
export function fakeHost(clock: Clock, keys: Readonly<Record<string, Principal>> = {}): Host {
  const requiresKey = Object.keys(keys).length > 0
  const unused = (): never => {
    throw new DomosError('unsupported', 'not used by this door')
  }
  return {
    clock,
    log: silentLog,
    metrics: silentMetrics,
    requiresKey,
    async authenticate({ token }) {
      if (!requiresKey) return principalWith('anonymous', 'all')
      const principal = token === undefined ? undefined : keys[token]
      if (principal === undefined) throw new DomosError('unauthorized', 'The API key is not valid.')
      return principal
    },
    openSession: unused,
    session: unused,
  }
}

/** A door with what stands behind it. */
export interface TestHouse {
  readonly door: Door
  readonly browsing: FakeBrowsing
  readonly clock: ManualClock
  connect(upgrade?: Partial<Upgrade>): TestPeer
}

/** Makes a door over a fake organ. */
export function testHouse(
  options: Partial<AwpDoorOptions> & {
    readonly keys?: Readonly<Record<string, Principal>>
    readonly intentLevels?: readonly string[]
  } = {},
): TestHouse {
  const { keys, intentLevels, ...door } = options
  const clock = createManualClock()
  const browsing = createFakeBrowsing(intentLevels === undefined ? {} : { intentLevels })
  const made = createAwpDoor({ host: fakeHost(clock, keys), browsing, zstd: nodeZstd, ...door })
  return {
    door: made,
    browsing,
    clock,
    connect(upgrade = {}) {
      const [near, far] = createLinkedConnections()
      made.accept(far, {
        path: '/awp',
        query: new URLSearchParams(),
        remoteAddress: '127.0.0.1',
        isLoopback: true,
        ...upgrade,
      })
      return new TestPeer(near)
    },
  }
}

const codec = createFrameCodec(
  { ...defaultAwpLimits, maxFrameBytes: 64_000_000, maxInflatedBytes: 64_000_000 },
  nodeZstd,
)

/** A response or event as a peer sees it, with the kind of frame it came in. */
export interface Received {
  readonly kind: 'text' | 'binary' | 'zstd'
  readonly message: JsonObject
}

/** The far end of the wire: writes whatever it is told to, and keeps what comes. */
export class TestPeer {
  readonly connection: Connection
  readonly received: Received[] = []
  closed: { readonly code: number; readonly reason: string } | undefined
  format: WireFormat = { encoding: 'json', compression: 'none' }
  #next = 1
  readonly #waiting = new Map<JsonValue, (message: JsonObject) => void>()

  constructor(connection: Connection) {
    this.connection = connection
    connection.onFrame((frame) => {
      const decoded = codec.decode(frame)
      if (!decoded.ok) throw new Error(`The door sent a frame that cannot be read: ${decoded.message}`)
      const message = decoded.value as JsonObject
      const isZstd = typeof frame !== 'string' && frame[0] === 0x28 && frame[1] === 0xb5
      this.received.push({ kind: typeof frame === 'string' ? 'text' : isZstd ? 'zstd' : 'binary', message })
      this.#waiting.get(message['id'] as JsonValue)?.(message)
    })
    connection.onClose((code, reason) => {
      this.closed = { code, reason }
    })
  }

  get messages(): readonly JsonObject[] {
    return this.received.map(({ message }) => message)
  }

  get events(): readonly JsonObject[] {
    return this.messages.filter((message) => message['type'] === 'event')
  }

  frame(frame: string | Uint8Array): void {
    this.connection.send(frame)
  }

  write(message: unknown, format = this.format): void {
    const encoded = codec.encode(message, format)
    if (!encoded.ok) throw new Error(encoded.code)
    this.connection.send(encoded.frame)
  }

  /** Sends a request and gives the whole response. */
  ask(method: string, params: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject> {
    const id = more['id'] ?? `r${this.#next++}`
    const answer = new Promise<JsonObject>((resolve) => {
      this.#waiting.set(id, resolve)
    })
    this.write({ id, type: 'request', method, params, ...more })
    return answer
  }

  /** Sends a request and gives its result. @throws Error with the code when there is none */
  async result(method: string, params: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.ask(method, params, more)
    if (answer['error'] !== undefined) throw new Error(JSON.stringify(answer['error']))
    return answer['result'] as JsonObject
  }

  async error(method: string, params: JsonObject = {}, more: JsonObject = {}): Promise<WireError> {
    const answer = await this.ask(method, params, more)
    if (answer['error'] === undefined) throw new Error(`No error: ${JSON.stringify(answer['result'])}`)
    return answer['error'] as unknown as WireError
  }

  /** Says hello and speaks as it was settled from then on. */
  async hello(params: JsonObject = DRAFT_JSON): Promise<JsonObject> {
    const result = await this.result('awp.hello', params)
    this.format = {
      encoding: (result['encoding'] as { selected: 'json' | 'msgpack' }).selected,
      compression: (result['compression'] as { selected: 'none' | 'zstd' }).selected,
    }
    return result
  }

  /** Creates a session with a page that has loaded something. */
  async openPage(): Promise<{ session_id: string; page_id: string; secret: string }> {
    const created = await this.result('session.create')
    const session_id = String(created['session_id'])
    const page_id = String((await this.result('page.create', { session_id }))['page_id'])
    await this.result('page.navigate', { session_id, page_id, url: 'https://example.com/' })
    return { session_id, page_id, secret: String(created['attach_secret']) }
  }
}

/** An error as it stands on the wire. */
export interface WireError {
  readonly code: string
  readonly message: string
  readonly details: JsonObject
}

/** The draft's hello, for JSON. */
export const DRAFT_JSON: JsonObject = { awp: { versions: ['0.1'] }, wants: { encoding: ['json'] } }
/** The draft's hello that leaves the encoding to the document's default. */
export const DRAFT: JsonObject = { awp: { versions: ['0.1'] } }
/** The hello of shipped peers. */
export const LEGACY: JsonObject = { awp_version: '0.1', client_name: 'x', client_version: '1' }

export { settle }
