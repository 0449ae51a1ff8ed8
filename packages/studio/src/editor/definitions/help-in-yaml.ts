import { cursorInYaml, nodeInYaml, type YamlCursor, type YamlPlace } from './place-in-yaml.ts'
import { alternatives, fieldsOf, schemasAt, typesOf, valuesOf, type JsonSchema } from './schema-at.ts'

export interface YamlSuggestion {
  label: string
  kind: 'field' | 'value'
  /** In the words of snippets: `$0` is where one goes on typing. */
  snippet: string
  description: string
  isRequired: boolean
  /** There is something to choose from at once. */
  asksOn: boolean
}

/** What a schema allows at an offset of a YAML text, and what it would replace. */
export function suggestInYaml(
  text: string,
  offset: number,
  schema: JsonSchema,
): { from: number; to: number; suggestions: YamlSuggestion[] } | undefined {
  const cursor = cursorInYaml(text, offset)
  if (!cursor) return undefined
  const found = cursor.places.flatMap((place) =>
    place.kind === 'field' ? suggestFields(schema, place, cursor) : suggestValues(schema, place),
  )
  const byLabel = new Map(found.toReversed().map((one) => [one.label, one]))
  return { from: cursor.from, to: cursor.to, suggestions: [...byLabel.values()].toReversed() }
}

/** What a schema says of the field or value at an offset, as Markdown. */
export function explainInYaml(
  text: string,
  offset: number,
  schema: JsonSchema,
): { from: number; to: number; markdown: string } | undefined {
  const node = nodeInYaml(text, offset)
  if (!node) return undefined
  const schemas = schemasAt(schema, node.path)
  const name = node.path.findLast((step) => typeof step === 'string')
  const values = schemas.flatMap(({ const: only, enum: several }) => [only ?? several ?? []].flat())
  const lines = [
    `**${name}** ${typesOf(schemas).join(' or ')}`,
    describe(schemas),
    values.length > 0 && `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}`,
  ]
  if (schemas.length === 0) return undefined
  return { from: node.from, to: node.to, markdown: lines.filter(Boolean).join('\n\n') }
}

function suggestFields(root: JsonSchema, { path, taken, isFlow }: YamlPlace, cursor: YamlCursor): YamlSuggestion[] {
  return schemasAt(root, path).flatMap((schema) => {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    return fieldsOf(root, schema)
      .filter(([name]) => !taken.includes(name))
      .map(([name, one]): YamlSuggestion => {
        const inner = alternatives(root, one)
        const indent = ' '.repeat(cursor.dashes + 2)
        return {
          ...{ label: name, kind: 'field', description: describe(inner), isRequired: required.includes(name) },
          snippet: quote(name) + (cursor.isNamed ? '' : beginValue(inner, isFlow, indent)),
          asksOn: !cursor.isNamed && (isFlow || !typesOf(inner).includes('string') || inner.some(isChoice)),
        }
      })
  })
}

function suggestValues(root: JsonSchema, { path }: YamlPlace): YamlSuggestion[] {
  const schemas = schemasAt(root, path)
  const description = describe(schemas)
  return schemas.flatMap(valuesOf).map((value) => ({
    ...{ label: String(value), kind: 'value', description, isRequired: false, asksOn: false },
    snippet: quote(String(value), typeof value === 'string'),
  }))
}

/** How the value of a new field begins. */
function beginValue(schemas: readonly JsonSchema[], isFlow: boolean, indent: string): string {
  const only = schemas.find((one) => one['const'] !== undefined)
  const types = typesOf(schemas)
  if (only && schemas.length === 1) return `: ${quote(String(only['const']))}$0`
  if (isFlow) return ': $0'
  if (types.length === 1 && types[0] === 'array') return `:\n${indent}- $0`
  if (types.length === 1 && types[0] === 'object') return `:\n${indent}$0`
  const isLong = schemas.some(({ maxLength }) => typeof maxLength === 'number' && maxLength >= 10_000)
  return isLong ? `: |\n${indent}$0` : ': $0'
}

const isChoice = (schema: JsonSchema) => valuesOf(schema).length > 0

function describe(schemas: readonly JsonSchema[]): string {
  const found = schemas.find(({ description }) => typeof description === 'string')
  return typeof found?.['description'] === 'string' ? found['description'] : ''
}

/** As YAML reads it back, and as a snippet stands for itself. */
function quote(value: string, isText = true): string {
  const mayBePlain =
    !isText || (/^[A-Za-z][\w@./:-]*$/.test(value) && !/:$|^(?:true|false|null|yes|no|on|off)$/i.test(value))
  return (mayBePlain ? value : JSON.stringify(value)).replace(/[$\\}]/g, '\\$&')
}
