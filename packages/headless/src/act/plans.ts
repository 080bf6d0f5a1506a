import { DomosError, type Intent, type JsonObject, type JsonValue, type ResolvedTarget } from '@domos/spec'
import type { ActContext } from './act-context.ts'
import { findField, setField } from './fields.ts'
import { type ActDone, typeInto } from './primitives.ts'
import { search } from './semantic.ts'

/** Performs one `intent.*` action: a plan over semantic steps, each of them in the result. */
export function runPlan(name: string, intent: Intent, context: ActContext): Promise<ActDone> {
  if (name === 'login') return login(intent, context)
  if (name === 'checkout') return checkout(intent, context)
  return searchAndLook(intent, context)
}

const USER_FIELDS = [
  'input[autocomplete~=username]',
  'input[autocomplete~=email]',
  'input[type=email]',
  'input[name=username]',
  'input[name=user]',
  'input[name=login]',
  'input[name=email]',
]

/**
 * Logs in: user field, password field, send; also where the password is asked for on a second page. Whether it worked is
 * not claimed: `stillAsksForPassword` says what the page shows then.
 */
async function login(intent: Intent, context: ActContext): Promise<ActDone> {
  const { username, password } = readCredentials(intent)
  const first = await passwordField(context)
  const user = await userField(context, first)
  if (user === undefined) {
    throw new DomosError('not_found', 'The page has no field for a user name; name the fields with fill_form.', {
      details: { reason: 'NO_LOGIN_FORM' },
    })
  }
  const typed = await typeInto(context, user.elementId, username, true)
  context.steps.push({ action: 'type', field: 'username', element_id: user.elementId, value: typed.value })
  let field = first
  if (field === undefined) {
    await send(context, user)
    field = await passwordField(context)
    if (field === undefined) {
      throw new DomosError('not_found', 'After the user name the page asks for no password.', {
        details: { reason: 'NO_PASSWORD_FIELD', url: context.page.url },
      })
    }
  }
  await typeInto(context, field.elementId, password, true)
  context.steps.push({ action: 'type', field: 'password', element_id: field.elementId, value: { masked: true } })
  await send(context, field)
  const isAsking = (await passwordField(context)) !== undefined
  return { target: user, effects: { stillAsksForPassword: isAsking } }
}

function readCredentials(intent: Intent): { readonly username: string; readonly password: string } {
  const given = { ...intent.options, ...(isObject(intent.value) ? intent.value : {}) }
  const username = given['username'] ?? given['user'] ?? given['email']
  const { password } = given
  if (typeof username === 'string' && typeof password === 'string') return { username, password }
  throw new DomosError('invalid_request', 'login needs a value {username, password}.', {
    details: { path: 'params.intent.value' },
  })
}

async function passwordField(context: ActContext): Promise<ResolvedTarget | undefined> {
  return (await context.page.engine.query({ css: 'input[type=password]' }, 2))[0]
}

async function userField(
  context: ActContext,
  password: ResolvedTarget | undefined,
): Promise<ResolvedTarget | undefined> {
  const { engine } = context.page
  const formId = password === undefined ? undefined : (await engine.element(password.elementId))?.formId
  const isIn = async (found: ResolvedTarget): Promise<boolean> =>
    formId === undefined || (await engine.element(found.elementId))?.formId === formId
  for (const query of [...USER_FIELDS.map((css) => ({ css })), { role: 'text_input' }]) {
    for (const found of await engine.query(query, 20)) {
      if (found.elementId !== password?.elementId && found.role === 'text_input' && (await isIn(found))) return found
    }
  }
  return undefined
}

async function send(context: ActContext, field: ResolvedTarget): Promise<void> {
  const state = await context.state(field.elementId)
  if (state.formId === undefined) await context.perform({ type: 'press', keys: 'Enter', elementId: field.elementId })
  else await context.perform({ type: 'submit', elementId: field.elementId })
  context.steps.push({ action: 'submit' })
  await context.page.awaitCondition({}, context.deadline)
}

async function searchAndLook(intent: Intent, context: ActContext): Promise<ActDone> {
  const done = await search(intent, context)
  await context.page.awaitCondition({}, context.deadline)
  const links = await context.page.engine.query({ role: 'link' }, 1_000)
  context.steps.push({ action: 'observe', links: links.length, url: context.page.url })
  return { ...done, effects: { links: links.length } }
}

/**
 * Goes through a checkout page by page: on each, fills the given fields that are there and sends their form. Ends where
 * none of them is asked for any more. What was never asked for is a warning.
 */
async function checkout(intent: Intent, context: ActContext): Promise<ActDone> {
  const value = isObject(intent.value) ? intent.value : intent.options?.['fields']
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw new DomosError('invalid_request', 'checkout needs a value: an object of labels and what to fill in.', {
      details: { path: 'params.intent.value' },
    })
  }
  const { maxPlanPages } = context.page.environment.limits
  const left = new Map<string, JsonValue>(Object.entries(value))
  let pages = 0
  while (left.size > 0 && pages < maxPlanPages) {
    const filled = await fillWhatIsThere(context, left)
    if (filled === undefined) break
    pages += 1
    await send(context, filled)
    context.steps.push({ action: 'arrive', url: context.page.url, title: context.page.title.slice(0, 200) })
  }
  if (pages === 0) {
    throw new DomosError('not_found', 'None of these fields is on the page.', {
      details: { reason: 'NO_SUCH_FIELD', missing: [...left.keys()].map((key) => key.slice(0, 60)) },
    })
  }
  if (left.size > 0) context.warnings.push(`Never asked for: ${[...left.keys()].join(', ').slice(0, 300)}.`)
  return { effects: { pages, unusedFields: [...left.keys()] } as unknown as JsonObject }
}

async function fillWhatIsThere(context: ActContext, left: Map<string, JsonValue>): Promise<ResolvedTarget | undefined> {
  let last: ResolvedTarget | undefined
  for (const [key, value] of [...left]) {
    const field = await findField(context, key, value, undefined)
    if (field === undefined || field.state.disabled) continue
    const holds = await setField(context, field, value)
    context.steps.push({ action: 'fill', field: key, element_id: field.target.elementId, value: holds })
    left.delete(key)
    last = field.target
  }
  return last
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
