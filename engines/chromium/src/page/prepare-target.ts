import type { EngineContextOptions } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import { emulate } from '../context/emulation.ts'
import { WORLD_NAME } from './frames.ts'

/** What every target of a context is prepared with. */
export interface Preparation {
  readonly options: EngineContextOptions
  readonly browserUserAgent: string
  readonly binding: string
  readonly isolatedScript: string
  readonly mainScript: string
}

/**
 * Sets a target up before it runs: events, looks, scripts. All commands go out at once; only the last one, which lets the
 * target run, is waited for.
 */
export async function prepareTarget(session: CdpSession, preparation: Preparation, isTop: boolean): Promise<void> {
  session.post('Inspector.enable')
  session.post('Page.enable', {})
  session.post('Page.setLifecycleEventsEnabled', { enabled: true })
  session.post('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
  session.post('Runtime.addBinding', { name: preparation.binding, executionContextName: WORLD_NAME })
  session.post('Page.addScriptToEvaluateOnNewDocument', { source: preparation.mainScript, runImmediately: true })
  session.post('Page.addScriptToEvaluateOnNewDocument', {
    source: preparation.isolatedScript,
    worldName: WORLD_NAME,
    runImmediately: true,
  })
  emulate(session, preparation.options, preparation.browserUserAgent, isTop)
  session.post('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe', exclude: false }, { exclude: true }],
  })
  session.post('Runtime.enable')
  await session.send('Runtime.runIfWaitingForDebugger')
}
