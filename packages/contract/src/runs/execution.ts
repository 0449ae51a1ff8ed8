import { z } from 'zod'
import { modelName } from '../agents/agent.ts'
import { turn } from '../agents/thread.ts'
import { idOf } from '../wire/id.ts'
import { storableJson } from '../wire/json-value.ts'

export const executionRequest = z.strictObject({
  input: storableJson
    .refine((input) => typeof input !== 'string' || input.trim() !== '', 'must say something')
    .describe('Words for the agent, up to 200,000 characters, or JSON that it reads as text'),
  workspaceId: idOf('workspace').optional(),
  model: modelName.optional(),
})
export type ExecutionRequest = z.infer<typeof executionRequest>

/** A turn with the words it ended with; null while it has none. */
export const execution = turn.extend({ output: z.string().nullable() })
export type Execution = z.infer<typeof execution>
