import type { ProviderRequest, ProviderServer } from '@domos/testing/provider-server'
import { callsAreAnswered, resultsOf } from './model-records.ts'

/** What a check may look at. */
export interface CheckContext {
  readonly provider: ProviderServer
  /** Model steps played so far: as many requests have been answered. */
  readonly repliesPlayed: number
  /** Resolves with request number n (1 is the first), or rejects after the time for it. */
  request(n: number): Promise<ProviderRequest>
}

/** Why a check failed; undefined = it passed. */
type Check = (context: CheckContext, match: RegExpExecArray) => Promise<string | undefined>

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** The sentences that can be decided, each with what decides it. A sentence that fits none is left unchecked. */
const CHECKS: readonly (readonly [RegExp, Check])[] = [
  [
    /got no (?:second|further|more|other|new) request/i,
    async ({ provider, repliesPlayed }) => {
      return provider.requests.length <= repliesPlayed
        ? undefined
        : `the model got ${provider.requests.length} requests, expected ${repliesPlayed}`
    },
  ],
  [
    /next model request holds the result (\{.*\}) for (?:call )?(\w+)/i,
    async ({ request, repliesPlayed }, [, literal = '', callId = '']) => {
      const seen = await request(repliesPlayed + 1)
      return holds(seen, callId, wordsOf(literal))
    },
  ],
  [
    /model request (\d+) tells:? (.*)/i,
    async ({ request }, [, n = '1', what = '']) => {
      const seen = await request(Number(n))
      const text = resultsOf(seen).at(-1)?.text ?? ''
      if (/declin|den(?:y|ied)|refus/i.test(what) && !/declin|denied|refus/i.test(text))
        return `the result does not say that it was declined: ${text}`
      const notRun = /not (?:been )?(?:run|execut\w*|carried|perform\w*)|did not run|nothing was/i
      if (/not executed|did not run|not run/i.test(what) && !notRun.test(text))
        return `the result does not say that it was not executed: ${text}`
      return text === '' ? 'there is no tool result in the request' : undefined
    },
  ],
  [
    /model request (\d+) has an error result for (\w+) naming the tool as gone/i,
    async ({ request }, [, n = '1', callId = '']) => {
      const text = await resultText(request(Number(n)), callId)
      return /gone|no longer|not available|unavailable|not active|left the page/i.test(text ?? '')
        ? undefined
        : `the result for ${callId} is ${text}`
    },
  ],
  [
    /model request (\d+) does not contain a second result for (\w+)/i,
    async ({ request }, [, n = '1', callId = '']) => countIs(await request(Number(n)), callId, 1),
  ],
  [
    /no provider-side rule is broken|every tool call in the request has exactly one result/i,
    async ({ provider, request, repliesPlayed }) => {
      const newest = await request(repliesPlayed + 1)
      const refused = provider.requests.find(({ status }) => status !== undefined && status >= 400)
      if (refused !== undefined) return `model request ${refused.index + 1} was refused with ${refused.status}`
      return callsAreAnswered(newest) ? undefined : 'a call is not answered by exactly one result directly after it'
    },
  ],
  [
    /model request (\d+): (\w+) → (.*?); (\w+) was not turned into a success/i,
    async ({ request }, [, n = '1', callId = '', what = '', other = '']) => {
      const seen = await request(Number(n))
      const wrong = holds(seen, callId, wordsOf(what))
      if (wrong !== undefined) return wrong
      const results = resultsOf(seen)
      const text = results.find((result) => result.callId === other)?.text ?? ''
      const isFailure = /cancel|supersed|not (?:been )?(?:run|execut)|did not run|declin|denied|error|fail/i.test(text)
      return results.filter((result) => result.callId === other).length <= 1 && (text === '' || isFailure)
        ? undefined
        : `the result for ${other} is ${text}`
    },
  ],
  [
    /^one model request, with (\w+) (\S+)/i,
    async ({ provider, request, repliesPlayed }, [, key = '', value = '']) => {
      const seen = await request(repliesPlayed + 1)
      await settled()
      if (provider.requests.length !== repliesPlayed + 1)
        return `${provider.requests.length - repliesPlayed} model requests followed, expected one`
      const text = resultsOf(seen).at(-1)?.text ?? ''
      return contains(text, [key, value]) ? undefined : `the result is ${text}`
    },
  ],
  [
    /the request holds one result for (\w+)(?:, (\w+) (\S+))?/i,
    async ({ request, repliesPlayed }, [, callId = '', key, value]) => {
      const seen = await request(repliesPlayed + 1)
      return countIs(seen, callId, 1) ?? (key === undefined ? undefined : holds(seen, callId, [key, value ?? '']))
    },
  ],
  [
    /model request (\d+): all tool names fit the pattern, none equal/i,
    async ({ request }, [, n = '1']) => {
      const names = (await request(Number(n))).tools.map((tool) => tool.name)
      const odd = names.find((name) => !TOOL_NAME.test(name))
      if (odd !== undefined) return `the name ${odd} does not fit`
      return new Set(names).size === names.length && names.length > 0
        ? undefined
        : `names are not all different: ${names.join(', ')}`
    },
  ],
  [
    /model request (\d+) < (\d+) bytes(.*)/i,
    async ({ request }, [, n = '1', limit = '0', more = '']) => {
      const seen = await request(Number(n))
      if (seen.bytes >= Number(limit)) return `the request has ${seen.bytes} bytes`
      if (!/left out|cut/i.test(more)) return undefined
      const text = resultsOf(seen).at(-1)?.text ?? ''
      return /left out|omitted|cut|of \d+ (?:rows|items|entries)/i.test(text)
        ? undefined
        : 'the result does not say that something was left out'
    },
  ],
]

/** Decides a check: `undefined` when this runner cannot read the sentence, else what was found. */
export async function runCheck(
  sentence: string,
  context: CheckContext,
): Promise<{ readonly failure: string | undefined } | undefined> {
  for (const [pattern, check] of CHECKS) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    try {
      return { failure: await check(context, match) }
    } catch (thrown) {
      return { failure: thrown instanceof Error ? thrown.message : String(thrown) }
    }
  }
  return undefined
}

async function resultText(request: Promise<ProviderRequest>, callId: string): Promise<string | undefined> {
  return resultsOf(await request).find((result) => result.callId === callId)?.text
}

function countIs(request: ProviderRequest, callId: string, expected: number): string | undefined {
  const count = resultsOf(request).filter((result) => result.callId === callId).length
  return count === expected ? undefined : `there are ${count} results for ${callId}`
}

function holds(request: ProviderRequest, callId: string, words: readonly string[]): string | undefined {
  const text = resultsOf(request).find((result) => result.callId === callId)?.text
  if (text === undefined) return `there is no result for ${callId}`
  return contains(text, words) ? undefined : `the result for ${callId} is ${text}`
}

function contains(text: string, words: readonly string[]): boolean {
  const have = new Set(wordsOf(text))
  return words.every((word) => have.has(word.toLowerCase()))
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
}

/** Long enough for a second request that is on its way to show itself. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300))
}
