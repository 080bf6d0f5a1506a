import type { DomOSClient, DomOSClientOptions } from '@domos/core'
import type { ToolOptions } from '@domos/core/adapter'
import { agentCases } from './adapter-contract-agent.ts'
import { callCases } from './adapter-contract-calls.ts'
import { lifeCases } from './adapter-contract-life.ts'
import { ContractClock, ContractPeer, turns, until } from './adapter-contract-peer.ts'
import type { ContractCase } from './speech-contract-check.ts'

export type { ContractCase } from './speech-contract-check.ts'

/** One component of a page: its tools and its piece of context, declared as the framework's users do. */
export interface ContractPart {
  /** A part that keeps its key is the same component, updated. */
  readonly key: string
  readonly tools?: readonly ToolOptions[]
  readonly context?: object
}

/** What a component shows of the agent, read back from the page. */
export interface ShownAgent {
  readonly state: string
  readonly isConnected: boolean
  readonly isThinking: boolean
  readonly response: string
  readonly isStreaming: boolean
  /** Code of the error shown; '' without one. */
  readonly error: string
  /** Names of the tools that wait for approval. */
  readonly pending: readonly string[]
}

/** A page made with the adapter. */
export interface ContractPage {
  readonly client: DomOSClient
  /** Renders these parts in place of those there, in one update of the framework. */
  render(parts: readonly ContractPart[]): void
  /** Read from the page's document, where a component wrote it through the adapter. */
  shown(): ShownAgent
  /** Through the adapter's own functions. */
  sendText(text: string): void
  stop(): void
  approve(): void
  deny(): void
  /** Takes the whole page down, with the provider. */
  unmount(): void
}

/** How the suite makes pages. */
export interface AdapterHarness {
  /** Puts a page with a provider (strict, where the framework knows that) into a new element of the document. */
  mount(options: DomOSClientOptions, parts: readonly ContractPart[]): ContractPage | Promise<ContractPage>
}

/** A page with the far end of its wire and its time. */
export interface ContractScene {
  readonly page: ContractPage
  readonly peer: ContractPeer
  readonly clock: ContractClock
  /** Renders and waits until the framework is done. */
  render(parts: readonly ContractPart[]): Promise<void>
  /** Waits for the n-th result of a call, and gives it. */
  result(count?: number): Promise<Readonly<Record<string, unknown>>>
}

/** Opens a scene; with `connected: false` the server keeps silent. */
export type OpenScene = (
  parts: readonly ContractPart[],
  options?: DomOSClientOptions & { readonly connected?: boolean },
) => Promise<ContractScene>

/** Makes a case that ends its pages. */
export type AdapterCase = (title: string, run: (open: OpenScene) => Promise<void>) => ContractCase

/** What every adapter promises, as cases for any test runner: `for (const { title, run } of cases) it(title, run)`. */
export function adapterContract(harness: AdapterHarness): readonly ContractCase[] {
  const on: AdapterCase = (title, run) => ({
    title,
    async run() {
      const scenes: ContractScene[] = []
      try {
        await run(async (parts, options) => {
          const scene = await openScene(harness, parts, options)
          scenes.push(scene)
          return scene
        })
      } finally {
        for (const { page } of scenes) page.unmount()
        await turns()
      }
    },
  })
  return [...lifeCases(on), ...callCases(on), ...agentCases(on)]
}

async function openScene(
  harness: AdapterHarness,
  parts: readonly ContractPart[],
  { connected = true, ...options }: DomOSClientOptions & { readonly connected?: boolean } = {},
): Promise<ContractScene> {
  const peer = new ContractPeer()
  const clock = new ContractClock()
  peer.answers = connected
  const page = await harness.mount(
    {
      endpoint: 'ws://contract.test/adtp',
      transport: peer.transport,
      clock,
      approvals: 'custom-unsafe',
      resumeAcrossReloads: false,
      ...options,
    },
    parts,
  )
  if (connected)
    await until(() => peer.of('CONTEXT_UPDATE').length > 0, 'The page never connected and announced itself.')
  await turns()
  return {
    page,
    peer,
    clock,
    async render(next) {
      page.render(next)
      await turns()
    },
    async result(count = 1) {
      const found = () => peer.of('TOOL_RESULT')
      await until(
        () => found().length >= count,
        () =>
          `There should be ${count} results, and there are ${found().length}: ${JSON.stringify(peer.frames.slice(-3))}`,
      )
      return found()[count - 1]
    },
  }
}
