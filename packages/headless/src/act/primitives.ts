import {
  DomosError,
  type ElementState,
  type Intent,
  type JsonObject,
  type JsonValue,
  type ResolvedTarget,
} from '@domos/spec'
import { type ActContext, shown, textValue } from './act-context.ts'

/** What a primitive came to, for the result. */
export interface ActDone {
  readonly target?: ResolvedTarget
  /** More effects, such as the value a field holds now. */
  readonly effects?: JsonObject
}

/** Performs one `primitive.*` action and reads back what it did. */
export async function runPrimitive(name: string, intent: Intent, context: ActContext): Promise<ActDone> {
  const { page } = context
  const { target, value, options = {} } = intent
  const { limits } = page.environment
  switch (name) {
    case 'click': {
      const found = await context.need(target, 'click')
      await context.perform({ type: 'click', elementId: found.elementId, ...clickOptions(options) })
      return { target: found, ...(await checkedEffect(context, found)) }
    }
    case 'type': {
      const found = await context.need(target, 'type')
      const text = textValue(value, 'type', limits.maxTypedChars)
      const isSecret = options['secret'] === true
      return {
        target: found,
        effects: await typeInto(context, found.elementId, text, options['append'] !== true, isSecret),
      }
    }
    case 'clear': {
      const found = await context.need(target, 'clear')
      return { target: found, effects: await typeInto(context, found.elementId, '', true) }
    }
    case 'select': {
      const found = await context.need(target, 'select')
      return { target: found, effects: await selectIn(context, found.elementId, value) }
    }
    case 'toggle': {
      const found = await context.need(target, 'toggle')
      const state = await context.state(found.elementId)
      if (state.checked === undefined) {
        await context.perform({ type: 'click', elementId: found.elementId })
        return { target: found }
      }
      return { target: found, effects: await setChecked(context, found.elementId, !state.checked) }
    }
    case 'check':
    case 'uncheck': {
      const found = await context.need(target, name)
      return { target: found, effects: await setChecked(context, found.elementId, name === 'check') }
    }
    case 'press': {
      const found = target === undefined ? undefined : await context.resolve(target)
      const keys = textValue(value ?? options['key'], 'press', 64)
      await context.perform({ type: 'press', keys, ...(found === undefined ? {} : { elementId: found.elementId }) })
      return found === undefined ? {} : { target: found }
    }
    case 'hover':
    case 'focus': {
      const found = await context.need(target, name)
      await context.perform({ type: name, elementId: found.elementId })
      return { target: found }
    }
    case 'scroll': {
      const found = target === undefined ? undefined : await context.resolve(target)
      await context.perform({
        type: 'scroll',
        ...(found === undefined ? {} : { elementId: found.elementId }),
        ...scrollOptions(value ?? options['direction'], options),
      })
      return found === undefined ? {} : { target: found }
    }
    case 'submit': {
      const found = await context.resolve(target ?? { query: { role: 'form' } })
      await context.perform({ type: 'submit', elementId: found.elementId })
      return { target: found }
    }
    case 'upload': {
      const found = await context.need(target, 'upload')
      await context.perform({
        type: 'upload',
        elementId: found.elementId,
        files: readFiles(value, limits.maxDownloadBytes),
      })
      return { target: found, effects: { value: shown(await context.state(found.elementId)) } }
    }
    case 'drag': {
      const found = await context.need(target, 'drag')
      const to = await context.need(options['to'] as Intent['target'], 'drag (options.to)')
      await context.perform({ type: 'drag', elementId: found.elementId, toElementId: to.elementId })
      return { target: found }
    }
    case 'back':
    case 'forward':
      await page.engine.traverse(name === 'back' ? -1 : 1, context.deadline.signal)
      return {}
    case 'reload':
      await page.engine.reload(context.deadline.signal)
      return {}
    case 'navigate':
      await page.engine.navigate({ url: textValue(value, 'navigate', 65_536) }, context.deadline.signal)
      return {}
    default: {
      // wait: for an element, or for the state the request's own wait names.
      if (target?.query !== undefined) {
        await page.awaitCondition({ query: target.query, gone: options['gone'] === true }, context.deadline)
      }
      return {}
    }
  }
}

/** Types and reads back. A page that keeps something else is an error, never a second try. */
export async function typeInto(
  context: ActContext,
  elementId: string,
  text: string,
  replace: boolean,
  isSecret = false,
): Promise<{ readonly value: JsonValue }> {
  const before = (await context.state(elementId)).value ?? ''
  await context.perform({ type: 'type', elementId, text, replace, ...(isSecret ? { isSecret } : {}) })
  if (context.recorder.hasNavigated) return { value: null }
  const after = await context.state(elementId)
  const wanted = replace ? text : before + text
  if (normal(after.value ?? '') !== normal(wanted)) {
    throw new DomosError('conflict', 'The field holds something else than was typed; the page changed it.', {
      details: {
        reason: 'VALUE_MISMATCH',
        elementId,
        ...(after.isSecret ? {} : { holds: (after.value ?? '').slice(0, 200) }),
      },
    })
  }
  return { value: shown(after) }
}

