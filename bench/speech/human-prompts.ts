import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { SpeechHints } from '@domos/spec'
import { joinSamples, silence } from '@domos/testing/speech'

// Dates and spelled words put together from a person's recordings: Debian's asterisk-core-sounds-en-g722, where the name of a
// file says what is said. Nothing of the engines was tuned on them.

const DIRECTORY = '/usr/share/asterisk/sounds/en_US_f_Allison'
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const PHONETIC = {
  a: 'alpha',
  b: 'bravo',
  c: 'charlie',
  d: 'delta',
  e: 'echo',
  g: 'golf',
  h: 'hotel',
  l: 'lima',
  m: 'mike',
  o: 'oscar',
  r: 'romeo',
  s: 'sierra',
  t: 'tango',
  v: 'victor',
} as const

/** A tool that expects such words. */
export const PROMPT_HINTS: SpeechHints = {
  tools: [
    {
      name: 'set_date',
      description: 'Sets the date',
      parameters: {
        type: 'object',
        properties: {
          day: { type: 'string', enum: DAYS },
          month: { type: 'string', enum: MONTHS },
          number: { type: 'integer', minimum: 1, maximum: 12 },
        },
        required: ['day'],
      },
    },
  ],
  vocabulary: Object.values(PHONETIC),
}

/** What is said, and its sound at 16 kHz; empty where the recordings or ffmpeg are missing. */
export function humanPrompts(): readonly { readonly text: string; readonly samples: Int16Array }[] {
  if (!existsSync(DIRECTORY) || !existsSync('/usr/bin/ffmpeg')) return []
  const dates = Array.from({ length: 14 }, (_, index) => {
    const [day, month, number] = [index % 7, (index * 5) % 12, (index * 7) % 12]
    return {
      text: `${DAYS[day]} ${MONTHS[month]} ${NUMBERS[number]}`,
      files: [`digits/day-${day}`, `digits/mon-${month}`, `digits/${number + 1}`],
    }
  })
  const spelled = ['store', 'model', 'search', 'vote', 'glad', 'bath'].map((word) => {
    const letters = [...word] as (keyof typeof PHONETIC)[]
    return {
      text: letters.map((letter) => PHONETIC[letter]).join(' '),
      files: letters.map((letter) => `phonetic/${letter}_p`),
    }
  })
  return [...dates, ...spelled].map(({ text, files }) => ({
    text,
    samples: joinSamples(silence(200), ...files.map((file) => trimmed(readPrompt(file))), silence(300)),
  }))
}

function readPrompt(name: string): Int16Array {
  const args = [
    '-v',
    'error',
    '-f',
    'g722',
    '-i',
    `${DIRECTORY}/${name}.g722`,
    '-f',
    's16le',
    '-ar',
    '16000',
    '-ac',
    '1',
    '-',
  ]
  const bytes = Uint8Array.from(execFileSync('ffmpeg', args, { maxBuffer: 1 << 24 }))
  return new Int16Array(bytes.buffer, 0, bytes.length >> 1)
}

/** Without the pauses at its ends, which would stand in the middle of a sentence. */
function trimmed(samples: Int16Array): Int16Array {
  const isLoud = (sample: number): boolean => Math.abs(sample) > 200
  const [from, to] = [samples.findIndex(isLoud), samples.findLastIndex(isLoud)]
  return samples.subarray(Math.max(0, from - 320), Math.min(samples.length, to + 640))
}
