import type { JsonValue, PageContext } from '@domos/spec'
import type { Clause } from './clauses.ts'
import { type Entity, normalizeKey } from './entities.ts'
import type { Draft, World } from './fill.ts'
import { contentTokens, similarity } from './rank.ts'
import { isChooser, isEntityParameter, type Mention, resolveMention } from './resolve.ts'
import { identifierWords, isMisspelling, stem, type Token } from './tokens.ts'
import { isObject, type Parameter } from './tools.ts'

/** Fills arguments that want a thing: from its name, its place, or what the page is about. */
export function fillEntities(draft: Draft): {
  others: readonly Entity[]
  entity: Entity | undefined
  mentions: Map<string, string>
} {
  const mentions = new Map<string, string>()
  let others: readonly Entity[] = []
  let entity: Entity | undefined
  const open = draft.tool.parameters.filter(
    (parameter) => draft.args[parameter.name] === undefined && isEntityParameter(parameter),
  )
  for (const parameter of open) {
    const mention = readMention(draft, parameter)
    const isOpen =
      draft.clause.answers[parameter.name] === undefined &&
      draft.clause.tokens.some((token) => /^(something|anything)$/.test(token.lower))
    const current = isOpen ? undefined : contextFocus(draft.world, parameter)
    const focus = isOpen
      ? undefined
      : (draft.world.focus ?? (current === undefined && !isOpen ? draft.world.earlierFocus : undefined))
    const resolution = resolveMention(
      mention,
      parameter,
      draft.tool,
      draft.world.entities,
      focus,
      current !== undefined,
    )
    if (resolution.type === 'found') {
      draft.args[parameter.name] = resolution.value
      others = resolution.others
      entity = resolution.entity
    } else if (resolution.type === 'not-found' && mention.distinct.length > 0) {
      if (current !== undefined && namesCurrent(draft.world.context, mention)) draft.args[parameter.name] = current
      else mentions.set(parameter.name, mentionText(draft, parameter))
    } else if (resolution.type === 'no-mention' && current !== undefined) {
      draft.args[parameter.name] = current
    }
    if (draft.args[parameter.name] !== undefined) markMentionUsed(draft, mention)
  }
  return { others, entity, mentions }
}

function markMentionUsed(draft: Draft, mention: Mention): void {
  draft.clause.tokens.forEach((token, index) => {
    if (mention.tokens.includes(token) && mention.distinct.includes(token.stem)) draft.used.add(index)
  })
}

function readMention(draft: Draft, parameter: Parameter): Mention {
  const answer = draft.clause.answers[parameter.name]
  const source: Clause =
    answer === undefined ? draft.clause : { ...draft.clause, tokens: answerTokens(answer), verbTokens: [] }
  const tokens = source.tokens.filter((_, index) => answer !== undefined || !draft.used.has(index))
  const content = contentTokens(source).filter((token) => tokens.includes(token) && !isChooser(token.stem))
  const isExplained = (token: Token): boolean =>
    draft.tool.nouns.some((word) => similarity(word, token.stem) >= 0.75) ||
    parameter.stems.some((word) => word !== 'id' && similarity(word, token.stem) >= 0.75)
  const codes = source.tokens.filter(
    (token, index) =>
      token.kind === 'quote' || (token.kind === 'number' && !draft.used.has(index) && answer !== undefined),
  )
  return {
    tokens,
    distinct: [
      ...content.filter((token) => !isExplained(token)).map((token) => token.stem),
      ...codes.flatMap((token) => identifierWords(token.text).map(stem)),
    ],
    explained: content.filter(isExplained).map((token) => token.stem),
  }
}

function answerTokens(answer: string): readonly Token[] {
  return identifierWords(answer).map((word, index) => ({
    kind: 'word' as const,
    text: word,
    lower: word,
    stem: stem(word),
    start: index,
    end: index,
  }))
}

function mentionText(draft: Draft, parameter: Parameter): string {
  const answer = draft.clause.answers[parameter.name]
  const mention = readMention(draft, parameter)
  if (answer !== undefined && mention.distinct.length === 0) return answer
  const kept = mention.tokens.filter((token) => token.kind === 'quote' || mention.distinct.includes(token.stem))
  return kept.map((token) => token.text).join(' ')
}

/** The page's own value of that name: `productId` on a product page. */
function contextFocus(world: World, parameter: Parameter): JsonValue | undefined {
  const data = world.context?.data
  if (!data) return undefined
  const wanted = normalizeKey(parameter.name)
  for (const [key, value] of Object.entries(data)) {
    if (normalizeKey(key) === wanted && (typeof value === 'string' || typeof value === 'number'))
      return parameter.type === 'string' ? String(value) : value
  }
  for (const [key, value] of Object.entries(data)) {
    if (!isObject(value)) continue
    const isCurrent =
      /^(current|selected|focused|active|viewed|open)/i.test(key) ||
      parameter.stems.includes(stem(key.toLowerCase())) ||
      /^(product|item|message|mail|device)$/i.test(key)
    if (!isCurrent) continue
    for (const [inner, id] of Object.entries(value)) {
      if ((normalizeKey(inner) === wanted || /^id$/i.test(inner)) && (typeof id === 'string' || typeof id === 'number'))
        return parameter.type === 'string' ? String(id) : id
    }
  }
  return undefined
}

function namesCurrent(context: PageContext | undefined, mention: Mention): boolean {
  const texts = [
    context?.title ?? '',
    ...Object.values(context?.data ?? {}).filter((value) => typeof value === 'string'),
  ]
  const stems = new Set(texts.flatMap((text) => identifierWords(text).map(stem)))
  return mention.distinct.every((word) => stems.has(word) || [...stems].some((other) => isMisspelling(other, word)))
}
