import type { BrowserEngine, EngineContext, EngineContextOptions, EnginePage, NetworkPolicy } from '@domos/spec'
import { ACTING_CASES } from './engine-contract-acting.ts'
import { LOADING_CASES } from './engine-contract-loading.ts'
import { CONTRACT_PAGES } from './engine-contract-pages.ts'
import { READING_CASES } from './engine-contract-reading.ts'
import { SCRIPT_CASES } from './engine-contract-script.ts'
import type { ContractSite } from './engine-contract-site.ts'
import { EngineWorld } from './engine-contract-world.ts'
import type { ContractCase } from './speech-contract-check.ts'

/** Paths of the site's pages. */
export const CONTRACT_PATHS: readonly string[] = Object.keys(CONTRACT_PAGES)

export { type ContractSite, openContractSite } from './engine-contract-site.ts'

/** One promise of the contract. */
export interface EngineCase {
  /** Stable name, by which a gap is declared. */
  readonly id: string
  readonly title: string
  /** Context settings the case needs. */
  readonly options?: Partial<EngineContextOptions>
  run(world: EngineWorld): Promise<void>
}

/** What the suite for browser engines needs. */
export interface EngineSubject {
  /** The engine; whoever gives it closes it. */
  engine(): BrowserEngine
  site(): ContractSite
  /** A folder for downloads. */
  readonly downloadDirectory: string
  /** What the engine does not do, by case id, with the reason. A gap that has closed fails until it is taken out here. */
  readonly gaps?: Readonly<Record<string, string>>
}

const WAIT_MS = 15_000
/** What never comes need not be waited for as long. */
const GAP_WAIT_MS = 1_500
const CASES: readonly EngineCase[] = [...LOADING_CASES, ...READING_CASES, ...ACTING_CASES, ...SCRIPT_CASES]

/** What every browser engine promises, as cases for any test runner. @throws Error for a gap that names no case */
export function engineContract(subject: EngineSubject): readonly ContractCase[] {
  const { gaps = {} } = subject
  const unknown = Object.keys(gaps).filter((id) => !CASES.some((each) => each.id === id))
  if (unknown.length > 0) throw new Error(`No case is called ${unknown.join(', ')}.`)
  return CASES.map((each) => {
    const gap = gaps[each.id]
    const title = gap === undefined ? each.title : `${each.title} (gap: ${gap})`
    return { title, run: () => (gap === undefined ? runCase(each, subject) : runGap(each, subject)) }
  })
}

async function runGap(each: EngineCase, subject: EngineSubject): Promise<void> {
  try {
    await runCase(each, subject, GAP_WAIT_MS)
  } catch {
    return
  }
  throw new Error(`The gap “${each.id}” has closed: this works now. Take it out of the list of gaps.`)
}

async function runCase(each: EngineCase, subject: EngineSubject, waitMs = WAIT_MS): Promise<void> {
  const context: EngineContext = await subject.engine().openContext({
    policy: onlyLoopback,
    downloadDirectory: subject.downloadDirectory,
    limits: {
      maxResponseBytes: 8_388_608,
      maxDecodedBytes: 16_777_216,
      maxRedirects: 10,
      requestTimeoutMs: 10_000,
      maxDownloadBytes: 1_048_576,
      maxHistoryEntries: 50,
    },
    ...each.options,
  })
  const opened: EnginePage[] = []
  context.onPage((page) => opened.push(page))
  try {
    await each.run(new EngineWorld(context, await context.openPage(), subject.site(), opened, waitMs))
  } finally {
    await context.close()
  }
}

/** Lets through what the suite's own site is reached at, and nothing that leaves the machine. */
const onlyLoopback: NetworkPolicy = {
  checkUrl() {},
  checkAddress(_host, address) {
    if (!/^(?:127\.|::1$|::ffff:127\.)/.test(address))
      throw new Error(`The suite reaches loopback alone, not ${address}.`)
  },
}
