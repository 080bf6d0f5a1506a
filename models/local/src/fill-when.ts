import { normalizeKey } from './entities.ts'
import type { Draft } from './fill.ts'
import type { Parameter } from './tools.ts'
import { findWhen, type WhenMention } from './when.ts'

/** Fills arguments that want a day or a time. */
export function fillWhen(draft: Draft): void {
  const wanting = draft.tool.parameters.filter(
    (parameter) =>
      draft.args[parameter.name] === undefined &&
      (parameter.type === 'string' || parameter.type === 'any') &&
      kindOfWhen(parameter) !== undefined,
  )
  if (wanting.length === 0) return
  const when = findWhen(draft.clause.tokens, draft.world.now)
  if (!when) return
  for (const parameter of wanting) {
    const value = whenValue(when, kindOfWhen(parameter), draft.world.now)
    if (value !== undefined) draft.args[parameter.name] = value
  }
  for (const index of when.tokens) draft.used.add(index)
}

/** A day and time in the form an argument wants. */
export function whenValue(when: WhenMention, kind: ReturnType<typeof kindOfWhen>, now: number): string | undefined {
  if (kind === 'date') return when.date
  if (kind === 'time') return when.time
  if (when.time === undefined) return when.date
  return `${when.date ?? new Date(now).toISOString().slice(0, 10)}T${when.time}:00`
}

/** What an argument wants of a day and time; nothing when it wants neither. */
export function kindOfWhen(parameter: Parameter): 'date' | 'time' | 'date-time' | undefined {
  if (parameter.format === 'date' || parameter.format === 'time' || parameter.format === 'date-time')
    return parameter.format
  if (parameter.format !== undefined || parameter.enumValues) return undefined
  if (/HH:MM/i.test(parameter.description)) return 'time'
  if (/YYYY-MM-DD(?!.*T)/.test(parameter.description)) return 'date'
  if (
    /^(datetime|when|due|dueat|startat|startsat|start|remindat|scheduledat|sendat)$/.test(normalizeKey(parameter.name))
  )
    return 'date-time'
  if (parameter.words.includes('time')) return 'time'
  if (parameter.words.some((word) => word === 'date' || word === 'day')) return 'date'
  return undefined
}
