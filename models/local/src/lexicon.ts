import { identifierWords, stem } from './tokens.ts'

/** Groups of verbs that ask for the same kind of action. General English; no product's vocabulary. */
const VERBS = {
  find: 'search find seek browse locate query lookup hunt look_for look_up search_for filter',
  get: 'get show list view display see read fetch check tell give describe inspect count summarize summarise look load retrieve what which who how is are',
  add: 'add put insert include append toss attach throw_in',
  remove:
    'remove delete erase discard eliminate drop take_out take_off take_away throw_out throw_away get_rid kick_out trash dump strike put_back uninstall',
  clear: 'clear empty wipe flush purge clean_out',
  create: 'create make generate new build set_up',
  write: 'write compose draft',
  schedule: 'schedule book plan reserve arrange remind',
  send: 'send email mail deliver transmit text tell',
  reply: 'reply respond answer write_back',
  forward: 'forward pass_on relay',
  set: 'set change adjust update modify edit configure turn put make switch control',
  on: 'turn_on switch_on enable activate power_on light_up put_on',
  off: 'turn_off switch_off disable deactivate power_off shut_off shut_down kill',
  start: 'start begin run launch play execute trigger',
  stop: 'stop halt end finish',
  pause: 'pause',
  resume: 'resume continue unpause',
  open: 'open unfold raise_up pull_up',
  close: 'close shut fold pull_down',
  lock: 'lock secure bolt',
  unlock: 'unlock unbolt',
  increase: 'increase raise brighten boost turn_up bump crank',
  decrease: 'decrease lower reduce dim turn_down',
  confirm: 'confirm approve accept finalize finalise complete submit place checkout check_out pay finish',
  buy: 'buy purchase order',
  choose: 'choose select pick use',
  cancel: 'cancel abort revoke withdraw call_off',
  like: 'like love favorite favourite heart star bookmark upvote',
  unlike: 'unlike unfavorite unfavourite unstar dislike',
  save: 'save store keep',
  mark: 'mark flag tag label',
  archive: 'archive file_away',
  move: 'move shift transfer relocate',
  rename: 'rename',
  share: 'share',
  copy: 'copy duplicate clone',
  download: 'download export',
  upload: 'upload import',
  go: 'go navigate visit open jump go_to',
  login: 'login log_in sign_in',
  logout: 'logout log_out sign_out',
  subscribe: 'subscribe follow join',
  unsubscribe: 'unsubscribe unfollow leave',
  help: 'help',
  want: 'want need',
} as const

/** Kind of action a verb asks for. */
export type VerbClass = keyof typeof VERBS

/** Kinds that are near enough to stand for one another, with how near (0 to 1). */
const NEAR: readonly (readonly [VerbClass, VerbClass, number])[] = [
  ['find', 'get', 0.6],
  ['add', 'create', 0.6],
  ['add', 'save', 0.4],
  ['add', 'want', 0.8],
  ['find', 'want', 0.4],
  ['create', 'schedule', 0.7],
  ['create', 'send', 0.3],
  ['write', 'send', 0.9],
  ['write', 'create', 0.6],
  ['write', 'reply', 0.4],
  ['create', 'set', 0.3],
  ['send', 'reply', 0.4],
  ['send', 'forward', 0.5],
  ['remove', 'clear', 0.5],
  ['remove', 'cancel', 0.5],
  ['remove', 'close', 0.4],
  ['set', 'on', 0.7],
  ['set', 'off', 0.7],
  ['set', 'increase', 0.7],
  ['set', 'decrease', 0.7],
  ['set', 'open', 0.4],
  ['set', 'close', 0.4],
  ['set', 'mark', 0.5],
  ['set', 'rename', 0.5],
  ['on', 'start', 0.7],
  ['off', 'stop', 0.7],
  ['stop', 'pause', 0.7],
  ['start', 'resume', 0.6],
  ['stop', 'cancel', 0.6],
  ['open', 'unlock', 0.4],
  ['close', 'lock', 0.4],
  ['open', 'get', 0.6],
  ['open', 'go', 1],
  ['go', 'get', 0.5],
  ['like', 'save', 0.6],
  ['like', 'mark', 0.5],
  ['move', 'archive', 0.5],
  ['archive', 'save', 0.3],
  ['confirm', 'want', 0.4],
  ['confirm', 'buy', 0.8],
  ['buy', 'add', 0.6],
  ['buy', 'want', 0.6],
  ['choose', 'set', 0.6],
  ['choose', 'add', 0.3],
  ['choose', 'open', 0.4],
  ['subscribe', 'add', 0.3],
]

