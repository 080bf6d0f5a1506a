/** What may be said at one place: a word, or expansions put together. */
export type Expansion =
  | string
  | { readonly type: 'sequence'; readonly parts: readonly Expansion[] }
  | { readonly type: 'choice'; readonly parts: readonly Expansion[]; readonly weights?: readonly number[] }
  | { readonly type: 'optional'; readonly part: Expansion }
  | { readonly type: 'repeated'; readonly part: Expansion }
  | { readonly type: 'rule'; readonly name: string }

/** Rules by name; `start` is what a whole utterance is. Rules do not refer to themselves. */
export interface Grammar {
  readonly start: Expansion
  readonly rules: ReadonlyMap<string, Expansion>
}

/** One after the other; nothing at all when there is none. */
export function sequence(...parts: readonly Expansion[]): Expansion {
  return parts.length === 1 ? (parts[0] as Expansion) : { type: 'sequence', parts }
}

/** One of them. */
export function choice(parts: readonly Expansion[]): Expansion {
  return parts.length === 1 ? (parts[0] as Expansion) : { type: 'choice', parts }
}

/** One of them, each as likely as its weight says. */
export function weighted(options: readonly (readonly [weight: number, part: Expansion])[]): Expansion {
  return { type: 'choice', parts: options.map(([, part]) => part), weights: options.map(([weight]) => weight) }
}

/** It, or nothing. */
export function optional(part: Expansion): Expansion {
  return { type: 'optional', part }
}

/** Once or more. */
export function repeated(part: Expansion): Expansion {
  return { type: 'repeated', part }
}

/** A rule of the grammar. */
export function rule(name: string): { readonly type: 'rule'; readonly name: string } {
  return { type: 'rule', name }
}

/** Words separated by spaces, as a sequence. */
export function phrase(text: string): Expansion {
  return sequence(...text.split(' '))
}

/** The grammar in the JSpeech Grammar Format, version 1.0. */
export function toJsgf(grammar: Grammar): string {
  const rules = [...grammar.rules].map(([name, expansion]) => `<${name}> = ${format(expansion)};`)
  return ['#JSGF V1.0;', 'grammar domos;', `public <utterance> = ${format(grammar.start)};`, ...rules, ''].join('\n')
}

function format(expansion: Expansion): string {
  if (typeof expansion === 'string') return expansion
  if (expansion.type === 'sequence')
    return expansion.parts.length === 0 ? '<NULL>' : expansion.parts.map(format).join(' ')
  if (expansion.type === 'choice') {
    const { parts, weights } = expansion
    return `(${parts.map((part, index) => (weights ? `/${weights[index]}/ ${format(part)}` : format(part))).join(' | ')})`
  }
  if (expansion.type === 'optional') return `[${format(expansion.part)}]`
  if (expansion.type === 'repeated') return `(${format(expansion.part)})+`
  return `<${expansion.name}>`
}

/** Every word of the grammar, once. */
export function wordsOf(grammar: Grammar): readonly string[] {
  const words = new Set<string>()
  const visit = (expansion: Expansion): void => {
    if (typeof expansion === 'string') words.add(expansion)
    else if (expansion.type === 'sequence' || expansion.type === 'choice')
      for (const part of expansion.parts) visit(part)
    else if (expansion.type !== 'rule') visit(expansion.part)
  }
  visit(grammar.start)
  for (const expansion of grammar.rules.values()) visit(expansion)
  return [...words]
}

/** Whether the words are a whole utterance of the grammar. */
export function accepts(grammar: Grammar, words: readonly string[]): boolean {
  return advance(grammar, grammar.start, words, new Set([0])).has(words.length)
}

/** The places in `words` that can be reached from `from` by saying the expansion. */
function advance(
  grammar: Grammar,
  expansion: Expansion,
  words: readonly string[],
  from: ReadonlySet<number>,
): ReadonlySet<number> {
  if (from.size === 0) return from
  if (typeof expansion === 'string') {
    return new Set([...from].filter((place) => words[place] === expansion).map((place) => place + 1))
  }
  switch (expansion.type) {
    case 'sequence':
      return expansion.parts.reduce((places, part) => advance(grammar, part, words, places), from)
    case 'choice':
      return new Set(expansion.parts.flatMap((part) => [...advance(grammar, part, words, from)]))
    case 'optional':
      return new Set([...from, ...advance(grammar, expansion.part, words, from)])
    case 'repeated': {
      const reached = new Set<number>()
      let fresh = from
      while (fresh.size > 0) {
        const next = advance(grammar, expansion.part, words, fresh)
        fresh = new Set([...next].filter((place) => !reached.has(place)))
        for (const place of fresh) reached.add(place)
      }
      return reached
    }
    case 'rule': {
      const target = grammar.rules.get(expansion.name)
      return target === undefined ? new Set() : advance(grammar, target, words, from)
    }
  }
}
