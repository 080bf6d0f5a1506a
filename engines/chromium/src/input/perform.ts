import { DomosError, type PerformResult, type Primitive } from '@domos/spec'
import { modifierBits, pressKeys, typeText } from './keyboard.ts'
import { clickAt, dragTo, moveTo, type Place } from './mouse.ts'
import { call, placeOf, type Stage } from './stage.ts'
import { uploadFiles } from './upload.ts'

export type { Stage }

type Of<T extends Primitive['type']> = Extract<Primitive, { type: T }>

/** Carries out one action with the browser's own mouse and keyboard. */
export async function perform(stage: Stage, primitive: Primitive, signal: AbortSignal): Promise<PerformResult> {
  const { session } = stage
  switch (primitive.type) {
    case 'click': {
      const modifiers = modifierBits(primitive.modifiers ?? [])
      await clickAt(
        session,
        await placeOf(stage, primitive.elementId, signal),
        primitive.button,
        primitive.count,
        modifiers,
      )
      return {}
    }
    case 'hover':
      await moveTo(session, await placeOf(stage, primitive.elementId, signal, 'hoverPoint'))
      return {}
    case 'focus':
      await call(stage, 'focus', primitive.elementId, signal)
      return {}
    case 'type':
      return type(stage, primitive, signal)
    case 'press':
      if (primitive.elementId !== undefined) await call(stage, 'focus', primitive.elementId, signal)
      await pressKeys(session, primitive.keys)
      return {}
    case 'set-checked':
      return setChecked(stage, primitive, signal)
    case 'select':
      return select(stage, primitive, signal)
    case 'upload':
      await uploadFiles(stage, primitive.elementId, primitive.files, signal)
      return {}
    case 'submit':
      await call(stage, 'submit', primitive.elementId, signal)
      return {}
    case 'scroll':
      return scroll(stage, primitive, signal)
    case 'drag': {
      // The second one is asked last, so that both places are true for the same scroll position.
      await placeOf(stage, primitive.elementId, signal, 'hoverPoint')
      const to = await placeOf(stage, primitive.toElementId, signal, 'hoverPoint')
      await dragTo(session, await placeOf(stage, primitive.elementId, signal, 'hoverPoint'), to)
      return {}
    }
  }
}

async function type(
  stage: Stage,
  { elementId, text, replace }: Of<'type'>,
  signal: AbortSignal,
): Promise<PerformResult> {
  const { session, frames } = stage
  const {
    value: plan,
    frameId,
    ref,
  } = await frames.call<{ how: 'keys' | 'set'; isMultiline: boolean }>(
    'prepareTyping',
    { ref: { elementId }, replace } as object,
    signal,
  )
  if (plan.how === 'set') {
    await frames.call('setValue', { ref, text } as object, signal, frameId)
    return {}
  }
  const lines = plan.isMultiline ? text : text.replace(/[\r\n]+/g, ' ')
  if (lines === '') {
    if (replace) await pressKeys(session, 'Delete')
  } else await typeText(session, lines.replace(/\r\n?/g, '\n'))
  // Whether it is still there to be read is another matter: pages replace fields while one types.
  const held = await frames.call<{ value?: string }>('readBack', { ref }, signal, frameId).catch((thrown: unknown) => {
    if (signal.aborted || !(thrown instanceof DomosError)) throw thrown
    return undefined
  })
  const value = held?.value.value
  if (value === undefined || (replace ? value === lines : value.endsWith(lines))) return {}
  return { notes: ['The field does not hold exactly what was typed; the page has changed it.'] }
}

async function setChecked(
  stage: Stage,
  { elementId, checked }: Of<'set-checked'>,
  signal: AbortSignal,
): Promise<PerformResult> {
  const before = await call<{ checked: boolean | null; kind: string }>(stage, 'checked', elementId, signal)
  if (before.checked === null) {
    throw new DomosError('invalid_request', `This can be neither checked nor unchecked: it is a ${before.kind}.`, {
      details: { reason: 'NOT_CHECKABLE' },
    })
  }
  if (before.checked === checked) return {}
  if (before.kind === 'radio' && !checked) {
    throw new DomosError('invalid_request', 'A radio button is unchecked by checking another one of its group.', {
      details: { reason: 'NOT_CHECKABLE' },
    })
  }
  await clickAt(stage.session, await placeOf(stage, elementId, signal))
  const after = await call<{ checked: boolean | null }>(stage, 'checked', elementId, signal).catch(
    (thrown: unknown) => {
      if (signal.aborted) throw thrown
      return undefined
    },
  )
  if (after === undefined || after.checked === checked) return {}
  throw new DomosError(
    'conflict',
    `It was clicked and is still ${checked ? 'not checked' : 'checked'}; the page does not allow it now.`,
    {
      details: { reason: 'UNCHANGED' },
    },
  )
}

async function select(stage: Stage, { elementId, values }: Of<'select'>, signal: AbortSignal): Promise<PerformResult> {
  const kind = await call<'done' | 'custom'>(stage, 'select', elementId, signal, { values })
  if (kind === 'done') return {}
  for (const name of values) await selectCustom(stage, elementId, name, signal)
  return {}
}

interface Custom {
  readonly isOpen: boolean
  readonly names: readonly string[]
  readonly point?: Place
  readonly isDisabled?: boolean
}

/** Opens a list the page made itself, waits for the option, and clicks it. */
async function selectCustom(stage: Stage, elementId: string, name: string, signal: AbortSignal): Promise<void> {
  const { session, frames, limits } = stage
  const look = () => frames.call<Custom>('customOptions', { ref: { elementId }, name } as object, signal)
  const first = await look()
  if (!first.value.isOpen) await clickAt(session, await placeOf(stage, elementId, signal))
  const until = Date.now() + limits.optionsTimeoutMs
  for (;;) {
    const { value: options, frameId } = await look()
    if (options.isDisabled === true) {
      throw new DomosError('conflict', `The option “${name.slice(0, 80)}” is disabled.`, {
        details: { reason: 'DISABLED' },
      })
    }
    if (options.point !== undefined) {
      await clickAt(session, await frames.pointInPage(frameId, options.point, signal))
      return
    }
    if (Date.now() > until) {
      const there = options.names.length === 0 ? 'it showed none' : `there are ${options.names.join(', ')}`
      throw new DomosError('invalid_request', `There is no option “${name.slice(0, 80)}”; ${there}.`, {
        details: { reason: 'NO_OPTION', options: options.names },
      })
    }
    await pause(50, signal)
  }
}

async function scroll(stage: Stage, primitive: Of<'scroll'>, signal: AbortSignal): Promise<PerformResult> {
  const { elementId, by, to } = primitive
  const argument = {
    ...(elementId === undefined ? {} : { ref: { elementId } }),
    ...(by === undefined ? {} : { by }),
    ...(to === undefined ? {} : { to }),
  }
  const { value } = await stage.frames.call<{ moved: boolean }>('scroll', argument, signal)
  return value.moved ? {} : { notes: ['Nothing moved: it was there already, or there is no more to scroll.'] }
}

function pause(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, forMs)
    signal.addEventListener('abort', abort, { once: true })
  })
}
