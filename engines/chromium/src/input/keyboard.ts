import { DomosError } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

interface Key {
  readonly key: string
  readonly code: string
  readonly keyCode: number
  readonly text?: string
}

const NAMED: Readonly<Record<string, Key>> = {
  enter: { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' },
  tab: { key: 'Tab', code: 'Tab', keyCode: 9 },
  escape: { key: 'Escape', code: 'Escape', keyCode: 27 },
  esc: { key: 'Escape', code: 'Escape', keyCode: 27 },
  backspace: { key: 'Backspace', code: 'Backspace', keyCode: 8 },
  delete: { key: 'Delete', code: 'Delete', keyCode: 46 },
  insert: { key: 'Insert', code: 'Insert', keyCode: 45 },
  home: { key: 'Home', code: 'Home', keyCode: 36 },
  end: { key: 'End', code: 'End', keyCode: 35 },
  pageup: { key: 'PageUp', code: 'PageUp', keyCode: 33 },
  pagedown: { key: 'PageDown', code: 'PageDown', keyCode: 34 },
  arrowleft: { key: 'ArrowLeft', code: 'ArrowLeft', keyCode: 37 },
  arrowup: { key: 'ArrowUp', code: 'ArrowUp', keyCode: 38 },
  arrowright: { key: 'ArrowRight', code: 'ArrowRight', keyCode: 39 },
  arrowdown: { key: 'ArrowDown', code: 'ArrowDown', keyCode: 40 },
  space: { key: ' ', code: 'Space', keyCode: 32, text: ' ' },
}

const MODIFIERS: Readonly<Record<string, { readonly bit: number; readonly key: Key }>> = {
  alt: { bit: 1, key: { key: 'Alt', code: 'AltLeft', keyCode: 18 } },
  control: { bit: 2, key: { key: 'Control', code: 'ControlLeft', keyCode: 17 } },
  ctrl: { bit: 2, key: { key: 'Control', code: 'ControlLeft', keyCode: 17 } },
  meta: { bit: 4, key: { key: 'Meta', code: 'MetaLeft', keyCode: 91 } },
  command: { bit: 4, key: { key: 'Meta', code: 'MetaLeft', keyCode: 91 } },
  shift: { bit: 8, key: { key: 'Shift', code: 'ShiftLeft', keyCode: 16 } },
}

/** Editing commands that a chord means in a browser; key events alone do not carry them out. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = { 'control+a': ['selectAll'], 'meta+a': ['selectAll'] }

/** The bits of modifier names. @throws DomosError `invalid_request` for an unknown one */
export function modifierBits(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | modifier(name).bit, 0)
}

/** Presses one key or chord, such as `Enter` or `Control+A`. */
export async function pressKeys(session: CdpSession, chord: string): Promise<void> {
  const names = chord === '+' ? ['+'] : chord.split('+').map((part) => part.trim() || '+')
  const held = names.slice(0, -1).map(modifier)
  const last = keyNamed(names.at(-1) ?? '')
  const bits = held.reduce((sum, { bit }) => sum | bit, 0)
  const commands = COMMANDS[chord.toLowerCase().replace('ctrl', 'control')]
  const sent: Promise<unknown>[] = []
  let down = 0
  for (const { bit, key } of held) {
    down |= bit
    sent.push(send(session, 'rawKeyDown', key, down))
  }
  const types = last.text !== undefined && (bits & ~8) === 0
  sent.push(send(session, types ? 'keyDown' : 'rawKeyDown', last, bits, types ? last.text : undefined, commands))
  sent.push(send(session, 'keyUp', last, bits))
  for (const { bit, key } of held.toReversed()) {
    down &= ~bit
    sent.push(send(session, 'keyUp', key, down))
  }
  await Promise.all(sent)
}

/** Types text: key by key as far as it is plain, so that pages that listen to keys hear them. */
export async function typeText(session: CdpSession, text: string, maxKeys = 200): Promise<void> {
  if (text.length > maxKeys || !/^[\x20-\x7e\n]*$/.test(text)) {
    await session.send('Input.insertText', { text })
    return
  }
  const sent: Promise<unknown>[] = []
  for (const character of text) {
    const key = character === '\n' ? (NAMED['enter'] as Key) : keyNamed(character)
    sent.push(send(session, 'keyDown', key, 0, key.text), send(session, 'keyUp', key, 0))
  }
  await Promise.all(sent)
}

function send(
  session: CdpSession,
  type: Protocol.Input.DispatchKeyEventRequest['type'],
  { key, code, keyCode }: Key,
  modifiers: number,
  text?: string,
  commands?: readonly string[],
): Promise<unknown> {
  return session.send('Input.dispatchKeyEvent', {
    type,
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers,
    ...(text === undefined ? {} : { text, unmodifiedText: text }),
    ...(commands === undefined ? {} : { commands: [...commands] }),
  })
}

function modifier(name: string): { readonly bit: number; readonly key: Key } {
  const found = MODIFIERS[name.toLowerCase()]
  if (found !== undefined && Object.hasOwn(MODIFIERS, name.toLowerCase())) return found
  throw unknownKey(name)
}

function keyNamed(name: string): Key {
  const lower = name.toLowerCase()
  if (Object.hasOwn(NAMED, lower)) return NAMED[lower] as Key
  if (Object.hasOwn(MODIFIERS, lower)) return modifier(lower).key
  const functionKey = /^f([1-9]|1[0-2])$/i.exec(name)?.[1]
  if (functionKey !== undefined)
    return { key: `F${functionKey}`, code: `F${functionKey}`, keyCode: 111 + Number(functionKey) }
  const alias = /^(?:left|up|right|down)$/i.test(name) ? NAMED[`arrow${lower}`] : undefined
  if (alias !== undefined) return alias
  if ([...name].length !== 1) throw unknownKey(name)
  const upper = name.toUpperCase()
  const code = /^[A-Z]$/.test(upper) ? `Key${upper}` : /^\d$/.test(name) ? `Digit${name}` : name === ' ' ? 'Space' : ''
  return { key: name, code, keyCode: code === '' ? 0 : upper.charCodeAt(0), text: name }
}

function unknownKey(name: string): DomosError {
  return new DomosError(
    'invalid_request',
    `There is no key “${name.slice(0, 40)}”; name keys as in Enter, ArrowDown, a, F5, Control+A.`,
    {
      details: { reason: 'UNKNOWN_KEY' },
    },
  )
}
