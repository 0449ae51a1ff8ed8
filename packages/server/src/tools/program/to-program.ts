import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoherexError, languageFacts, type GivenFile, type RunRequest } from '@coherex/contract'
import { readInlineMetadata } from '../../packages/index.ts'
import { readText, type Folder, type ToolFolder } from '../../registry/index.ts'
import { importsDataStack } from '../../runtimes/index.ts'
import { inferSchemas, type InferredSchemas } from '../schema/infer-schema.ts'

type ToolCode = Pick<ToolFolder, 'definition' | 'files'>

const python = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const callPython = python('call.py')
const readPython = python('schema.py')
const scripts = new Set(['javascript', 'typescript', 'node'])

/** What is run for one call of a tool: its own entry, or what calls `main` of its module. */
export function toCall(tool: ToolCode, input: unknown): RunRequest {
  const entry = entryOf(tool)
  const files = toFiles(tool.files)
  if (tool.definition.language === 'python')
    return {
      ...optionsOf(tool),
      files,
      entry: besides('call_tool.py', files),
      code: withPath(callPython, entry, files),
      input: input as never,
    }
  const { [entry]: code = '', ...others } = files
  return { ...optionsOf(tool), files: others, entry, code: typeof code === 'string' ? code : '', input: input as never }
}

/** What a call loads first, and may find loaded. */
export function moduleOf(tool: ToolCode): { module?: string } {
  return tool.definition.language === 'python' ? { module: entryOf(tool) } : {}
}

/** What is run to read the schemas that the code declares; undefined for a language that declares none. */
export function toSchemaReader(tool: ToolCode): RunRequest | undefined {
  const { language } = tool.definition
  const entry = entryOf(tool)
  const files = toFiles(tool.files)
  const asked = { ...optionsOf(tool), files, limits: { timeoutMs: 20_000 } }
  if (language === 'python')
    return { ...asked, entry: besides('read_schema.py', files), code: withPath(readPython, entry, files) }
  if (!scripts.has(language)) return undefined
  return { ...asked, entry: besides('read-schema.js', files), code: readScript(entry), language: 'javascript' }
}

/** What the types of the entry say, where the code declares no schema. */
export function inferOf(tool: ToolCode): InferredSchemas {
  const bytes = scripts.has(tool.definition.language) ? tool.files.get(entryOf(tool)) : undefined
  return inferSchemas((bytes && readText(bytes)) ?? '')
}

/** A case's check: an expression over `input` and `output`. */
export function toCheck(
  { definition }: ToolCode,
  check: string,
  values: { input: unknown; output: unknown },
): RunRequest {
  const isPython = definition.language === 'python'
  const code = isPython
    ? `import coherex\ninput, output = coherex.input["input"], coherex.input["output"]\nbool(${check}\n)`
    : `export default (env, { input, output }) => Boolean(${check}\n)`
  return { language: isPython ? 'python' : 'javascript', code, input: values as never, limits: { timeoutMs: 10_000 } }
}

function readScript(entry: string): string {
  return `import * as tool from ${JSON.stringify(`./${entry}`)}
import { z } from 'zod'
const read = (value, io) => {
  if (typeof value === 'object' && value !== null && '_zod' in value) return z.toJSONSchema(value, { unrepresentable: 'any', io })
  return (typeof value === 'object' && value !== null) || typeof value === 'boolean' ? value : true
}
const declared = (value, io) => (value === undefined ? null : read(value, io))
export default () => ({ input: declared(tool.input, 'input'), output: declared(tool.output, 'output'), callable: typeof tool.default === 'function' })
`
}

function optionsOf(
  tool: ToolCode,
): Pick<RunRequest, 'language' | 'packages' | 'network' | 'limits' | 'runtime'> & { code: string } {
  const { language, network, limits, runtime } = tool.definition
  const packages = [...(tool.definition.packages ?? []), ...inlinePackages(tool)]
  return {
    ...{ language, code: '' },
    ...(packages.length > 0 && { packages }),
    ...(network && { network }),
    ...(limits && { limits }),
    ...(runtime && { runtime }),
  }
}

/** Inline metadata of the entry (PEP 723): what is run has the entry beside it, so nobody else reads it there. */
function inlinePackages(tool: ToolCode): string[] {
  const entry = tool.definition.language === 'python' ? tool.files.get(entryOf(tool)) : undefined
  try {
    return readInlineMetadata((entry && readText(entry)) ?? '')?.requirements ?? []
  } catch (error) {
    // a block that cannot be read asks for nothing, as in any run
    if (error instanceof CoherexError) return []
    throw error
  }
}

function entryOf({ definition }: ToolCode): string {
  return definition.entry ?? languageFacts[definition.language].entry
}

/** A name that no file of the tool has. */
function besides(name: string, files: Record<string, GivenFile>): string {
  return Object.hasOwn(files, name) ? besides(`_${name}`, files) : name
}

function toFiles(files: Folder): Record<string, GivenFile> {
  return Object.fromEntries(
    [...files].map(([path, bytes]) => [path, readText(bytes) ?? { base64: bytes.toString('base64') }]),
  )
}

// the text that is run says which sandbox it is best off with, and how much memory: the one with the data stack loaded
const ofDataStack = 'if False:\n    import pandas\n'

function withPath(code: string, entry: string, files: Record<string, GivenFile>): string {
  const texts = Object.entries(files).flatMap(([path, file]) =>
    path.endsWith('.py') && typeof file === 'string' ? [file] : [],
  )
  return `PATH = ${JSON.stringify(entry)}\n${texts.some(importsDataStack) ? ofDataStack : ''}${code}`
}
