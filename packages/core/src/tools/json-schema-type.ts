import type { JsonObject, JsonValue } from '@domos/spec'

type Scalar = { string: string; number: number; integer: number; boolean: boolean; null: null }

type Properties<P, Required extends PropertyKey> = {
  readonly [K in keyof P as K extends Required ? K : never]: JsonSchemaType<P[K]>
} & { readonly [K in keyof P as K extends Required ? never : K]?: JsonSchemaType<P[K]> }

type Names<S> = S extends { readonly required: readonly (infer R extends string)[] } ? R : never

/**
 * The type of the values a literal JSON Schema accepts. Reads `type`, `properties`, `required`, `items`, `enum` and
 * `const`; whatever else stands there, or a schema whose type is not literal, gives {@link JsonValue}.
 */
export type JsonSchemaType<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: 'object'; readonly properties: infer P }
      ? { readonly [K in keyof Properties<P, Names<S>>]: Properties<P, Names<S>>[K] }
      : S extends { readonly type: 'object' }
        ? JsonObject
        : S extends { readonly type: 'array'; readonly items: infer I }
          ? readonly JsonSchemaType<I>[]
          : S extends { readonly type: 'array' }
            ? readonly JsonValue[]
            : S extends { readonly type: infer T extends keyof Scalar }
              ? Scalar[T]
              : JsonValue
