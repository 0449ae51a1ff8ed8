import { toArguments, type ExportedTool } from './exported-tool.ts'
import { toScriptName } from './names.ts'
import { toTypes, type Type } from './type-model.ts'

// a text in code: whatever is in it, it ends where it ends
const quote = (value: unknown): string =>
  JSON.stringify(value, undefined, 2)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')

/** A comment of one line, which nothing in it ends. */
const comment = (text: string) => `/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '* /').slice(0, 300).trim()} */`

/** What all of them call the server with. */
function callCode({ name, pinned, url }: ExportedTool, types: { input: string; output: string } | undefined): string {
  const [input, output, any] = types ? [`: ${types.input}`, `: Promise<${types.output}>`, ': any'] : ['', '', '']
  return `const server = process.env.COHEREX_URL ?? ${quote(url)}

async function callTool(input${input})${output} {
  const response = await fetch(new URL(${quote(`/api/v1/tools/${name}/call`)}, server), {
    method: 'POST',
    headers: { authorization: \`Bearer \${process.env.COHEREX_API_KEY}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ input${pinned === undefined ? '' : `, version: ${pinned}`} }),
  })
  const answer${any} = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.error?.message ?? \`the server answers \${response.status}\`)
  if (answer.run.status !== 'succeeded') throw new Error(answer.run.error?.message ?? answer.run.status)
  return answer.output
}
`
}

/** What a framework gives is an object; the tool may take something else. */
const passOn = (isWrapped: boolean) => (isWrapped ? '({ input }) => callTool(input)' : '(input) => callTool(input)')

export function toLangChain(tool: ExportedTool): string {
  const { schema, isWrapped } = toArguments(tool)
  return `import { DynamicStructuredTool } from '@langchain/core/tools'

${callCode(tool, undefined)}
export const ${toScriptName(tool.name)} = new DynamicStructuredTool({
  name: ${quote(tool.name)},
  description: ${quote(tool.description)},
  schema: ${quote(schema)},
  func: ${passOn(isWrapped)},
})
`
}

export function toAiSdk(tool: ExportedTool): string {
  const { schema, isWrapped } = toArguments(tool)
  return `import { jsonSchema, tool } from 'ai'

${callCode(tool, undefined)}
export const ${toScriptName(tool.name)} = tool({
  description: ${quote(tool.description)},
  inputSchema: jsonSchema(${quote(schema)}),
  execute: ${passOn(isWrapped)},
})
`
}

export function toOpenAi(tool: ExportedTool): string {
  const { schema, isWrapped } = toArguments(tool)
  const definition = {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schema },
  }
  return `${callCode(tool, undefined)}
/** One of the \`tools\` of a request. */
export const definition = ${quote(definition)}

/** Answers a tool call: takes its \`function.arguments\`, gives the \`content\` of the tool message. */
export async function call(args) {
  const given = typeof args === 'string' ? JSON.parse(args) : args
  return JSON.stringify(await callTool(${isWrapped ? 'given.input' : 'given'}))
}
`
}

export function toTypeScript(tool: ExportedTool): string {
  const { input, output, named } = toTypes(tool)
  const types = named.map(({ name, type }) => `export type ${name} = ${print(type)}\n`).join('')
  return `${types}export type Input = ${print(input)}
export type Output = ${print(output)}

${callCode(tool, { input: 'Input', output: 'Output' })}
${comment(tool.description)}
export function ${toScriptName(tool.name)}(input: Input): Promise<Output> {
  return callTool(input)
}
`
}

function print(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'unknown'
    case 'integer':
      return 'number'
    case 'literal':
      return type.values.map((value) => quote(value)).join(' | ')
    case 'list':
      return `Array<${print(type.items)}>`
    case 'map':
      return `{ [name: string]: ${print(type.values)} }`
    case 'object': {
      const fields = type.fields.map((one) => `${quote(one.name)}${one.isRequired ? '' : '?'}: ${print(one.type)}`)
      return `{ ${[...fields, ...(type.isOpen ? ['[name: string]: unknown'] : [])].join('; ')} }`
    }
    case 'union':
      return type.types.map(print).join(' | ')
    case 'named':
      return type.name
    default:
      return type.kind
  }
}
