import type { PastTurn, Step } from './conversation.ts'
import { collectEntities, contextSpring, type Entity, type EntitySpring } from './entities.ts'
import type { World } from './fill.ts'

/** Most turns back that are looked at for things a sentence may name. */
const MAX_PAST_TURNS = 8
/** How long ago the last call may be for "it" to mean what it was about. */
const MAX_TURNS_BETWEEN = 3

/** What is known at a point of the conversation: after the first `cursor` calls of the turn at `index`. */
export function makeWorld(turns: readonly PastTurn[], index: number, cursor: number, now: number): World {
  const turn = turns[index] as PastTurn
  const context = turn.context ?? turns.findLast((past) => past.context)?.context
  const here: EntitySpring[] = springsOf(turn.steps.slice(0, cursor), 'result')
  // A question in between does not make "it" another thing.
  const acted = turns.findLastIndex((past, at) => at < index && past.steps.length > 0)
  const before = acted < index - MAX_TURNS_BETWEEN ? undefined : turns[acted]
  const past = turns
    .slice(Math.max(0, index - MAX_PAST_TURNS), index)
    .filter((turnBefore) => turnBefore !== before)
    .reverse()
  const springs = [
    ...here,
    ...(before ? springsOf(before.steps, 'previous') : []),
    ...contextSpring(context),
    ...past.flatMap((turnBefore) => springsOf(turnBefore.steps, 'earlier')),
  ]
  const entities = collectEntities(springs)
  return {
    context,
    entities,
    focus: findFocus(turn.steps.slice(0, cursor), entities),
    earlierFocus: before && findFocus(before.steps, entities),
    now,
  }
}

function springsOf(steps: readonly Step[], source: EntitySpring['source']): EntitySpring[] {
  return steps
    .flatMap((step) =>
      step.outcome?.type === 'success' ? [{ value: step.outcome.value, source, toolName: step.name }] : [],
    )
    .reverse()
}

/** What was acted on last: the entity whose id stands in the newest call's arguments. */
function findFocus(steps: readonly Step[], entities: readonly Entity[]): Entity | undefined {
  const last = steps.at(-1)
  if (!last) return undefined
  for (const [key, value] of Object.entries(last.args)) {
    if (typeof value !== 'string' || !/id$|sku$|slug$|name$|product$|item$/i.test(key)) continue
    const entity = entities.find((entry) => Object.values(entry.object).includes(value))
    if (entity) return entity
  }
  if (last.outcome?.type !== 'success') return undefined
  const { value } = last.outcome
  const own = collectEntities([{ value, source: 'result' }])
  const listed = own.filter((entity) => entity.list !== undefined)
  const only =
    listed.length === 1 ? listed[0] : listed.length === 0 ? own.find((entity) => entity.object === value) : undefined
  return only?.label === undefined ? undefined : (entities.find((entity) => entity.object === only.object) ?? only)
}
