import type { ToolExport, ToolExportFormat } from '@coherex/contract'
import { toCurl, toMcp, toOpenApi } from './documents.ts'
import type { ExportedTool } from './exported-tool.ts'
import { toLangChainPython, toPython } from './python.ts'
import { toAiSdk, toLangChain, toOpenAi, toTypeScript } from './scripts.ts'

type Write = (tool: ExportedTool, example: unknown) => string

const formats: Record<ToolExportFormat, { ending: string; write: Write }> = {
  openapi: { ending: '.openapi.json', write: toOpenApi },
  langchain: { ending: '.langchain.mjs', write: toLangChain },
  'langchain-python': { ending: '_langchain.py', write: toLangChainPython },
  'ai-sdk': { ending: '.ai-sdk.mjs', write: toAiSdk },
  openai: { ending: '.openai.mjs', write: toOpenAi },
  mcp: { ending: '.mcp.json', write: toMcp },
  typescript: { ending: '.ts', write: toTypeScript },
  python: { ending: '.py', write: toPython },
  curl: { ending: '.sh', write: toCurl },
}

/** A tool as others call it. Names, descriptions and schemas are data in it, whatever they say. */
export function exportTool(format: ToolExportFormat, tool: ExportedTool, example: unknown): ToolExport {
  const { ending, write } = formats[format]
  const stem = ending.endsWith('.py') ? tool.name.replaceAll('-', '_') : tool.name
  return { format, fileName: `${stem}${ending}`, text: write(tool, example) }
}