/** Kinds that undo one another: a tool of the one is never an answer to the other. */
const OPPOSITES: readonly (readonly [VerbClass, VerbClass])[] = [
  ['add', 'remove'],
  ['add', 'clear'],
  ['create', 'remove'],
  ['create', 'clear'],
  ['on', 'off'],
  ['on', 'stop'],
  ['start', 'off'],
  ['start', 'stop'],
  ['start', 'pause'],
  ['resume', 'pause'],
  ['open', 'close'],
  ['lock', 'unlock'],
  ['open', 'lock'],
  ['increase', 'decrease'],
  ['like', 'unlike'],
  ['like', 'remove'],
  ['confirm', 'cancel'],
  ['confirm', 'remove'],
  ['login', 'logout'],
  ['subscribe', 'unsubscribe'],
]

/** Nouns that mean nearly the same. */
const NOUNS: readonly string[] = [
  'cart basket bag trolley',
  'product item article goods merchandise thing stuff',
  'order purchase checkout',
  'mail email message letter',
  'mailbox inbox',
  'light lamp bulb lighting',
  'thermostat temperature heating heat heater climate',
  'music song track tune audio playlist',
  'video movie film clip',
  'blind shade curtain shutter',
  'account profile',
  'person people user customer contact member',
  'event meeting appointment calendar',
  'picture photo image',
  'folder directory label',
  'document file',
  'price cost',
  'amount quantity count number',
  'brightness level intensity',
  'volume loudness',
  'room area location place',
  'alarm timer reminder',
  'task todo job',
  'note memo',
  'comment remark',
  'favorite favourite wishlist',
  'setting preference option configuration',
  'door gate',
  'car vehicle auto',
  'phone telephone mobile',
  'tv television telly',
  'couch sofa',
  'laptop notebook',
  'subject topic title',
  'body content text',
  'sender from',
  'recipient to',
  'address street',
  'status state',
  'result hit match',
]

const verbClasses = new Map<string, VerbClass[]>()
const phrasalVerbs = new Map<string, VerbClass>()
for (const [verbClass, words] of Object.entries(VERBS) as [VerbClass, string][]) {
  for (const entry of words.split(' ')) {
    if (entry.includes('_')) {
      phrasalVerbs.set(identifierWords(entry).map(stem).join(' '), verbClass)
    } else {
      const key = stem(entry)
      verbClasses.set(key, [...(verbClasses.get(key) ?? []), verbClass])
    }
  }
}

const nounGroups = new Map<string, number[]>()
NOUNS.forEach((words, group) => {
  for (const word of words.split(' ')) {
    const key = stem(word)
    nounGroups.set(key, [...(nounGroups.get(key) ?? []), group])
  }
})

/** The kinds of action a stemmed word can ask for; empty when it is no known verb. */
export function verbClassesOf(stemmed: string): readonly VerbClass[] {
  return verbClasses.get(stemmed) ?? []
}

/** The kind of action of a verb with its particle, such as `turn` and `off`. */
export function phrasalVerbClass(stemmedVerb: string, particle: string): VerbClass | undefined {
  return phrasalVerbs.get(`${stemmedVerb} ${stem(particle)}`)
}

/** How far one kind stands for another: 1 the same, 0 unrelated, -1 its opposite. */
export function verbSimilarity(a: VerbClass, b: VerbClass): number {
  if (a === b) return 1
  for (const [x, y] of OPPOSITES) if ((x === a && y === b) || (x === b && y === a)) return -1
  for (const [x, y, weight] of NEAR) if ((x === a && y === b) || (x === b && y === a)) return weight
  return 0
}

/** Whether a kind only looks at things and changes nothing. */
export function isReading(verbClass: VerbClass | undefined): boolean {
  return verbClass === 'find' || verbClass === 'get'
}

/** Whether two stemmed words are nouns of nearly the same meaning. */
export function areSynonyms(a: string, b: string): boolean {
  const groups = nounGroups.get(a)
  return groups !== undefined && (nounGroups.get(b)?.some((group) => groups.includes(group)) ?? false)
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that carry no meaning of their own. */
export const STOP_WORDS = words(
  "a an the my your our their his her its me i you we they he she please of to in into on onto at for from with by and or then so just now also too as up some any all this that these those it them is are am was were be been do does did have has had can could would will shall should may might must i'd i'll i'm let's let us what's whats what which who where when how much many there here not don't want like to ok okay hey hi hello thanks thank if but about via off out away back down over under again more than one ones every each both rid be something anything somebody someone anyone else there's it's got sell everything",
)

/** Words that stand for something seen or mentioned before. */
export const PRONOUNS = words('it this that them these those one ones')

/** Nouns that say nothing about which one is meant. */
export const GENERIC_NOUNS = new Set(
  [
    'product',
    'item',
    'thing',
    'article',
    'one',
    'stuff',
    'result',
    'entry',
    'element',
    'object',
    'hit',
    'currently',
    'current',
    'page',
    'shop',
    'store',
  ].map(stem),
)
