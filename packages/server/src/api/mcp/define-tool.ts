import { CoherexError, type Access } from '@coherex/contract'
import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { mayUse, type Shelf, type ShelfTool, type ToolVisit } from './shelf.ts'
import { toTextBlock } from './tell-run.ts'

interface BuiltIn<Input extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  output?: z.ZodObject
  access: Exclude<Access, string>
  annotations: ToolAnnotations
  run(input: z.output<Input>, visit: ToolVisit): Promise<CallToolResult>
}

/** A tool of the product itself. What does not fit its schema is told to the model, which can do better. */
export function defineTool<Input extends z.ZodObject>(definition: BuiltIn<Input>): ShelfTool {
  const { name, title, description, input, output, access, annotations, run } = definition
  const tool = {
    ...{ name, title, description, annotations },
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    ...(output ? { outputSchema: z.toJSONSchema(output) } : {}),
  } as Tool
  return {
    tool,
    access,
    async call(given, visit) {
      const parsed = input.safeParse(given)
      if (parsed.success) return run(parsed.data, visit)
      const [first] = parsed.error.issues
      const where = first?.path.join('.') ?? ''
      throw new CoherexError(
        'invalid_input',
        `The input does not fit the schema: ${where && `${where}: `}${first?.message ?? ''}`,
      )
    },
  }
}

/** A shelf of tools that are always the same; which of them someone sees follows their rights. */
export function toolShelf(all: ShelfTool[]): Shelf {
  const byName = new Map(all.map((one) => [one.tool.name, one]))
  return {
    tools: async (visit) => ({ items: all.filter(({ access }) => mayUse(visit, access)) }),
    findTool: async (_visit, name) => byName.get(name),
  }
}

/** Data as clients take it: for programs, and as text for models that read nothing else. */
export function told(data: Record<string, unknown>, text = JSON.stringify(data)): CallToolResult {
  return { content: [toTextBlock(text)], structuredContent: data }
}

export const reads = { role: 'viewer', scope: 'read' } as const
export const runsCode = { role: 'editor', scope: 'run' } as const
export const writes = { role: 'editor', scope: 'write' } as const
