import type { Clause } from './clauses.ts'
import type { Entity } from './entities.ts'
import type { World } from './fill.ts'
import { contentTokens, similarity } from './rank.ts'
import { bySuperlative, findSuperlative, isChooser } from './resolve.ts'
import { identifierWords, stem } from './tokens.ts'
import { isObject, type KnownTool, plainDescription } from './tools.ts'

/** The answer to a greeting, thanks or a plea for help; nothing when the sentence is none of these. */
export function smallTalk(utterance: string, tools: readonly KnownTool[]): string | undefined {
  const text = utterance
    .toLowerCase()
    .replace(/[^\p{L}' ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (text === '') return describeTools(tools)
  if (
    /^(hi|hello|hey|good (morning|afternoon|evening|day)|greetings|howdy|hallo)( (there|again|domos|everyone))?$/.test(
      text,
    )
  )
    return `Hello! ${describeTools(tools)}`
  if (
    /^((ok|okay|great|perfect|nice|no|cool|many|super) ?)*(thanks|thank you|thx|cheers|ta)( (a lot|so much|very much|again))?$/.test(
      text,
    )
  )
    return 'You are welcome.'
  if (/^(bye|goodbye|good night|see you|see you later)$/.test(text)) return 'Goodbye.'
  if (
    /^(ok|okay|great|perfect|nice|cool|good|alright|yes|yeah|yep|sure|no|nope|fine|never ?mind|well done)$/.test(text)
  )
    return 'All right. What shall I do?'
  if (/^(how are you( doing)?|what's up|how's it going)$/.test(text)) return `I am ready. ${describeTools(tools)}`
  if (
    /^(please )?help( me)?( please)?$|what (else )?can (you|i|we) (do|say|ask)|what (are|do) you (do|for)|how (can|do) you help|what are (your|the) (options|tools|commands)|which (tools|commands)|who are you|what are you/.test(
      text,
    )
  )
    return describeTools(tools)
  return undefined
}

/** What can be done now, from the live tools. */
export function describeTools(tools: readonly KnownTool[]): string {
  if (tools.length === 0) return 'This page offers me nothing to do at the moment.'
  const shown = tools.slice(0, 12).map((tool) => `- ${tool.nameWords.join(' ')}${describe(tool)}`)
  const rest = tools.length > shown.length ? `\n- and ${tools.length - shown.length} more` : ''
  return `Here is what I can do now:\n${shown.join('\n')}${rest}`
}

function describe(tool: KnownTool): string {
  const text = plainDescription(tool.declaration).replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  return `: ${text.length > 100 ? `${text.slice(0, 97)}…` : text.replace(/\.$/, '')}`
}

/** Said when no tool fits; nothing is called. */
export function noToolText(clause: Clause, tools: readonly KnownTool[], url = ''): string {
  const said = clause.text.length > 80 ? `${clause.text.slice(0, 77)}…` : clause.text
  if (tools.length === 0) return `I cannot do “${said}” here: this page offers me no tools.`
  const names = tools.slice(0, 8).map((tool) => tool.nameWords.join(' '))
  const offer = `I can: ${names.join(', ')}${tools.length > 8 ? ' and more' : ''}.${elsewhereText(tools, url)}`
  if (isForeign(clause)) return `I understand English only; another language model would help (--model). ${offer}`
  return clause.isQuestion
    ? `This page does not tell me the answer to “${said}”. ${offer}`
    : `I found nothing on this page that does “${said}”. ${offer}`
}

/** Where else there may be more to do: the places of a tool that goes from page to page. */
function elsewhereText(tools: readonly KnownTool[], url: string): string {
  const goer = tools.find((tool) => /^(go|open|navigate|visit)$/.test(tool.nameWords[0] ?? ''))
  const places = goer?.parameters.find((parameter) => parameter.enumValues !== undefined)?.enumValues
  const others = (places ?? []).map(String).filter((place) => !url.toLowerCase().includes(place.toLowerCase()))
  if (others.length === 0) return ''
  return ` Other pages may offer more; say “go to” with ${others.slice(0, 6).join(', ')}.`
}

/** Words that carry no meaning but a language. None of them is a common English word. */
const FOREIGN_WORDS =
  /^(der|das|den|dem|und|ist|nicht|ich|bitte|mein|meinem|meinen|meine|einen|eine|wie|wo|zum|zur|für|mit|les|une|est|dans|mon|avec|je|el|los|las|una|por|mi|quiero|il|che|della)$/

function isForeign(clause: Clause): boolean {
  return clause.tokens.filter((token) => FOREIGN_WORDS.test(token.lower)).length >= 2
}

/** Answers "how much is it?", "what is the cheapest?" or "what page is this?" from what the page and results say. */
export function answerFromContext(clause: Clause, world: World): string | undefined {
  const { context } = world
  if (!clause.isQuestion) return undefined
  if (/\b(page|where am i|looking at)\b/i.test(clause.text) && context?.title) return `This page is “${context.title}”.`
  const said = contentTokens(clause).map((token) => token.stem)
  const wanted = /^how much\b/i.test(clause.text) ? [...said, 'pric'] : said
  const superlative = answerBySuperlative(clause, world.entities)
  if (superlative !== undefined) return superlative
  const focus = world.focus ?? world.earlierFocus
  const isAboutFocus = focus !== undefined && /\b(it|this|that)\b/i.test(clause.text)
  const ofFocus = isAboutFocus ? answerFromEntity([...wanted, ...focus.labelStems], [focus]) : undefined
  // "How much is it?" is about the thing; "how much is it in total?" names something else.
  const about = answerFromEntity(wanted, world.entities) ?? (said.length === 0 ? ofFocus : undefined)
  if (about !== undefined) return about
  let best: { key: string; value: string | number | boolean; score: number } | undefined
  for (const [key, value] of Object.entries(flatten(context?.data ?? {}))) {
    const words = identifierWords(key).map(stem)
    const hits = words.filter((word) => wanted.some((stemmed) => similarity(word, stemmed) >= 0.75)).length
    const explained = said.filter((stemmed) => words.some((word) => similarity(word, stemmed) >= 0.75)).length
    if (hits === 0 || explained < said.length * 0.6) continue
    if (!best || hits / words.length > best.score) best = { key, value, score: hits / words.length }
  }
  if (!best || best.score < 0.5) return ofFocus
  const name = identifierWords(best.key).join(' ')
  return typeof best.value === 'boolean'
    ? `${capital(name)}: ${best.value ? 'yes' : 'no'}.`
    : `The ${name} is ${best.value}.`
}

function answerBySuperlative(clause: Clause, entities: readonly Entity[]): string | undefined {
  const superlative = findSuperlative(clause.tokens)
  if (!superlative) return undefined
  const named = contentTokens(clause)
    .filter((token) => !isChooser(token.stem))
    .map((token) => token.stem)
  const pool = entities.filter(
    (entity) =>
      entity.label !== undefined &&
      named.every((word) => entity.labelStems.includes(word) || entity.otherStems.has(word)),
  )
  const best = bySuperlative(pool, superlative)
  const key = best && Object.keys(best.object).find((name) => superlative.keys.test(name))
  return best && key !== undefined
    ? `${best.label}: ${identifierWords(key).join(' ')} ${String(best.object[key])}.`
    : undefined
}

/** "How much does the kettle cost?": a property of a thing that is named. */
function answerFromEntity(wanted: readonly string[], entities: readonly Entity[]): string | undefined {
  let best: { text: string; score: number } | undefined
  for (const entity of entities) {
    const named = wanted.filter((word) => entity.labelStems.includes(word))
    if (named.length === 0 || entity.label === undefined) continue
    for (const [key, value] of Object.entries(entity.object)) {
      if (typeof value !== 'number' && typeof value !== 'boolean' && (typeof value !== 'string' || value.length > 120))
        continue
      const words = identifierWords(key).map(stem)
      if (!wanted.some((word) => !named.includes(word) && words.some((other) => similarity(other, word) >= 0.75)))
        continue
      const score = named.length / entity.labelStems.length + named.length
      const shown = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
      if (!best || score > best.score)
        best = { score, text: `${entity.label}: ${identifierWords(key).join(' ')} ${shown}.` }
    }
  }
  return best?.text
}

function flatten(data: object): Record<string, string | number | boolean> {
  const flat: Record<string, string | number | boolean> = {}
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') flat[key] = value
    else if (isObject(value))
      for (const [inner, scalar] of Object.entries(value))
        if (typeof scalar === 'string' || typeof scalar === 'number' || typeof scalar === 'boolean')
          flat[`${key} ${inner}`] ??= scalar
  }
  return flat
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
