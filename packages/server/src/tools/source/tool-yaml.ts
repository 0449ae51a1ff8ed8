import type { ToolDefinition, ToolRequest } from '@coherex/contract'
import { isMap, parseDocument, stringify } from 'yaml'
import { findExcess, readText, type Folder } from '../../registry/index.ts'

const path = 'tool.yaml'
// longer ones are refused by whoever reads them
const longest = 1_000_000

type Given = Pick<ToolRequest, 'name' | 'description' | 'licence' | 'packages' | 'network' | 'limits'>

/** A folder whose `tool.yaml` says what was given beside it; the rest, comments too, stays as it is. */
export function withGiven(files: Folder, { name, description, licence, packages, network, limits }: Given): Folder {
  const given = Object.entries({ name, description, licence, packages, network, limits }).filter(
    ([, value]) => value !== undefined,
  )
  const text = readText(files.get(path) ?? Buffer.of(0))
  if (given.length === 0 || text === undefined || text.length > longest || findExcess(text)) return files
  const document = parseDocument(text)
  if (document.errors.length > 0 || !isMap(document.contents)) return files
  for (const [word, value] of given) document.set(word, value)
  return new Map([...files, [path, Buffer.from(document.toString())]])
}

/** A folder with a `tool.yaml` made for it. */
export function withYaml(files: Folder, definition: Omit<ToolDefinition, 'kind' | 'input' | 'output'>): Folder {
  return new Map([...files, [path, Buffer.from(stringify({ kind: 'tool', ...definition }, { lineWidth: 0 }))]])
}
