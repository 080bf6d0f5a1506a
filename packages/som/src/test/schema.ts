import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** The conformance suite beside the checkout; it is not part of the repository. */
export const conformanceDirectory = new URL('../../../../../shared/conformance/som/', import.meta.url)
export const pagesDirectory = new URL('../../../../../shared/pages/', import.meta.url)

export const hasConformance = existsSync(new URL('som-schema.json', conformanceDirectory))

let validator: ((value: unknown) => string[]) | undefined

/** Problems of a document under the SOM schema in strict mode. */
export function schemaProblems(som: unknown): string[] {
  if (validator === undefined) {
    const schema = JSON.parse(readFileSync(new URL('som-schema.json', conformanceDirectory), 'utf8')) as object
    const check = new Ajv2020({ strict: true, allErrors: true }).compile(schema)
    validator = (value) =>
      check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }
  return validator(som)
}
