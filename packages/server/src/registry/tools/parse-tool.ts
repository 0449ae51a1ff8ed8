import {
  isPlainPath,
  languageFacts,
  toolDefinition,
  toolLimits,
  type DefinitionProblem,
  type ToolDefinition,
} from '@coherex/contract'
import { refusedSchedules } from '../agents/schedule.ts'
import { readText, sizeOf, type Folder } from '../definition/folder.ts'
import { parseText } from '../definition/parse-text.ts'
import { findHiddenModule } from './hidden-module.ts'

/** The file that makes a folder a tool. */
const toolPath = 'tool.yaml'

export type ParsedTool =
  | { definition: ToolDefinition; entry: string; problems: [] }
  | { definition?: undefined; problems: (DefinitionProblem & { file: string })[] }

/** A tool from its folder, or everything that is wrong with it and where. */
export function parseTool(files: Folder): ParsedTool {
  const outside = [...files.keys()].find((path) => !isPlainPath(path))
  if (outside !== undefined) return refuse(outside.slice(0, 200), 'is not a path below the folder of the tool')
  if (files.size > toolLimits.files) return refuse('', `has more than ${toolLimits.files} files`)
  if (sizeOf(files) > toolLimits.bytes) return refuse('', `is larger than ${toolLimits.bytes / 1_000_000} MB`)
  const source = files.get(toolPath)
  const text = source && readText(source)
  if (text === undefined) return refuse(toolPath, source ? 'is not a text' : 'is missing: it says what the tool is')
  const { definition, problems } = parseText(text, {
    ...{ schema: toolDefinition, begin: 'kind: tool' },
    refuse: (tool: ToolDefinition) => refusedSchedules(tool),
  })
  if (!definition) return { problems: problems.map((problem) => ({ ...problem, file: toolPath })) }
  const entry = definition.entry ?? languageFacts[definition.language].entry
  if (!files.has(entry)) return refuse(entry, 'is missing: it is the file that is run')
  const hidden = definition.language === 'python' ? findHiddenModule(files.keys()) : undefined
  if (hidden)
    return refuse(hidden.path, `hides the module "${hidden.module}" that code imports: call it something else`)
  const { ui } = definition
  const page = ui === undefined ? undefined : files.get(ui)
  if (ui !== undefined && !page) return refuse(ui, 'is missing: it is the page that shows what a call gave')
  if (ui !== undefined && page && readText(page) === undefined) return refuse(ui, 'is not a text')
  return { definition, entry, problems: [] }
}

function refuse(file: string, message: string): ParsedTool {
  return { problems: [{ file, message, path: '', line: 1, column: 1 }] }
}
