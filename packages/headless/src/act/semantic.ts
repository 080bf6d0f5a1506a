import { DomosError, type Intent, type JsonObject, type JsonValue, type ResolvedTarget } from '@domos/spec'
import { type ActContext, textValue } from './act-context.ts'
import { fieldNames, findField, setField } from './fields.ts'
import { type ActDone, selectIn, setChecked, typeInto } from './primitives.ts'

/** Performs one `semantic.*` action; each step it takes is in the result. */
export async function runSemantic(name: string, intent: Intent, context: ActContext): Promise<ActDone> {
  switch (name) {
    case 'fill_form':
      return fillForm(intent, context)
    case 'choose':
      return choose(intent, context)
    case 'submit_form':
      return submitForm(intent, context)
    case 'search':
      return search(intent, context)
    default:
      return paginate(intent, context)
  }
}

/**
 * Fills fields by their labels. All are found before the first is touched, so that a misspelt label changes nothing.
 * With `options.submit`, the form is sent afterwards.
 */
export async function fillForm(intent: Intent, context: ActContext): Promise<ActDone> {
  const values = readFields(intent, context)
  const form = intent.target === undefined ? undefined : await context.resolve(intent.target)
  const formId = form?.elementId.startsWith('r_') === true ? form.elementId : undefined
  const fields = []
  const missing: string[] = []
  for (const [key, value] of values) {
    const field = await findField(context, key, value, formId)
    if (field === undefined) missing.push(key)
    else fields.push({ field, value })
  }
  if (missing.length > 0) {
    throw new DomosError(
      'not_found',
      `No field is called ${missing.slice(0, 5).join(', ').slice(0, 200)}; nothing was filled in.`,
      {
        details: { missing: missing.map((key) => key.slice(0, 60)), fields: await fieldNames(context, formId) },
      },
    )
  }
  for (const { field, value } of fields) {
    const holds = await setField(context, field, value)
    context.steps.push({
      action: 'fill',
      field: field.key,
      element_id: field.target.elementId,
      confidence: field.target.confidence,
      value: holds,
    })
  }
  const last = fields.at(-1)?.field
  if (intent.options?.['submit'] === true && last !== undefined) {
    await context.perform({ type: 'submit', elementId: last.target.elementId })
    context.steps.push({ action: 'submit' })
  }
  return { ...(form === undefined ? {} : { target: form }), effects: { filled: fields.length } }
}

function readFields(intent: Intent, context: ActContext): [string, JsonValue][] {
  const value = intent.value ?? intent.options?.['fields']
  const { maxFormFields } = context.page.environment.limits
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomosError('invalid_request', 'fill_form needs a value: an object of labels and what to fill in.', {
      details: { path: 'params.intent.value' },
    })
  }
  const fields = Object.entries(value as JsonObject)
  if (fields.length > 0 && fields.length <= maxFormFields) return fields
  throw new DomosError('invalid_request', `fill_form takes 1 to ${maxFormFields} fields.`, {
    details: { path: 'params.intent.value' },
  })
}

async function choose(intent: Intent, context: ActContext): Promise<ActDone> {
  if (intent.target === undefined) {
    const label = textValue(intent.value, 'choose', 1_000)
    const found = await context.resolve({
      query: { role: 'radio', label },
      fallback: [{ query: { role: 'checkbox', label } }, { query: { role: 'button', label } }],
    })
    return pickIt(context, found)
  }
  const found = await context.resolve(intent.target)
  const state = await context.state(found.elementId)
  if (state.checked !== undefined) return pickIt(context, found)
  if (state.options !== undefined)
    return { target: found, effects: await selectIn(context, found.elementId, intent.value) }
  if (intent.value === undefined) return pickIt(context, found)
  // A group or a form: the choice inside it that the value names.
  const inside = await context.resolve({ query: { role: 'radio', label: textValue(intent.value, 'choose', 1_000) } })
  return pickIt(context, inside)
}

async function pickIt(context: ActContext, found: ResolvedTarget): Promise<ActDone> {
  const state = await context.state(found.elementId)
  if (state.checked !== undefined) return { target: found, effects: await setChecked(context, found.elementId, true) }
  await context.perform({ type: 'click', elementId: found.elementId })
  return { target: found }
}

async function submitForm(intent: Intent, context: ActContext): Promise<ActDone> {
  const found = await context.resolve(intent.target ?? { query: { role: 'form' } })
  const state = await context.page.engine.element(found.elementId)
  if (state?.tag === 'button' || state?.inputType === 'submit' || state?.inputType === 'image') {
    await context.perform({ type: 'click', elementId: found.elementId })
  } else await context.perform({ type: 'submit', elementId: found.elementId })
  return { target: found }
}

