import { CoherexError, type TurnEnding } from '@coherex/contract'
import { z } from 'zod'
import type { StoredAgent } from '../../registry/index.ts'
import { defineTool, type AgentTool, type ToolContext } from '../turn/tool.ts'

export interface AskAgent {
  /** Has an agent answer in a thread of its own, within what is left of the asking turn. */
  (asked: { agent: string; question: string }, context: ToolContext): Promise<{ text: string; ending: TurnEnding }>
}

/** Another agent as a tool. It acts for the same person, with its own definition, and inherits what is left. */
export function askAgentTool({ name, description }: StoredAgent, ask: AskAgent): AgentTool {
  return defineTool({
    name: `ask_${name.replaceAll('-', '_')}`,
    description: `Asks the agent ${name}: ${description}`,
    input: z.strictObject({
      question: z.string().min(1).max(50_000).describe('All it needs to know: it sees nothing else'),
    }),
    scope: 'run',
    isReadOnly: false,
    isResumable: true,
    async run({ question }, context) {
      if (context.budget.limits.depth < 1) {
        throw new CoherexError('forbidden', 'Agents have asked each other as deep as they may: answer yourself')
      }
      const { text, ending } = await ask({ agent: name, question }, context)
      if (ending.kind === 'answered') return { text }
      return { text: `${text}\n\n(The agent ended early: ${ending.message})` }
    },
  })
}
