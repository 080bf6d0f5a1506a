import { describe, expect, it } from 'vitest'
import {
  hasContent,
  isBackchannel,
  isHesitation,
  isRepeatOf,
  isStop,
  isYes,
  sameWords,
  saysNothing,
  trailing,
} from './words.ts'

const SPOKEN = 'Do you want the red boat or the blue boat? The harbour master has both of them today.'

describe('words', () => {
  it('tell what comes back from the loudspeaker from an answer in the same words', () => {
    expect(isRepeatOf('the harbour master has both of', SPOKEN)).toBe(true)
    expect(isRepeatOf('harbor master has both of them', SPOKEN)).toBe(true)
    expect(isRepeatOf('the red boat', SPOKEN)).toBe(false)
    expect(isRepeatOf('i want the blue one today please', SPOKEN)).toBe(false)
    expect(isRepeatOf('', SPOKEN)).toBe(false)
  })

  it.each([
    ['', true],
    ['the', true],
    ['and uh', true],
    ['please', false],
    ['stop', false],
    ['no', false],
    ['five', false],
  ])('%j says nothing: %s', (text, nothing) => {
    expect(saysNothing(text)).toBe(nothing)
  })

  it.each([
    ['turn on the', 'connector'],
    ['uh', 'connector'],
    ['twenty', 'number'],
    ['channel 5', 'number'],
    ['the light', 'none'],
    ['', 'none'],
  ])('%j ends in a %s', (text, end) => {
    expect(trailing(text)).toBe(end)
  })

  it('know stops, yeses, listening and hesitation', () => {
    expect([isStop('Stop!'), isStop('stop the music')]).toEqual([true, false])
    expect([isYes('Yes, please.'), isYes('yes and no')]).toEqual([true, false])
    expect([isBackchannel('uh-huh okay'), isBackchannel('okay stop')]).toEqual([true, false])
    expect([isHesitation('um, uh'), isHesitation('um no')]).toEqual([true, false])
    expect([hasContent('and the'), hasContent('and when')]).toEqual([false, true])
    expect([sameWords('Turn on, the light!', 'turn on the light'), sameWords('on', 'off')]).toEqual([true, false])
  })
})