const SEARCH_FIELDS = [
  'input[type=search]',
  '[role=search] input:not([type=hidden]):not([type=submit])',
  '[role=searchbox]',
  'input[name=q]',
  'input[name=query]',
  'input[name=search]',
  'input[name=s]',
  'input[name=keyword]',
  'input[name=keywords]',
]
const SEARCH_WORDS = '(?i)search|suche|recherche|buscar|cerca|zoek|szukaj|поиск|搜索|検索'

/** Finds the page's search field, types, and sends it. */
export async function search(intent: Intent, context: ActContext): Promise<ActDone> {
  const text = textValue(intent.value ?? intent.options?.['query'], 'search', 10_000)
  const found = intent.target === undefined ? await findSearchField(context) : await context.resolve(intent.target)
  const { value } = await typeInto(context, found.elementId, text, true)
  context.steps.push({ action: 'type', target: found.elementId, value })
  const state = await context.state(found.elementId)
  if (state.formId === undefined) await context.perform({ type: 'press', keys: 'Enter', elementId: found.elementId })
  else await context.perform({ type: 'submit', elementId: found.elementId })
  context.steps.push({ action: 'submit' })
  return { target: found }
}

async function findSearchField(context: ActContext): Promise<ResolvedTarget> {
  const { engine } = context.page
  for (const css of SEARCH_FIELDS) {
    const found = (await engine.query({ css }, 5)).filter(({ role }) => role === 'text_input')
    if (found[0] !== undefined) return found[0]
  }
  const named = await engine.query({ role: 'text_input', textRegex: SEARCH_WORDS }, 5)
  if (named[0] !== undefined) return named[0]
  const all = await engine.query({ role: 'text_input' }, 2)
  if (all.length === 1 && all[0] !== undefined) return all[0]
  throw new DomosError(
    'not_found',
    'The page has no search field that could be told from others; name one as target.',
    {
      details: { reason: 'NO_SEARCH_FIELD' },
    },
  )
}

const NEXT = ['a[rel~=next]', '[aria-label^="Next" i]', '.next a', 'a.next', '.pagination-next a', 'a.pagination-next']
const PREVIOUS = ['a[rel~=prev]', '[aria-label^="Prev" i]', '.prev a', 'a.prev', '.previous a', 'a.previous']
const NEXT_WORDS =
  '(?i)^\\s*(next( page)?|older( posts)?|more|weiter|nächste( seite)?|suivante?|siguiente|volgende|следующая|下一页|次へ)\\s*[»›→>]*\\s*$'
const PREVIOUS_WORDS =
  '(?i)^\\s*[«‹←<]*\\s*(prev(ious)?( page)?|newer( posts)?|zurück|vorherige( seite)?|précédente?|anterior|vorige|предыдущая|上一页|前へ)\\s*$'

/** Goes to the next page of a list, the previous one, or one by its number. */
async function paginate(intent: Intent, context: ActContext): Promise<ActDone> {
  const value = intent.value ?? intent.options?.['to'] ?? 'next'
  const found = intent.target === undefined ? await findPageLink(context, value) : await context.resolve(intent.target)
  if (found === undefined) {
    throw new DomosError(
      'not_found',
      `The page has no link to ${typeof value === 'number' ? `page ${value}` : `the ${String(value).slice(0, 20)} page`}.`,
      {
        details: { reason: 'NO_SUCH_PAGE' },
      },
    )
  }
  await context.perform({ type: 'click', elementId: found.elementId })
  return { target: found }
}

async function findPageLink(context: ActContext, value: JsonValue): Promise<ResolvedTarget | undefined> {
  const { engine } = context.page
  const isBack = value === 'previous' || value === 'prev'
  if (value !== 'next' && !isBack) {
    const text = textValue(value, 'paginate', 10)
    const links = await engine.query(
      { role: 'link', textRegex: `^\\s*(?:page\\s+)?${text.replaceAll(/\D/g, '') || '$'}\\s*$` },
      5,
    )
    return links[0]
  }
  const usable = ({ role }: ResolvedTarget): boolean => role === 'link' || role === 'button'
  for (const css of isBack ? PREVIOUS : NEXT) {
    const found = (await engine.query({ css }, 5)).find(usable)
    if (found !== undefined) return found
  }
  const named = await engine.query({ textRegex: isBack ? PREVIOUS_WORDS : NEXT_WORDS }, 10)
  if (named.some(usable)) return named.find(usable)
  const signs = await engine.query({ textRegex: isBack ? '^\\s*[«‹←]\\s*$' : '^\\s*[»›→]\\s*$' }, 10)
  return signs.find(usable)
}
