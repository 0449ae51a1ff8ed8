import { CoherexError, describeFailures, type ToolVerdict } from '@coherex/contract'
import { parseTool, readText, type Folder } from '../registry/index.ts'
import type { SchemaChecks } from './schema/schema-checks.ts'

type Problem = ToolVerdict['problems'][number]

const file = 'tool.yaml'

/** What is wrong with the folder of a tool. Schemas that its code declares are known only once it is stored. */
export async function validateTool(checks: SchemaChecks, files: Folder): Promise<ToolVerdict> {
  const { definition, problems } = parseTool(files)
  if (!definition) return { valid: false, problems }
  const found: Problem[] = []
  const text = readText(files.get(file) ?? Buffer.from('')) ?? ''
  const tell = (field: string, message: string) => found.push({ file, path: field, message, ...locate(text, field) })

  const { input, output, tests = [], example } = definition
  const schemas = { input: input === 'code' ? true : input, output: output === 'code' ? true : output }
  for (const side of ['input', 'output'] as const) {
    const refusal = refusalOf(() => checks.admit(schemas[side]))
    if (refusal === undefined) continue
    tell(side, refusal)
    schemas[side] = true
  }
  const check = async (field: string, what: string, value: unknown, side: 'input' | 'output') => {
    const failures = await checks.check(schemas[side], value)
    if (failures.length > 0) tell(field, `${what} does not fit the schema: ${describeFailures(failures)}`)
  }
  for (const { name, ...test } of tests) {
    await check('tests', `The input of "${name}"`, test.input, 'input')
    if (test.output !== undefined) await check('tests', `The output of "${name}"`, test.output, 'output')
  }
  if (example !== undefined) await check('example', 'It', example, 'input')
  return { valid: found.length === 0, problems: found, definition }
}

function refusalOf(admit: () => void): string | undefined {
  try {
    return void admit()
  } catch (error) {
    if (error instanceof CoherexError) return error.message
    throw error
  }
}

/** Where a field of the definition begins. */
function locate(text: string, field: string): { line: number; column: number } {
  const at = text.split('\n').findIndex((line) => line.startsWith(`${field}:`))
  return { line: at + 1 || 1, column: 1 }
}
