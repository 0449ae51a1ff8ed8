import { z } from 'zod'

/** What a tool is written out as, for others to call it. */
export const toolExportFormats = [
  'openapi',
  'langchain',
  'langchain-python',
  'ai-sdk',
  'openai',
  'mcp',
  'typescript',
  'python',
  'curl',
] as const
export const toolExportFormat = z.enum(toolExportFormats)
export type ToolExportFormat = z.infer<typeof toolExportFormat>

export const toolExport = z.object({ format: toolExportFormat, fileName: z.string(), text: z.string() })
export type ToolExport = z.infer<typeof toolExport>