/** Checks or unchecks and reads back. */
export async function setChecked(
  context: ActContext,
  elementId: string,
  checked: boolean,
): Promise<{ readonly value: JsonValue }> {
  await context.perform({ type: 'set-checked', elementId, checked })
  if (context.recorder.hasNavigated) return { value: null }
  const after = await context.state(elementId)
  if (after.checked !== checked) {
    throw new DomosError('conflict', `The page did not keep it ${checked ? 'checked' : 'unchecked'}.`, {
      details: { reason: 'VALUE_MISMATCH', elementId },
    })
  }
  return { value: checked }
}

/** Chooses options and reads back; on a radio button it checks that, on a details it opens it. */
export async function selectIn(
  context: ActContext,
  elementId: string,
  value: JsonValue | undefined,
): Promise<{ readonly value: JsonValue }> {
  const state = await context.state(elementId)
  if (state.checked !== undefined) return setChecked(context, elementId, true)
  const wanted = Array.isArray(value) ? value : [value]
  const values = wanted.map((each) => textValue(each as JsonValue | undefined, 'select', 1_000))
  await context.perform({ type: 'select', elementId, values })
  if (context.recorder.hasNavigated) return { value: null }
  const after = await context.state(elementId)
  if (!holdsAll(after, values)) {
    throw new DomosError('conflict', 'The page did not keep the chosen option.', {
      details: { reason: 'VALUE_MISMATCH', elementId, selected: [...(after.selected ?? [])] },
    })
  }
  return { value: shown(after) }
}

function holdsAll(state: ElementState, values: readonly string[]): boolean {
  const chosen = (state.options ?? []).filter(({ selected }) => selected)
  return (
    chosen.length === values.length &&
    values.every((name) =>
      chosen.some(({ text, value }) => value === name || text.toLowerCase() === name.trim().toLowerCase()),
    )
  )
}

async function checkedEffect(context: ActContext, found: ResolvedTarget): Promise<{ effects?: JsonObject }> {
  // A page behind an open dialog answers nothing until that is answered.
  if (context.recorder.hasNavigated || context.page.engine.state().dialog !== undefined) return {}
  const state = await context.page.engine.element(found.elementId)
  return state?.checked === undefined ? {} : { effects: { value: state.checked } }
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function clickOptions(options: JsonObject): {
  button?: 'left' | 'right' | 'middle'
  count?: number
  modifiers?: string[]
} {
  const { button, count, modifiers } = options
  return {
    ...(button === 'right' || button === 'middle' || button === 'left' ? { button } : {}),
    ...(typeof count === 'number' && count >= 1 && count <= 3 ? { count } : {}),
    ...(Array.isArray(modifiers) ? { modifiers: modifiers.filter((each) => typeof each === 'string') } : {}),
  }
}

function scrollOptions(
  value: JsonValue | undefined,
  options: JsonObject,
): { by?: { x: number; y: number }; to?: 'top' | 'bottom' } {
  const amount = typeof options['amount'] === 'number' ? options['amount'] : 300
  if (value === 'top' || value === 'bottom') return { to: value }
  if (value === 'up') return { by: { x: 0, y: -amount } }
  if (value === 'left') return { by: { x: -amount, y: 0 } }
  if (value === 'right') return { by: { x: amount, y: 0 } }
  return { by: { x: 0, y: typeof value === 'number' ? value : amount } }
}

/** Files of an upload: `{name, data, content_type}` with data in base64, or a list of them. */
export function readFiles(
  value: JsonValue | undefined,
  maxBytes: number,
): readonly { readonly name: string; readonly data: Uint8Array; readonly contentType: string }[] {
  const list = Array.isArray(value) ? value : [value]
  let total = 0
  return list.map((file, index) => {
    const path = `params.intent.value${Array.isArray(value) ? `.${index}` : ''}`
    const wrong = new DomosError('invalid_request', 'upload needs {name, data} with data in base64.', {
      details: { path },
    })
    if (typeof file !== 'object' || file === null || Array.isArray(file)) throw wrong
    const { name, data, content_type: snakeType, contentType } = file as JsonObject
    if (typeof name !== 'string' || name === '' || name.length > 255) throw wrong
    const bytes = (data as unknown) instanceof Uint8Array ? (data as unknown as Uint8Array) : fromBase64(data, wrong)
    total += bytes.length
    if (total > maxBytes)
      throw new DomosError('too_large', `Files may have ${maxBytes} bytes in all.`, { details: { maxBytes } })
    const type = snakeType ?? contentType
    return {
      name: name.split(/[/\\]/).at(-1) ?? name,
      data: bytes,
      contentType: typeof type === 'string' ? type : 'application/octet-stream',
    }
  })
}

function fromBase64(data: JsonValue | undefined, wrong: DomosError): Uint8Array {
  if (typeof data !== 'string') throw wrong
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  } catch {
    throw wrong
  }
}
