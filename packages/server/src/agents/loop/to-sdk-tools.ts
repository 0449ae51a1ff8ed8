import { jsonSchema, tool, type JSONSchema7, type Schema, type ToolSet } from 'ai'
import { z } from 'zod'
import type { AgentTool, ToolOutput } from '../turn/tool.ts'
import { boundText } from './bound-text.ts'

/** What of one result goes to the model by itself; the rest it reads with `read_result`. */
export const mostResultText = 12_000

/** Our tools as the AI SDK describes them to models. They have no `execute`: the loop executes, checks and records. */
export function toSdkTools(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      tool({
        description,
        inputSchema: toSchema(input),
        toModelOutput({ toolCallId, output }) {
          const { text } = output as ToolOutput
          const where = `read_result with id "${toolCallId}" reads on`
          return { type: 'text', value: boundText(text, mostResultText, where) }
        },
      }),
    ]),
  )
}

/** Described once for a turn: the library would do it again for every step. */
function toSchema(input: z.ZodType): Schema<unknown> {
  return jsonSchema<unknown>(z.toJSONSchema(input, { target: 'draft-7', io: 'input' }) as JSONSchema7, {
    validate(value) {
      const parsed = input.safeParse(value)
      return parsed.success ? { success: true, value: parsed.data } : { success: false, error: parsed.error }
    },
  })
}
