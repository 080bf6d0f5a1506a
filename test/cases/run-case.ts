import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@domos/spec'
import { createProviderServer, type ProviderRequest, replyFromCase } from '@domos/testing/provider-server'
import { createDomos, DomosError, loadSettings } from 'domos'
import { runCheck } from './checks.ts'
import { createBindings, difference, fillMarks } from './marks.ts'
import { type CasePeer, openPeer, tryUpgrade } from './peer.ts'

/** A case file. */
export interface CaseFile {
  readonly door?: string
  readonly steps: readonly Readonly<Record<string, unknown>>[]
}

/** What became of one step. */
export interface StepResult {
  readonly step: number
  readonly what: string
  /** `done`: something was sent or scripted; there is nothing to decide about it. */
  readonly outcome: 'passed' | 'failed' | 'unchecked' | 'done'
  readonly detail?: string
}

const EXPECT_MS = 45_000
const CHECK_MS = 70_000

/** Plays one case against a real server whose model is a scripted provider on loopback. */
export async function runCase(file: CaseFile): Promise<readonly StepResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'domos-case-'))
  const provider = await createProviderServer({ maxRequestBytes: 200_000, replyTimeoutMs: 180_000 })
  const settings = await loadSettings({
    flags: {
      model: 'compatible/scripted',
      modelBaseUrl: provider.baseUrls.openai,
      modelApiKey: 'scripted-key',
      dataDir,
    },
    env: {},
    directory: dataDir,
  })
  const domos = await createDomos({ settings, log: silentLog })
  const { port } = await domos.server.listen({ port: 0 })
  const paths = Object.fromEntries(domos.doors.map((door) => [door.name, door.paths[0]]))
  const base = `ws://localhost:${port}`
  const peers = new Map<string, CasePeer>()
  const bindings = createBindings()
  const results: StepResult[] = []
  let repliesPlayed = 0

  const peerOf = async (name: unknown): Promise<CasePeer> => {
    const key = typeof name === 'string' ? name : 'default'
    let peer = peers.get(key)
    if (peer === undefined) {
      peer = await openPeer(`${base}${paths[file.door ?? 'adtp'] ?? '/adtp'}`)
      peers.set(key, peer)
    }
    return peer
  }
  const request = (n: number): Promise<ProviderRequest> => provider.waitForRequest(n - 1, AbortSignal.timeout(CHECK_MS))

  const play = async (step: Readonly<Record<string, unknown>>): Promise<Omit<StepResult, 'step'>> => {
    if (step['upgrade'] !== undefined) return playUpgrade(step, base, port, paths)
    if (step['client'] !== undefined) {
      const peer = await peerOf(step['as'])
      await peer.send(fillMarks(step['client'], bindings) as Record<string, unknown>, step['no_wait'] !== true)
      return { what: `client ${(step['client'] as { type?: string }).type}`, outcome: 'done' }
    }
    if (step['model'] !== undefined) {
      provider.queue(replyFromCase(step['model'], (name, at) => provider.nameOfferedFor(name, at)))
      repliesPlayed += 1
      return { what: 'model', outcome: 'done' }
    }
    if (step['expect'] !== undefined) return playExpect(step, await peerOf(step['as']))
    if (step['expect_none'] !== undefined) {
      const { type } = step['expect_none'] as { type: string }
      const within = typeof step['within_ms'] === 'number' ? step['within_ms'] : 1_000
      const peer = await peerOf(step['as'])
      await new Promise((resolve) => setTimeout(resolve, within))
      const seen = peer.unread(type)
      const what = `expect_none ${type} within ${within} ms`
      return seen.length === 0
        ? { what, outcome: 'passed' }
        : { what, outcome: 'failed', detail: JSON.stringify(seen[0]) }
    }
    if (typeof step['check'] === 'string') {
      const decided = await runCheck(step['check'], { provider, repliesPlayed, request })
      const what = `check ${step['check']}`
      if (decided === undefined) return { what, outcome: 'unchecked' }
      return decided.failure === undefined
        ? { what, outcome: 'passed' }
        : { what, outcome: 'failed', detail: decided.failure }
    }
    return {
      what: JSON.stringify(step).slice(0, 100),
      outcome: 'unchecked',
      detail: 'this runner does not know the step',
    }
  }

  const playExpect = async (
    step: Readonly<Record<string, unknown>>,
    peer: CasePeer,
  ): Promise<Omit<StepResult, 'step'>> => {
    const { type, payload = {} } = step['expect'] as { type: string; payload?: Record<string, unknown> }
    const what = `expect ${type}`
    let message = await peer.next(type, typeof step['within_ms'] === 'number' ? step['within_ms'] : EXPECT_MS)
    if (type === 'AGENT_RESPONSE' && payload['done'] === true) {
      // An answer is streamed; what is expected of it holds for all its chunks put together.
      let joined = String(message.payload['chunk'] ?? '')
      while (message.payload['done'] !== true) {
        message = await peer.next(type, EXPECT_MS)
        joined += String(message.payload['chunk'] ?? '')
      }
      message = { ...message, payload: { ...message.payload, chunk: joined } }
    }
    if (type === 'TOOL_CALL')
      bindings.calls.push({ callId: String(message.payload['callId']), args: message.payload['args'] })
    const wrong = difference(payload, message.payload, bindings)
    return wrong === undefined ? { what, outcome: 'passed' } : { what, outcome: 'failed', detail: wrong }
  }

  try {
    for (const [index, step] of file.steps.entries()) {
      let result: Omit<StepResult, 'step'>
      try {
        result = await play(step)
      } catch (thrown) {
        const detail = thrown instanceof DomosError || thrown instanceof Error ? thrown.message : String(thrown)
        result = { what: Object.keys(step)[0] ?? 'step', outcome: 'failed', detail }
      }
      results.push({ step: index + 1, ...result })
    }
  } finally {
    for (const peer of peers.values()) peer.close()
    await provider.close()
    await domos.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return results
}

async function playUpgrade(
  step: Readonly<Record<string, unknown>>,
  base: string,
  port: number,
  paths: Readonly<Record<string, string | undefined>>,
): Promise<Omit<StepResult, 'step'>> {
  const { door = 'adtp', origin } = step['upgrade'] as { door?: string; origin?: string | null }
  const expected = String(step['expect'])
  const what = `upgrade ${door} from ${origin ?? 'no origin'}: ${expected}`
  const path = paths[door]
  if (path === undefined) return { what, outcome: 'unchecked', detail: `this build has no ${door} door` }
  const sent =
    origin === null || origin === undefined ? undefined : origin === '$allowed' ? `http://localhost:${port}` : origin
  const found = await tryUpgrade(`${base}${path}`, sent)
  const wanted = expected.startsWith('accepted') ? 'accepted' : 'refused'
  return found === wanted
    ? { what, outcome: 'passed' }
    : { what, outcome: 'failed', detail: `it was ${found ?? 'answered 404'}` }
}
