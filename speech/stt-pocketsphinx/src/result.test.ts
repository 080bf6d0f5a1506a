import { describe, expect, it } from 'vitest'
import { soundAgreement } from './agreement.ts'
import { type Grammar, phrase } from './grammar.ts'
import { chooseResult } from './result.ts'

const grammar: Grammar = { start: phrase('add two lamps'), rules: new Map() }
const words = (text: string, confidence: number) =>
  text.split(' ').map((word, index) => ({ word, startMs: index * 200, endMs: index * 200 + 200, confidence }))

describe('the better of two results', () => {
  it('is the grammar where both sound alike', () => {
    const heard = {
      language: words('at to lamps', 0.4),
      languageProbability: 0.1,
      grammar: words('add two lamps', 1),
      agreement: 0.8,
    }
    expect(chooseResult(heard, grammar, 600)).toMatchObject({
      text: 'add two lamps',
      source: 'grammar',
      confidence: 0.8,
    })
  })

  it('is general language where they differ, for a lone grammar hears a command in anything', () => {
    const heard = {
      language: words('a new day', 0.9),
      languageProbability: 0.5,
      grammar: words('add two lamps', 1),
      agreement: 0.3,
    }
    expect(chooseResult(heard, grammar, 600)).toMatchObject({ text: 'a new day', source: 'language', confidence: 0.9 })
  })

  it('is general language, as a command, where it hears a whole sentence of the grammar by itself', () => {
    const heard = {
      language: words('add two lamps', 0.9),
      languageProbability: 0.5,
      grammar: words('add lamps', 1),
      agreement: 0.2,
    }
    expect(chooseResult(heard, grammar, 600)).toMatchObject({ text: 'add two lamps', source: 'grammar' })
  })

  it('is no unfinished sentence of the grammar', () => {
    const heard = {
      language: words('at to', 0.9),
      languageProbability: 0.5,
      grammar: words('add two', 1),
      agreement: 1,
    }
    expect(chooseResult(heard, grammar, 600).source).toBe('language')
  })
})

describe('the agreement of sounds', () => {
  it('is one for the same, zero for nothing, and counts sounds, not words', () => {
    expect(soundAgreement(['T', 'UW'], ['T', 'UW'])).toBe(1)
    expect(soundAgreement([], [])).toBe(0)
    expect(soundAgreement(['T', 'UW', 'L', 'AE'], ['T', 'UW', 'L', 'IY'])).toBe(0.75)
  })
})
