/** Any value JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object; keys `__proto__`, `constructor` and `prototype` never appear in one parsed by DomOS. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A JSON Schema document (2020-12, with the bounds of `agent`'s limits), as a plain JSON object. */
export type JsonSchema = JsonObject
