/**
 * The part of the Standard Schema interface DomOS reads, as a shape: zod 4, valibot, arktype and others fit it without
 * any of them being a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** The JSON Schema part; zod 4.2 and arktype 2.1.28 have it, valibot through `toStandardJsonSchema`. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** What a Standard Schema's `validate` gives back. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One complaint of a validator. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type a schema's validated value has. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output']

/** Tells a Standard Schema (object or function) from a plain JSON Schema. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return typeof (value as Partial<StandardSchema> | null)?.['~standard']?.validate === 'function'
}
