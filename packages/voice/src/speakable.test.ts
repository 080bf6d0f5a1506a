import { describe, expect, it } from 'vitest'
import { isPronounceable, speakable } from './speakable.ts'

describe('spoken text', () => {
  it.each([
    ['**Bold** and _slanted_ and `code`', 'Bold and slanted and code'],
    ['# Menu\n- tea\n- coffee\n', 'Menu. tea. coffee.'],
    ['1. First\n2. Second\n', '1. First. 2. Second.'],
    ['See [the docs](https://example.com/a/b?c=d) now.', 'See the docs now.'],
    ['Go to https://www.example.com/very/long?x=1#y.', 'Go to example.com.'],
    ['It is 22.5 degrees, or 1.299,50 in the old unit.', 'It is 22.5 degrees, or 1.299,50 in the old unit.'],
    [
      'Version v2.0.1 was tested by Dr. Vale at 9:30 a.m. today.',
      'Version v2.0.1 was tested by Dr. Vale at 9:30 a.m. today.',
    ],
    [
      'It costs €1,299.50, or $5 & up, at 20 °C and 3%.',
      'It costs 1299.50 euros, or 5 dollars and up, at 20 degrees Celsius and 3 percent.',
    ],
    ['Done! 🎉👍🏽', 'Done!'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a, b, 1, 2,'],
    ['Look:\n```js\nlet x = 1\n```\nThat is it.', 'Look: That is it.'],
    ['x * y is 2 * 3', 'x y is 2 3'],
    ['snake_case_name stays', 'snake case name stays'],
    ['2 + 2 = 4', '2 plus 2 equals 4'],
    ['<b>Hi</b> there', 'Hi there'],
    ['', ''],
  ])('%j is spoken as %j', (written, spoken) => {
    expect(speakable(written)).toBe(spoken)
  })

  it('knows what has no sound', () => {
    expect(isPronounceable(speakable('--- *** 🎉'))).toBe(false)
    expect(isPronounceable('5')).toBe(true)
  })
})
