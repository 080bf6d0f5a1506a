import { createHmac, hkdfSync } from 'node:crypto'
import type { JsonObject } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { METHODS, type MethodRow } from '../messages.ts'
import { nodeSigning } from '../test/node-parts.ts'
import { DRAFT_JSON, principalWith, settle, type TestPeer, testHouse } from '../test/peer.ts'
import type { ScopeRefusal } from './requests.ts'

const SCOPES = ['som:read', 'page:act', 'page:evaluate', 'session:write', 'network:configure', 'skills:invoke']
const ROWS = (Object.entries(METHODS) as [string, MethodRow][]).filter(([, { scope }]) => scope !== undefined)
const FREE = ['awp.hello', 'awp.ping', 'awp.cancel']

describe('scopes (AWP-SCOPE-1)', () => {
  it('stand in the table for every method but the three that do nothing', () => {
    const without = Object.entries(METHODS).filter(([, row]) => (row as MethodRow).scope === undefined)
    expect(without.map(([name]) => name)).toEqual(FREE)
    for (const [, { scope }] of ROWS) expect(SCOPES).toContain(scope)
    // AWP-SCOPE-2, AWP-NET-1, AWP-SKILL-1
    expect(METHODS['page.evaluate_js'].scope).toBe('page:evaluate')
    expect(METHODS['session.set_network'].scope).toBe('network:configure')
    expect([METHODS['skills.list'].scope, METHODS['skills.invoke'].scope]).toEqual(['skills:invoke', 'skills:invoke'])
  })

  it.each(ROWS.flatMap(([method, { scope }]) => SCOPES.map((held) => [method, held, held === scope] as const)))(
    '%s with %s alone: %s (AWP-SCOPE-3)',
    async (method, held, isEnough) => {
      const refusals: ScopeRefusal[] = []
      const house = testHouse({
        keys: { key: principalWith('one', [held]) },
        onScopeRefused: (refusal) => refusals.push(refusal),
      })
      const peer = house.connect({ token: 'key' })
      await peer.hello()
      const answer = await peer.ask(method, { session_id: 's_1' })
      const code = (answer['error'] as JsonObject | undefined)?.['code']
      if (isEnough) {
        expect(code).not.toBe('PERMISSION_DENIED')
        expect(refusals).toEqual([])
      } else {
        expect(answer['error']).toMatchObject({
          code: 'PERMISSION_DENIED',
          details: { method, reason: 'SCOPE_MISSING', scope: expect.any(String) },
        })
        expect(refusals).toMatchObject([{ principal: { id: 'one' }, method, sessionId: '1' }])
        expect(house.browsing.seen).toEqual([])
      }
    },
  )

  it('are asked at every request, so that a withdrawn one counts at once', async () => {
    const held = new Set(SCOPES)
    const principal = { id: 'one', tenant: 't', allows: (scope: string) => held.has(scope) }
    const peer = testHouse({ keys: { key: principal } }).connect({ token: 'key' })
    await peer.hello()
    const { session_id, page_id } = await peer.openPage()
    held.delete('page:act')
    const intent = { action: 'click' }
    expect(await peer.error('page.act', { session_id, page_id, intent })).toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(await peer.result('page.observe', { session_id, page_id })).toHaveProperty('som')
  })

  it('guard proxies in session.create as well', async () => {
    const keys = { weak: principalWith('weak', ['session:write']), strong: principalWith('strong', 'all') }
    const network = { proxy: { mode: 'sticky_per_domain' } }
    for (const [token, code] of [
      ['weak', 'PERMISSION_DENIED'],
      ['strong', 'UNSUPPORTED'],
    ] as const) {
      const peer = testHouse({ keys }).connect({ token })
      await peer.hello()
      expect(await peer.error('session.create', { network })).toMatchObject({ code })
    }
  })
})

