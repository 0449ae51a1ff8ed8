import { CoherexError, type SchemaFailure } from '@coherex/contract'
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { JsonSchema } from './weigh-schema.ts'

export type CheckValue = (value: unknown) => SchemaFailure[]

const mostFailures = 20

/** Patterns come from people: they are matched in time that grows with the text alone. */
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    // by its text the compiler tells one pattern from another
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern }
  },
  { code: 'undefined' },
)

/** A schema as a function that says what is wrong with a value. Its bounds were looked at before. */
export function compileSchema(schema: JsonSchema): CheckValue {
  const ajv = new Ajv2020({
    // keywords of others say nothing here
    ...{ strict: false, allErrors: false, validateFormats: true, logger: false, inlineRefs: false },
    ...{ code: { regExp }, ownProperties: true },
  })
  addFormats.default(ajv, { mode: 'fast' })
  let validate: ReturnType<typeof ajv.compile>
  try {
    validate = ajv.compile(withoutName(schema))
  } catch (error) {
    const why = error instanceof RangeError ? 'it refers to itself without end' : (error as Error).message.slice(0, 300)
    throw new CoherexError('invalid_input', `The schema is not valid: ${why}`)
  }
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, mostFailures).map(toFailure))
}

/** A name would be a place that references are resolved against, and a draft one that is looked up. */
function withoutName(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const { $id: _, $schema: __, ...rest } = schema
  return rest
}

function toFailure({ instancePath, keyword, message, params }: ErrorObject): SchemaFailure {
  const path = toPath(instancePath)
  const named = params as Record<string, unknown>
  switch (keyword) {
    case 'required':
      return { path: join(path, String(named['missingProperty'])), message: 'is missing' }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = named['additionalProperty'] ?? named['unevaluatedProperty']
      return { path: join(path, String(name)), message: 'is not known here' }
    }
    case 'enum':
      return { path, message: `must be one of ${JSON.stringify(named['allowedValues']).slice(1, -1).slice(0, 300)}` }
    case 'const':
      return { path, message: `must be ${JSON.stringify(named['allowedValue']).slice(0, 300)}` }
    default:
      return { path, message: message ?? `breaks the rule ${keyword}` }
  }
}

/** `/items/0/price` as people write it: `items[0].price`. */
function toPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(join, '')
}

function join(path: string, part: string): string {
  if (/^\d+$/.test(part)) return `${path}[${part}]`
  if (!/^[\w$-]+$/.test(part)) return `${path}[${JSON.stringify(part)}]`
  return path === '' ? part : `${path}.${part}`
}
