/** Ways to ask, by the verb in a tool's name. Every group answers to each of its keys. */
const GROUPS: readonly { readonly keys: readonly string[]; readonly phrases: readonly string[] }[] = [
  {
    keys: ['set', 'turn', 'switch', 'toggle', 'control', 'enable', 'disable', 'activate', 'adjust', 'power', 'dim'],
    phrases: [
      'set',
      'turn',
      'turn on',
      'turn off',
      'switch',
      'switch on',
      'switch off',
      'change',
      'make',
      'put',
      'dim',
    ],
  },
  {
    keys: ['add', 'put', 'insert', 'append', 'buy', 'order', 'purchase'],
    phrases: ['add', 'put', 'buy', 'order', 'get', 'get me', 'take', 'i want', 'i need', "i'd like", 'give me'],
  },
  {
    keys: ['remove', 'delete', 'drop', 'clear', 'empty', 'discard'],
    phrases: ['remove', 'delete', 'clear', 'empty', 'take out', 'take away', 'take', 'drop', 'throw out', 'get rid of'],
  },
  {
    keys: ['open', 'show', 'view', 'go', 'navigate', 'display', 'visit', 'browse'],
    phrases: [
      'open',
      'show',
      'show me',
      'go',
      'go to',
      'take me to',
      'bring up',
      'see',
      'let me see',
      'look at',
      'display',
    ],
  },
  {
    keys: ['search', 'find', 'lookup', 'query', 'filter', 'look'],
    phrases: [
      'find',
      'find me',
      'search',
      'search for',
      'look for',
      'look up',
      'show',
      'show me',
      "i'm looking for",
      'filter',
    ],
  },
  {
    keys: ['get', 'read', 'list', 'fetch', 'check', 'tell', 'describe', 'status'],
    phrases: [
      ...[
        'get',
        'get me',
        'tell me',
        'what is',
        "what's",
        'what are',
        'show',
        'show me',
        'list',
        'read',
        'read me',
        'check',
      ],
      ...['how is', 'how much is', 'how many', 'give me', 'is', 'are'],
    ],
  },
  {
    keys: ['create', 'new', 'make', 'start', 'begin'],
    phrases: ['create', 'make', 'start', 'begin', 'new', 'add', 'set'],
  },
  { keys: ['update', 'edit', 'change', 'modify'], phrases: ['update', 'edit', 'change', 'modify', 'set', 'make'] },
  { keys: ['select', 'choose', 'pick'], phrases: ['select', 'choose', 'pick', 'take', "i'll take", 'use'] },
  { keys: ['sort', 'arrange'], phrases: ['sort', 'sort by', 'order', 'order by', 'arrange', 'arrange by'] },
  { keys: ['increase', 'raise'], phrases: ['increase', 'raise', 'turn up', 'more'] },
  { keys: ['decrease', 'lower', 'reduce'], phrases: ['decrease', 'lower', 'reduce', 'turn down', 'less'] },
  { keys: ['checkout', 'pay'], phrases: ['checkout', 'check out', 'pay', 'pay for', 'order', 'buy', 'go to checkout'] },
  { keys: ['send', 'submit', 'post'], phrases: ['send', 'submit', 'post'] },
  {
    keys: ['book', 'reserve', 'schedule'],
    phrases: ['book', 'book me', 'reserve', 'schedule', 'make', 'i want', 'i need'],
  },
  { keys: ['close', 'hide'], phrases: ['close', 'hide', 'shut'] },
  { keys: ['play', 'resume'], phrases: ['play', 'resume', 'continue', 'put on'] },
  { keys: ['stop', 'pause', 'cancel', 'abort'], phrases: ['stop', 'pause', 'cancel', 'end'] },
  { keys: ['lock'], phrases: ['lock'] },
  { keys: ['unlock'], phrases: ['unlock'] },
  { keys: ['save', 'store', 'remember'], phrases: ['save', 'store', 'remember', 'keep'] },
  { keys: ['call', 'dial', 'ring'], phrases: ['call', 'dial', 'ring'] },
  { keys: ['apply', 'use', 'redeem'], phrases: ['apply', 'use', 'redeem'] },
]

const PHRASES = new Map(GROUPS.flatMap(({ keys, phrases }) => keys.map((key) => [key, phrases] as const)))

/** Phrases people ask with when the tool's verb is this word, or undefined when it is no verb we know. */
export function phrasesOfVerb(word: string): readonly string[] | undefined {
  return PHRASES.get(word) ?? (word.endsWith('s') ? PHRASES.get(word.slice(0, -1)) : undefined)
}

/** Words between the verb and the first thing that matters. */
export const ARTICLES: readonly string[] = [
  ...['the', 'a', 'my', 'an', 'some', 'all the', 'all', 'this', 'that', 'me the', 'me a', 'me my', 'me some', 'it'],
]

/** Words that tie the next thing to the one before. */
export const PREPOSITIONS: readonly string[] = [
  'in',
  'to',
  'on',
  'from',
  'for',
  'of',
  'at',
  'with',
  'into',
  'by',
  'about',
  'and',
]

/** What may stand before any request. */
export const POLITE_OPENINGS: readonly string[] = [
  ...[
    'please',
    'can you',
    'can you please',
    'could you',
    'could you please',
    'would you',
    'will you',
    'i want to',
    "i'd like to",
  ],
  ...['i would like to', "let's", 'okay', 'hey'],
]

/** What may stand after any request. */
export const POLITE_ENDINGS: readonly string[] = [
  'please',
  'thanks',
  'thank you',
  'now',
  'for me',
  'right now',
  'again',
]

/** What can be said at any time. */
export const ALWAYS: readonly string[] = [
  ...[
    'yes',
    'no',
    'yes please',
    'no thanks',
    'no thank you',
    'okay',
    'stop',
    'cancel',
    'cancel that',
    'never mind',
    'help',
  ],
  ...[
    'help me',
    'hello',
    'hi',
    'thank you',
    'thanks',
    'repeat that',
    'say that again',
    'go back',
    'undo that',
    'what can you do',
  ],
  ...['what can i say', 'wait', 'continue', 'approve', 'decline', 'do it', "don't do it", 'goodbye'],
]

/** Words of a description that carry no meaning of their own. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those of to in on at by for from with and or as is are be been it its their them they your you ' +
    'user users current currently given specific specified one or more any all each if when where which who whose whether will ' +
    'can may not no into onto out up down over under then than so also using use used uses returns return value values name ' +
    'names id ids e g i true false optional required default string number boolean via per after before only such'
  ).split(' '),
)
