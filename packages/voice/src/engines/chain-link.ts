import {
  type Clock,
  DomosError,
  type ErrorCode,
  type Log,
  type SpeechEngine,
  type SpeechEngineHealth,
  silentLog,
  systemClock,
} from '@domos/spec'
import {
  CIRCUIT_BREAKER_LIMITS,
  type CircuitBreaker,
  type CircuitBreakerLimits,
  createCircuitBreaker,
} from './circuit-breaker.ts'

/** What a fallback chain takes besides its engines. */
export interface FallbackOptions {
  readonly clock?: Clock
  readonly log?: Log
  readonly limits?: Partial<CircuitBreakerLimits>
}

/** One engine of a chain with its breaker. */
export interface ChainLink<Engine extends SpeechEngine> {
  readonly engine: Engine
  readonly breaker: CircuitBreaker
}

/** A fault of the engine, which another engine may not have; the rest is the caller's and stays so everywhere. */
const ENGINE_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'timeout',
  'busy',
  'rate_limited',
  'unauthorized',
  'forbidden',
  'internal',
])

/** Engines with breakers, in order of preference. Throws with code `invalid_request` when there are none. */
export function createLinks<Engine extends SpeechEngine>(
  engines: readonly Engine[],
  { clock = systemClock, limits = {} }: FallbackOptions,
): readonly ChainLink<Engine>[] {
  if (engines.length === 0) throw new DomosError('invalid_request', 'A fallback chain needs at least one engine.')
  const all = { ...CIRCUIT_BREAKER_LIMITS, ...limits }
  return engines.map((engine) => ({ engine, breaker: createCircuitBreaker(clock, all) }))
}

/** Whether another engine should be tried after this failure. */
export function isEngineFault(thrown: unknown): boolean {
  return !(thrown instanceof DomosError) || ENGINE_FAULTS.has(thrown.code)
}

/**
 * Opens something with the first engine that can; that it opens does not yet prove that the engine works. The error of the last one tried is thrown when none can; `unavailable` when
 * all are resting.
 */
export async function openFirst<Engine extends SpeechEngine, Result>(
  links: readonly ChainLink<Engine>[],
  work: (engine: Engine) => Promise<Result>,
  log: Log = silentLog,
): Promise<{ readonly result: Result; readonly link: ChainLink<Engine> }> {
  let last: unknown
  for (const link of links) {
    if (!link.breaker.allows()) continue
    try {
      const result = await work(link.engine)
      link.breaker.withdrawn()
      return { result, link }
    } catch (thrown) {
      if (!isEngineFault(thrown)) {
        link.breaker.withdrawn()
        throw thrown
      }
      link.breaker.failed()
      last = thrown
      log.warn('speech-engine-failed', { engine: link.engine.id, code: codeOf(thrown) })
    }
  }
  throw last ?? new DomosError('unavailable', 'Every speech engine failed lately and is left alone for a while.')
}

/** The chain works while one engine does; it is degraded when the first does not. */
export async function chainHealth(
  links: readonly ChainLink<SpeechEngine>[],
  signal: AbortSignal,
): Promise<SpeechEngineHealth> {
  const all = await Promise.all(links.map(({ engine }) => engine.health(signal)))
  const working = all.findIndex(({ state }) => state !== 'unavailable')
  const missing = all.flatMap((health) => health.missing)
  const details = all.map(({ detail }, index) => `${links[index]?.engine.id}: ${detail}`).join(' ')
  if (working < 0) return { state: 'unavailable', detail: details, missing }
  const first = all[working] as SpeechEngineHealth
  return working === 0 ? first : { state: 'degraded', detail: details, missing }
}

/** The stable code of anything thrown. */
export function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof DomosError ? thrown.code : 'internal'
}
