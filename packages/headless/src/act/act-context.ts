import {
  DomosError,
  type ElementState,
  type JsonObject,
  type JsonValue,
  type Primitive,
  type ResolvedTarget,
  type Target,
} from '@domos/spec'
import type { Deadline } from '../page/deadline.ts'
import type { EffectRecorder } from '../page/effects.ts'
import type { HeadlessPage } from '../page/headless-page.ts'

/** What a running intent works with: one page, one time limit, one record of what happened. */
export class ActContext {
  readonly page: HeadlessPage
  readonly deadline: Deadline
  readonly recorder: EffectRecorder
  readonly warnings: string[] = []
  /** Steps of a plan, in the order they were done. */
  readonly steps: JsonObject[] = []

  constructor(page: HeadlessPage, deadline: Deadline, recorder: EffectRecorder) {
    this.page = page
    this.deadline = deadline
    this.recorder = recorder
  }

  resolve(target: Target): Promise<ResolvedTarget> {
    return this.page.engine.resolve(target)
  }

  /** @throws DomosError `invalid_request` when an action that needs a target has none */
  async need(target: Target | undefined, action: string): Promise<ResolvedTarget> {
    if (target !== undefined) return this.resolve(target)
    throw new DomosError('invalid_request', `${action} needs a target.`, { details: { path: 'params.intent.target' } })
  }

  /** @throws DomosError `not_found` when the element is gone */
  async state(elementId: string): Promise<ElementState> {
    const state = await this.page.engine.element(elementId)
    if (state !== undefined) return state
    throw new DomosError('not_found', 'The element is no longer on the page.', {
      details: { reason: 'STALE_REF', elementId },
    })
  }

  /**
   * Performs a primitive. A dialog that opens ends the waiting: the action behind it goes on when it is answered.
   * An action that was delivered before its time ran out says so.
   */
  async perform(primitive: Primitive): Promise<void> {
    const { engine } = this.page
    const done = engine.perform(primitive, this.deadline.signal)
    const outcome = await Promise.race([done, this.recorder.dialogOpened.then(() => undefined)]).catch((thrown) => {
      if (thrown instanceof DomosError && thrown.code === 'timeout') {
        throw new DomosError(thrown.code, `${thrown.message} The action was delivered; do not repeat it blindly.`, {
          details: { ...thrown.details, delivered: true },
          cause: thrown,
        })
      }
      throw thrown
    })
    if (outcome === undefined) done.catch(() => {})
    for (const note of outcome?.notes ?? []) if (!this.warnings.includes(note)) this.warnings.push(note)
  }
}

/** A text out of an intent's value. @throws DomosError `invalid_request` */
export function textValue(value: JsonValue | undefined, action: string, maxChars: number): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const text = String(value)
    if (text.length <= maxChars) return text
    throw new DomosError('too_large', `A value may have ${maxChars} characters.`, { details: { maxChars } })
  }
  throw new DomosError('invalid_request', `${action} needs a value: a text.`, {
    details: { path: 'params.intent.value' },
  })
}

/** How a field's value is shown: secrets never. */
export function shown(state: ElementState): JsonValue {
  if (state.isSecret) return { masked: true, filled: (state.value ?? '') !== '' }
  if (state.selected !== undefined) return state.selected.length === 1 ? (state.selected[0] ?? '') : [...state.selected]
  if (state.checked !== undefined) return state.checked
  return state.value ?? null
}
