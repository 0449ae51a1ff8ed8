import { jsonDefaults } from 'monaco-editor/languages/features/json/register'
import type { JsonSchema } from './schema-at.ts'

const schemas = new Map<string, JsonSchema>()

/** Has the editor complete and explain a JSON file by a schema, or no longer. The server checks it. */
export function helpJson(uri: string, schema: JsonSchema | undefined): void {
  if (schemas.get(uri) === schema) return
  if (schema) schemas.set(uri, schema)
  else schemas.delete(uri)
  jsonDefaults.setDiagnosticsOptions({
    ...jsonDefaults.diagnosticsOptions,
    schemaValidation: 'ignore',
    schemas: [...schemas].map(([fileMatch, one], index) => ({
      uri: `inmemory://definitions/${index}`,
      fileMatch: [fileMatch],
      schema: one,
    })),
  })
}
