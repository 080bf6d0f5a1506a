import type { CdpSession } from '../cdp/connection.ts'
import type { ChromiumLimits } from '../limits.ts'
import type { Frames } from '../page/frames.ts'
import type { Place } from './mouse.ts'

/** What carrying out an action needs of its page. */
export interface Stage {
  readonly session: CdpSession
  readonly frames: Frames
  readonly limits: ChromiumLimits
  readonly uploadDirectory: string
  readonly account: { readonly uid: number; readonly gid: number } | undefined
}

/** Calls the injected script about one element. */
export async function call<T>(
  stage: Stage,
  method: string,
  elementId: string,
  signal: AbortSignal,
  more: object = {},
): Promise<T> {
  return (await stage.frames.call<T>(method, { ref: { elementId }, ...more }, signal)).value
}

/** Where to click for an element, in the page's window. */
export async function placeOf(stage: Stage, elementId: string, signal: AbortSignal, method = 'point'): Promise<Place> {
  const { value, frameId } = await stage.frames.call<Place>(method, { ref: { elementId } }, signal)
  return stage.frames.pointInPage(frameId, value, signal)
}