describe('auth.none and auth.bearer', () => {
  it('lets everybody in where no key is configured (AWP-AUTH-1)', async () => {
    expect(
      await testHouse()
        .connect()
        .hello({ ...DRAFT_JSON, auth: { method: 'none' } }),
    ).toHaveProperty('awp')
  })

  it('takes a token in hello or on the upgrade, and drops a wrong one with 1008 (AWP-AUTH-2)', async () => {
    const house = testHouse({ keys: { right: principalWith('one', 'all') } })
    await house.connect({ token: 'right' }).hello()
    await house.connect().hello({ ...DRAFT_JSON, auth: { method: 'bearer', token: 'right' } })
    for (const auth of [undefined, { method: 'bearer', token: 'wrong' }, { method: 'bearer' }, { method: 'none' }]) {
      const peer = house.connect()
      const error = await peer.error('awp.hello', { ...DRAFT_JSON, ...(auth === undefined ? {} : { auth }) })
      expect(error).toMatchObject({ code: 'PERMISSION_DENIED', details: { reason: 'UNAUTHENTICATED' } })
      await settle()
      expect(peer.closed).toMatchObject({ code: 1008 })
    }
  })

  it('refuses a method it does not know instead of taking it for none', async () => {
    const peer = testHouse().connect()
    expect(await peer.error('awp.hello', { ...DRAFT_JSON, auth: { method: 'magic' } })).toMatchObject({
      code: 'UNSUPPORTED',
      details: { supported: ['none', 'bearer', 'hmac'] },
    })
    expect(await peer.error('awp.hello', { ...DRAFT_JSON, auth: 'x' })).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('keeps the principal of a connection', async () => {
    const house = testHouse({ keys: { a: principalWith('a', 'all'), b: principalWith('b', 'all') } })
    const peer = house.connect()
    await peer.hello({ ...DRAFT_JSON, auth: { method: 'bearer', token: 'a' } })
    await peer.hello(DRAFT_JSON)
    const other = { ...DRAFT_JSON, auth: { method: 'bearer', token: 'b' } }
    expect(await peer.error('awp.hello', other)).toMatchObject({ code: 'CONFLICT' })
    expect(await peer.result('session.list')).toMatchObject({ count: 0 })
  })
})

const SECRET = 'a secret both ends know'
const NOW = 1_767_225_600_000

function signedHouse(): ReturnType<typeof testHouse> {
  return testHouse({
    keys: { unused: principalWith('other', 'all') },
    signing: nodeSigning,
    findSigningKey: async (keyId) =>
      keyId === 'k1'
        ? { secret: new TextEncoder().encode(SECRET), principal: principalWith('signer', 'all') }
        : undefined,
  })
}

function auth(change: JsonObject = {}): JsonObject {
  const fields = { key_id: 'k1', timestamp: NOW, nonce: 'nonce-0001', secret: SECRET, ...change }
  const signature = createHmac('sha256', String(fields.secret))
    .update(`AWP1\n${fields.key_id}\n${fields.timestamp}\n${fields.nonce}`)
    .digest('hex')
  const { secret: _secret, ...sent } = fields
  return {
    method: 'hmac',
    ...sent,
    signature,
    ...('signature' in change ? { signature: change['signature'] as string } : {}),
  }
}

/** Signs frames by the words of the decision, apart from our own client. */
function signer(
  serverNonce: string,
  nonce = 'nonce-0001',
): { text(seq: number, json: string): string; binary(seq: number, payload: Uint8Array): Uint8Array } {
  const key = Buffer.from(hkdfSync('sha256', SECRET, `${nonce}${serverNonce}`, 'AWP1 frames', 32))
  const mac = (seq: number, payload: Uint8Array): Buffer => {
    const head = Buffer.alloc(8)
    head.writeBigUInt64BE(BigInt(seq))
    return createHmac('sha256', key).update(head).update(payload).digest()
  }
  return {
    text: (seq, json) => `${seq}.${mac(seq, Buffer.from(json)).toString('hex')}\n${json}`,
    binary(seq, payload) {
      const head = Buffer.alloc(8)
      head.writeBigUInt64BE(BigInt(seq))
      return Buffer.concat([head, mac(seq, payload), payload])
    },
  }
}

async function signedPeer(): Promise<{ peer: TestPeer; sign: ReturnType<typeof signer> }> {
  const peer = signedHouse().connect()
  const hello = await peer.hello({ ...DRAFT_JSON, auth: auth() })
  return { peer, sign: signer(String((hello['auth'] as JsonObject)['server_nonce'])) }
}

const ping = (id: number): string => JSON.stringify({ id, method: 'awp.ping', params: {} })

describe('auth.hmac (AWP-AUTH-3)', () => {
  it('takes signed text and binary frames whose sequence rises', async () => {
    const { peer, sign } = await signedPeer()
    peer.frame(sign.text(1, ping(1)))
    peer.frame(sign.text(2, ping(2)))
    // {"id":3,"method":"awp.ping","params":{}} in MessagePack
    const packed = Buffer.concat([
      Buffer.from([0x83, 0xa2]),
      Buffer.from('id'),
      Buffer.from([3, 0xa6]),
      Buffer.from('method'),
      Buffer.from([0xa8]),
      Buffer.from('awp.ping'),
      Buffer.from([0xa6]),
      Buffer.from('params'),
      Buffer.from([0x80]),
    ])
    peer.frame(sign.binary(7, packed))
    await settle()
    expect(peer.messages.slice(1).map(({ id, result }) => [id, result])).toEqual(
      [1, 2, 3].map((id) => [id, { pong: true }]),
    )
  })

  it.each([
    ['a replayed frame', (sign: ReturnType<typeof signer>) => [sign.text(1, ping(1)), sign.text(1, ping(1))]],
    ['two swapped frames', (sign: ReturnType<typeof signer>) => [sign.text(2, ping(2)), sign.text(1, ping(1))]],
    ['a changed body', (sign: ReturnType<typeof signer>) => [sign.text(1, ping(1)).replace('"id":1', '"id":2')]],
    ['a changed sequence', (sign: ReturnType<typeof signer>) => [sign.text(1, ping(1)).replace(/^1/, '2')]],
    ['an unsigned frame', () => [ping(1)]],
    ['a truncated MAC', (sign: ReturnType<typeof signer>) => [sign.text(1, ping(1)).replace(/[0-9a-f]{2}\n/, '\n')]],
    ['a short binary frame', () => [new Uint8Array(20)]],
    ['a binary frame with a wrong MAC', () => [new Uint8Array(60)]],
    ['a MAC of another connection', () => [signer('00'.repeat(16)).text(1, ping(1))]],
  ])('refuses %s and ends the connection', async (_name, frames) => {
    const { peer, sign } = await signedPeer()
    for (const frame of frames(sign)) peer.frame(frame)
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({
      error: { code: 'PERMISSION_DENIED', details: { reason: 'UNAUTHENTICATED' } },
    })
    expect(peer.closed).toMatchObject({ code: 1008, reason: 'Signature refused' })
  })

  it.each([
    ['too old', { timestamp: NOW - 301_000 }],
    ['too new', { timestamp: NOW + 301_000 }],
    ['no number', { timestamp: 'soon' }],
    ['a short nonce', { nonce: 'abc' }],
    ['a signature that is no hex', { signature: 'zz' }],
    ['another secret', { secret: 'guess' }],
    ['an unknown key', { key_id: 'k2' }],
  ])('refuses a hello with %s', async (_name, change) => {
    const peer = signedHouse().connect()
    expect(await peer.error('awp.hello', { ...DRAFT_JSON, auth: auth(change) })).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { reason: 'UNAUTHENTICATED' },
    })
    await settle()
    expect(peer.closed).toMatchObject({ code: 1008 })
  })

  it('takes seconds as well as milliseconds, up to the edge of the window', async () => {
    const house = signedHouse()
    await house.connect().hello({ ...DRAFT_JSON, auth: auth({ timestamp: NOW / 1_000 }) })
    await house.connect().hello({ ...DRAFT_JSON, auth: auth({ timestamp: NOW - 300_000, nonce: 'nonce-0002' }) })
  })

  it('says the same for an unknown key and a wrong signature', async () => {
    const house = signedHouse()
    const unknown = await house.connect().error('awp.hello', { ...DRAFT_JSON, auth: auth({ key_id: 'k2' }) })
    const wrong = await house.connect().error('awp.hello', { ...DRAFT_JSON, auth: auth({ secret: 'guess' }) })
    expect(unknown).toEqual(wrong)
  })

  it('takes a hello once, on whichever connection', async () => {
    const house = signedHouse()
    await house.connect().hello({ ...DRAFT_JSON, auth: auth() })
    const error = await house.connect().error('awp.hello', { ...DRAFT_JSON, auth: auth() })
    expect(error.message).toContain('nonce')
  })

  it('stays signed when hello is repeated without auth', async () => {
    const { peer, sign } = await signedPeer()
    peer.frame(sign.text(1, JSON.stringify({ id: 'h', method: 'awp.hello', params: DRAFT_JSON })))
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({ id: 'h', result: { awp: { version: '0.1' } } })
    peer.frame(ping(9))
    await settle()
    expect(peer.closed).toMatchObject({ code: 1008 })
  })

  it('is UNSUPPORTED where no signing key is configured', async () => {
    expect(
      await testHouse()
        .connect()
        .error('awp.hello', { ...DRAFT_JSON, auth: auth() }),
    ).toMatchObject({
      code: 'UNSUPPORTED',
      details: { field: 'auth.method' },
    })
  })
})
