import { z } from 'zod'

/** What of a value does not fit its schema, and where: `items[0].price`. */
export const schemaFailure = z.object({ path: z.string(), message: z.string() })
export type SchemaFailure = z.infer<typeof schemaFailure>

/** One line for people and models. */
export function describeFailures(failures: readonly SchemaFailure[]): string {
  return failures.map(({ path, message }) => (path ? `${path} ${message}` : `it ${message}`)).join('; ')
}
