import { DomosError } from '@domos/spec'

/** Levels of intents this organ has ("Intent Levels"). */
export const INTENT_LEVELS = ['primitive', 'semantic', 'intent'] as const

/** The actions of each level, by their normalised names. */
export const ACTIONS = {
  primitive: [
    'back',
    'check',
    'clear',
    'click',
    'drag',
    'focus',
    'forward',
    'hover',
    'navigate',
    'press',
    'reload',
    'scroll',
    'select',
    'submit',
    'toggle',
    'type',
    'uncheck',
    'upload',
    'wait',
  ],
  semantic: ['choose', 'fill_form', 'paginate', 'search', 'submit_form'],
  intent: ['checkout', 'login', 'search'],
} as const

/** What agents call these actions besides. */
const SYNONYMS: Readonly<Record<string, string>> = {
  fill: 'type',
  input: 'type',
  set_value: 'type',
  tap: 'click',
  key: 'press',
  press_key: 'press',
  go_back: 'back',
  go_forward: 'forward',
  refresh: 'reload',
  goto: 'navigate',
  open: 'navigate',
  wait_for: 'wait',
  select_option: 'select',
  upload_file: 'upload',
  fill_in_form: 'fill_form',
  sign_in: 'login',
  log_in: 'login',
  next_page: 'paginate',
}

/** An action's level and name. */
export interface NormalAction {
  readonly level: 'primitive' | 'semantic' | 'intent'
  readonly name: string
  /** `primitive.click` and so on. */
  readonly full: string
}

/**
 * Normalises an action ("Servers MAY accept un-namespaced action strings for convenience, but MUST normalize
 * internally"): `click`, `Click`, `fillForm`, `semantic.fill_form`.
 * @throws DomosError `unsupported` with the known actions
 */
export function normalizeAction(action: string): NormalAction {
  const [first = '', ...rest] = action.trim().split('.')
  const isNamespaced = rest.length > 0
  const bare = snake(isNamespaced ? rest.join('.') : first)
  const name = Object.hasOwn(SYNONYMS, bare) ? (SYNONYMS[bare] ?? bare) : bare
  for (const level of INTENT_LEVELS) {
    if (isNamespaced && first.toLowerCase() !== level) continue
    if ((ACTIONS[level] as readonly string[]).includes(name)) return { level, name, full: `${level}.${name}` }
  }
  const known = INTENT_LEVELS.flatMap((level) => ACTIONS[level].map((each) => `${level}.${each}`))
  throw new DomosError('unsupported', `There is no action ${action.slice(0, 60)}; known are ${known.join(', ')}.`, {
    details: { field: 'intent.action', known },
  })
}

function snake(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase()
}
