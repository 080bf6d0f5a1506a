import type { PastTurn, Step } from './conversation.ts'
import { collectEntities, contextSpring, type Entity, type EntitySpring } from './entities.ts'
import type { World } from './fill.ts'
import { isObject } from './tools.ts'

/** Most turns back that are looked at for things a sentence may name. */
const MAX_PAST_TURNS = 8

/** What is known at a point of the conversation: after the first `cursor` calls of the turn at `index`. */
export function makeWorld(turns: readonly PastTurn[], index: number, cursor: number, now: number): World {
  const turn = turns[index] as PastTurn
  const context = turn.context ?? turns.findLast((past) => past.context)?.context
  const here: EntitySpring[] = springsOf(turn.steps.slice(0, cursor), 'result')
  const before = turns[index - 1]
  const past = turns.slice(Math.max(0, index - MAX_PAST_TURNS), Math.max(0, index - 1)).reverse()
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
  const value = last.outcome?.type === 'success' ? last.outcome.value : undefined
  return isObject(value) ? entities.find((entity) => entity.object === value && entity.label !== undefined) : undefined
}
