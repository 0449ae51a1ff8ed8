import { CoherexError } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { z } from 'zod'
import { findResult } from '../turn/answer.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

const pageLength = 10_000

/** Earlier results stay addressable, however little of them the model was shown. */
export function readResultTool(history: () => Promise<readonly UIMessage[]>): AgentTool {
  return defineTool({
    name: 'read_result',
    description: 'Reads on in the result of an earlier tool call that was shortened',
    input: z.strictObject({
      id: z.string().min(1).max(200).describe('The id that the shortened result names'),
      offset: z.number().int().min(0).default(0).describe('Characters to skip'),
    }),
    scope: 'read',
    isReadOnly: true,
    async run({ id, offset }) {
      const result = findResult(await history(), id)
      if (!result) throw new CoherexError('not_found', `There is no result "${id}" in this conversation`)
      const page = result.text.slice(offset, offset + pageLength)
      const left = result.text.length - offset - page.length
      return { text: left > 0 ? `${page}\n… ${left} more characters; offset ${offset + pageLength} reads on` : page }
    },
  })
}
