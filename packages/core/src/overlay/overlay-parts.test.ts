import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ArmingEvent, type ArmingState, armingTable, nextArmingState } from './arming-state.ts'
import { catalogueFor, clockTime, fill } from './messages.ts'
import { OVERLAY_CSS } from './styles.ts'
import { visiblePieces } from './visible-text.ts'

describe('whether a press may count', () => {
  const states = Object.keys(armingTable) as ArmingState[]
  const events: readonly ArmingEvent[] = ['shown', 'disturbed', 'settled', 'closed']

  it.each(states.flatMap((state) => events.map((event) => [state, event] as const)))('%s, %s', (state, event) => {
    const next = nextArmingState(state, event)
    if (next === 'armed') expect(event).toBe('settled')
    if (event === 'closed') expect(next).toBe('closed')
    if (event === 'disturbed') expect(next).not.toBe('armed')
    if (state === 'closed' && event !== 'shown') expect(next).toBe('closed')
  })
})

describe('visible text', () => {
  const shown = (text: string) =>
    visiblePieces(text)
      .map((piece) => piece.text)
      .join('')

  it.each([
    ['a\u202Eb', 'aU+202Eb'],
    ['zero\u200Bwidth\uFEFF', 'zeroU+200BwidthU+FEFF'],
    ['nul\0 del\x7f soft\u00AD', 'nulU+0000 delU+007F softU+00AD'],
    ['tag\u{E0041}', 'tagU+E0041'],
    ['filler\u3164 joiner\u034F selector\uFE0F', 'fillerU+3164 joinerU+034F selectorU+FE0F'],
    ['two\nlines\u2028', 'two⏎\nlinesU+2028'],
    ['lone \uD800', 'lone U+D800'],
    ['Grüße, 日本語, مرحبا, 👩', 'Grüße, 日本語, مرحبا, 👩'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('loses no character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const back = visiblePieces(text)
          .filter(({ text: piece, type }) => !(type === 'text' && piece === '\n'))
          .map(({ type, text: piece }) => {
            if (type === 'text') return piece
            return piece === '⏎' ? '\n' : String.fromCodePoint(Number.parseInt(piece.slice(2), 16))
          })
          .join('')
        expect(back).toBe(text)
      }),
    )
  })
})

describe('what the dialog says', () => {
  it('has every sentence in every language, with the same gaps', () => {
    const english = catalogueFor('en').catalogue
    const german = catalogueFor('de-AT').catalogue
    expect(Object.keys(german)).toEqual(Object.keys(english))
    for (const [name, sentence] of Object.entries(english)) {
      const gaps = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? []
      expect(gaps(german[name as keyof typeof german]), name).toEqual(gaps(sentence))
    }
  })

  it('is English where it does not know the language, and says so', () => {
    expect(catalogueFor('ar')).toMatchObject({ language: 'en' })
    expect(catalogueFor('constructor')).toMatchObject({ language: 'en' })
  })

  it('fills gaps once, so that a filled-in text opens no further gap', () => {
    expect(fill('{who} on {host}', { who: '{host}', host: 'shop' })).toBe('{host} on shop')
    expect(clockTime(61_000)).toBe('1:01')
    expect(clockTime(-5)).toBe('0:00')
  })
})

describe('the colours of the dialog', () => {
  const palettes = ['high', 'critical'].flatMap((risk) =>
    [0, 1].map((scheme) => [risk, scheme === 0 ? 'light' : 'dark'] as const),
  )

  function palette(risk: string, scheme: string): Record<string, string> {
    const found: Record<string, string> = {}
    const [all = '', critical = ''] = OVERLAY_CSS.split('.critical{')
    const text = risk === 'critical' ? all + critical : all
    for (const [, name = '', light = '', dark = ''] of text.matchAll(/--(\w+):light-dark\((#\w+),(#\w+)\)/g)) {
      found[name] = scheme === 'light' ? light : dark
    }
    return found
  }

  it.each(palettes)('meet WCAG AA: %s, %s', (risk, scheme) => {
    const colour = palette(risk, scheme)
    const ratio = (a: string, b: string) => contrast(colour[a] ?? '', colour[b] ?? '')
    for (const [text, ground] of [
      ['text', 'surface'],
      ['text', 'raised'],
      ['muted', 'surface'],
      ['muted', 'raised'],
      ['ink', 'badge'],
      ['ink', 'surface'],
      ['on', 'go'],
    ] as const) {
      expect(ratio(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
    for (const edge of ['edge', 'go']) expect(ratio(edge, 'surface'), edge).toBeGreaterThanOrEqual(3)
  })
})

/** WCAG 2 contrast ratio. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1)
  const [r, g, b] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
