type Rule = readonly [pattern: RegExp, phones: string]

/** Spelling to sound, tried in order at each place; `\b` is an edge of the word. Sounds are ARPAbet without stress. */
const RULES: readonly Rule[] = (
  [
    // Silent and word-edge spellings
    [/\bkn/, 'N'],
    [/\bgn/, 'N'],
    [/\bwr/, 'R'],
    [/\bps/, 'S'],
    [/\bpn/, 'N'],
    [/\bx/, 'Z'],
    [/mb\b/, 'M'],
    [/\bmc/, 'M AH K'],
    [/\bwh(?=o)/, 'HH'],
    [/wh/, 'W'],
    [/\brh/, 'R'],
    [/gh(?=t)/, ''],
    [/\bgh/, 'G'],
    // Endings
    [/tion/, 'SH AH N'],
    [/ssion/, 'SH AH N'],
    [/sion/, 'ZH AH N'],
    [/cian/, 'SH AH N'],
    [/ture\b/, 'CH ER'],
    [/sure\b/, 'ZH ER'],
    [/cious\b/, 'SH AH S'],
    [/tious\b/, 'SH AH S'],
    [/ious\b/, 'IY AH S'],
    [/ous\b/, 'AH S'],
    [/tial\b/, 'SH AH L'],
    [/cial\b/, 'SH AH L'],
    [/(?<=[bcdfgkpstz])le\b/, 'AH L'],
    [/(?<=[bcdfgkpstz])les\b/, 'AH L Z'],
    [/(?<=[td])ed\b/, 'IH D'],
    [/(?<=[pkfsx])ed\b/, 'T'],
    [/(?<=[a-z]{2})ed\b/, 'D'],
    [/(?<=[sxz]|ch|sh)es\b/, 'IH Z'],
    [/(?<=[a-z]{2})ing\b/, 'IH NG'],
    [/(?<=[a-z]{2})ings\b/, 'IH NG Z'],
    [/(?<=[a-z]{2})ers\b/, 'ER Z'],
    [/(?<=[a-z]{2})er\b/, 'ER'],
    [/ism\b/, 'IH Z AH M'],
    [/age\b/, 'IH JH'],
    [/(?<=[a-z]{2})ly\b/, 'L IY'],
    [/(?<=[a-z]{2})ies\b/, 'IY Z'],
    [/(?<=[a-z]{2})y\b/, 'IY'],
    [/\by/, 'Y'],
    [/(?<=\b[^aeiouy]{1,3})y\b/, 'AY'],
    // Vowel groups
    [/eigh/, 'EY'],
    [/igh/, 'AY'],
    [/augh/, 'AO'],
    [/ough\b/, 'OW'],
    [/ough/, 'AO'],
    [/eau/, 'OW'],
    [/air/, 'EH R'],
    [/ear/, 'IY R'],
    [/eer/, 'IY R'],
    [/ier\b/, 'IY ER'],
    [/oar/, 'AO R'],
    [/oor/, 'AO R'],
    [/our/, 'AW ER'],
    [/are\b/, 'EH R'],
    [/ire\b/, 'AY ER'],
    [/ore\b/, 'AO R'],
    [/ure\b/, 'Y UH R'],
    [/ere\b/, 'IY R'],
    [/ar/, 'AA R'],
    [/er/, 'ER'],
    [/ir/, 'ER'],
    [/ur/, 'ER'],
    [/or/, 'AO R'],
    [/ai/, 'EY'],
    [/ay/, 'EY'],
    [/au/, 'AO'],
    [/aw/, 'AO'],
    [/ee/, 'IY'],
    [/ea/, 'IY'],
    [/ei/, 'EY'],
    [/ey\b/, 'IY'],
    [/ey/, 'EY'],
    [/eu/, 'UW'],
    [/ew/, 'UW'],
    [/ie/, 'IY'],
    [/oa/, 'OW'],
    [/oe\b/, 'OW'],
    [/oi/, 'OY'],
    [/oy/, 'OY'],
    [/oo(?=k)/, 'UH'],
    [/oo/, 'UW'],
    [/ou/, 'AW'],
    [/ow\b/, 'OW'],
    [/ow/, 'AW'],
    [/ue\b/, 'UW'],
    [/ui/, 'UW'],
    [/io/, 'IY OW'],
    [/ia/, 'IY AH'],
    [/all/, 'AO L'],
    [/al(?=k)/, 'AO'],
    [/old/, 'OW L D'],
    [/ind\b/, 'AY N D'],
    // A vowel, one consonant and a final e: the vowel says its name and the e is silent
    [/a(?=[bcdfgklmnpqstvz]es?\b)/, 'EY'],
    [/i(?=[bcdfgklmnpqstvz]es?\b)/, 'AY'],
    [/o(?=[bcdfgklmnpqstvz]es?\b)/, 'OW'],
    [/u(?=[bcdfgklmnpqstvz]es?\b)/, 'UW'],
    [/e(?=[bcdfgklmnpqstvz]es?\b)/, 'IY'],
    [/y(?=[bcdfgklmnpqstvz]es?\b)/, 'AY'],
    [/(?<=[aeiouy][^aeiou]+)e\b/, ''],
    [/(?<=[aeiouy][^aeiou]+)e(?=s\b)/, ''],
    // Single vowels
    [/a\b/, 'AH'],
    [/o\b/, 'OW'],
    [/i\b/, 'IY'],
    [/u\b/, 'UW'],
    [/e\b/, 'IY'],
    [/a/, 'AE'],
    [/e/, 'EH'],
    [/i/, 'IH'],
    [/o/, 'AA'],
    [/u/, 'AH'],
    [/(?<=[aeiou])y/, ''],
    [/y/, 'IH'],
    // Consonants
    [/tch/, 'CH'],
    [/sch/, 'SH'],
    [/chr/, 'K R'],
    [/ch/, 'CH'],
    [/ck/, 'K'],
    [/cc(?=[eiy])/, 'K S'],
    [/c(?=[eiy])/, 'S'],
    [/c+/, 'K'],
    [/dge?/, 'JH'],
    [/d+/, 'D'],
    [/gg/, 'G'],
    [/gh/, ''],
    [/g(?=[eiy])/, 'JH'],
    [/ge\b/, 'JH'],
    [/g/, 'G'],
    [/ng\b/, 'NG'],
    [/nk/, 'NG K'],
    [/n+/, 'N'],
    [/ph/, 'F'],
    [/qu/, 'K W'],
    [/q/, 'K'],
    [/sh/, 'SH'],
    [/ss/, 'S'],
    [/sc(?=[eiy])/, 'S'],
    [/(?<=[aeiou])se\b/, 'Z'],
    [/(?<=[aeioubdglmnrvw])s\b/, 'Z'],
    [/s/, 'S'],
    [/th/, 'TH'],
    [/t+/, 'T'],
    [/x/, 'K S'],
    [/b+/, 'B'],
    [/f+/, 'F'],
    [/h/, 'HH'],
    [/j/, 'JH'],
    [/k+/, 'K'],
    [/l+/, 'L'],
    [/m+/, 'M'],
    [/p+/, 'P'],
    [/r+/, 'R'],
    [/v+/, 'V'],
    [/w/, 'W'],
    [/z+/, 'Z'],
    [/'/, ''],
  ] as const
).map(([pattern, phones]) => [new RegExp(pattern.source, 'y'), phones])

const LETTERS: Readonly<Record<string, string>> = {
  a: 'EY', b: 'B IY', c: 'S IY', d: 'D IY', e: 'IY', f: 'EH F', g: 'JH IY', h: 'EY CH', i: 'AY', j: 'JH EY', k: 'K EY',
  l: 'EH L', m: 'EH M', n: 'EH N', o: 'OW', p: 'P IY', q: 'K Y UW', r: 'AA R', s: 'EH S', t: 'T IY', u: 'Y UW', v: 'V IY',
  w: 'D AH B AH L Y UW', x: 'EH K S', y: 'W AY', z: 'Z IY',
} // biome-ignore format: one row reads better

const MIN_PART = 3

/**
 * Sounds of a word the dictionary does not have, lower case: as two words it has ("smartlock"), letter by letter when there
 * is no vowel to say ("hdmi" is said by rule, "tv" spelled), else by rules of spelling. Never empty.
 */
export function pronounce(word: string, lookup: (word: string) => string | undefined): string {
  for (let cut = word.length - MIN_PART; cut >= MIN_PART; cut--) {
    const head = lookup(word.slice(0, cut))
    const tail = lookup(word.slice(cut))
    if (head && tail) return `${head} ${tail}`
  }
  const letters = word.replace(/'/g, '')
  if (letters.length < 2 || !/[aeiouy]/.test(letters)) return spell(letters)
  const phones = bySpelling(letters)
  return phones === '' ? spell(letters) : phones
}

function spell(letters: string): string {
  return (
    [...letters]
      .map((letter) => LETTERS[letter] ?? '')
      .join(' ')
      .trim() || 'AH'
  )
}

function bySpelling(word: string): string {
  const phones: string[] = []
  for (let at = 0; at < word.length; ) {
    const rule = RULES.find(([pattern]) => {
      pattern.lastIndex = at
      return pattern.test(word)
    })
    if (rule?.[1]) phones.push(rule[1])
    at = rule ? rule[0].lastIndex : at + 1
  }
  return phones.join(' ')
}
