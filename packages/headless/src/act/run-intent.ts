import { type ActResult, DomosError, type Intent, type WaitSpec } from '@domos/spec'
import type { Deadline } from '../page/deadline.ts'
import type { HeadlessPage } from '../page/headless-page.ts'
import { ActContext } from './act-context.ts'
import { normalizeAction } from './actions.ts'
import { runPlan } from './plans.ts'
import { type ActDone, runPrimitive } from './primitives.ts'
import { runSemantic } from './semantic.ts'

/**
 * Performs an intent and tells what it did, as observed: navigation, change of the page, new pages, dialogs, downloads,
 * values read back. What was done stays done when the wait after it is not reached; that is a warning then.
 */
export async function runIntent(
  page: HeadlessPage,
  intent: Intent,
  wait: WaitSpec,
  deadline: Deadline,
): Promise<ActResult> {
  const action = normalizeAction(intent.action)
  if (page.engine.state().ready !== 'empty') await page.sync()
  const cursorBefore = page.cursor
  const recorder = page.startRecorder()
  const context = new ActContext(page, deadline, recorder)
  try {
    let done: ActDone
    try {
      done = await (action.level === 'primitive'
        ? runPrimitive(action.name, intent, context)
        : action.level === 'semantic'
          ? runSemantic(action.name, intent, context)
          : runPlan(action.name, intent, context))
    } catch (thrown) {
      throw withSteps(thrown, context)
    }
    const isSettled = await settle(page, wait, deadline, context)
    const hasDialog = page.engine.state().dialog !== undefined
    const isChanged = hasDialog || page.engine.state().ready === 'empty' ? false : await page.sync()
    const somChanged = isChanged || page.cursor !== cursorBefore
    const effects = recorder.finish(somChanged, page.url, (id) => page.environment.urlOf(id))
    return {
      action: action.full,
      effects: { ...effects, ...done.effects, ...(isSettled ? {} : { settled: false }) },
      ...(done.target === undefined ? {} : { target: done.target }),
      ...(context.steps.length === 0 ? {} : { steps: context.steps }),
      cursor: page.cursor,
      ...(context.warnings.length === 0 ? {} : { warnings: context.warnings }),
    }
  } finally {
    page.endRecorder(recorder)
  }
}

async function settle(page: HeadlessPage, wait: WaitSpec, deadline: Deadline, context: ActContext): Promise<boolean> {
  if (page.engine.state().dialog !== undefined || page.engine.state().ready === 'empty') return true
  try {
    await page.awaitCondition(wait, deadline)
    return true
  } catch (thrown) {
    if (!(thrown instanceof DomosError) || thrown.code !== 'timeout') throw thrown
    const what = wait.query === undefined ? (wait.until ?? 'dom_content_loaded') : 'the element waited for'
    context.warnings.push(`The action was done; ${what} was not reached in ${deadline.timeoutMs} ms.`)
    return false
  }
}

/** An error in the middle of a plan names what was done before it. */
function withSteps(thrown: unknown, { steps }: ActContext): unknown {
  if (steps.length === 0 || !(thrown instanceof DomosError)) return thrown
  const done = steps.map(({ action, field, target }) =>
    [action, field ?? target].filter((part) => part !== undefined).join(' '),
  )
  return new DomosError(thrown.code, `${thrown.message} Done before that: ${done.length} steps.`, {
    details: { ...thrown.details, stepsDone: done },
    cause: thrown,
  })
}
