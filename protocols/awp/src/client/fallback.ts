import type { Intent, JsonObject, JsonValue, Target } from '@domos/spec'

/** One primitive of a plan, and what to do instead when the control is of another kind. */
export interface PrimitiveStep {
  readonly intent: Intent
  /** Tried when the first is refused as not fitting the control. */
  readonly orElse?: Intent
}

const SAME_NAME = /^(?:semantic|intent)\.(click|type|select|scroll|clear|toggle|check|uncheck|press|hover|focus)$/

/**
 * What an intent of a higher level is in primitives, for servers without that level ("Clients SHOULD degrade gracefully
 * by falling back to primitive actions"); undefined when there is no such plan.
 */
export function primitivePlan(intent: Intent): readonly PrimitiveStep[] | undefined {
  const same = SAME_NAME.exec(intent.action)?.[1]
  if (same !== undefined) return [{ intent: { ...intent, action: `primitive.${same}` } }]
  switch (intent.action.replace(/^(?:semantic|intent)\./, '')) {
    case 'fill_form':
      return isObject(intent.value)
        ? Object.entries(intent.value).map(([label, value]) => fill(label, value))
        : undefined
    case 'choose':
      return step('primitive.select', intent.target, intent.value)
    case 'submit_form':
      return step('primitive.submit', intent.target, undefined)
    case 'search': {
      const box: Target = intent.target ?? {
        query: { role: 'searchbox' },
        fallback: [{ query: { role: 'text_input', label: 'Search' } }],
      }
      return [...step('primitive.type', box, intent.value), ...step('primitive.press', box, 'Enter')]
    }
    default:
      return undefined
  }
}

function fill(label: string, value: JsonValue): PrimitiveStep {
  const target: Target = { query: { label } }
  if (typeof value === 'boolean') return { intent: { action: `primitive.${value ? 'check' : 'uncheck'}`, target } }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return {
    intent: { action: 'primitive.type', target, value: text },
    orElse: { action: 'primitive.select', target, value },
  }
}

function step(action: string, target: Target | undefined, value: JsonValue | undefined): readonly PrimitiveStep[] {
  return [
    { intent: { action, ...(target === undefined ? {} : { target }), ...(value === undefined ? {} : { value }) } },
  ]
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
