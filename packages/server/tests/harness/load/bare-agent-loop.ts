import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, tool, ToolLoopAgent } from 'ai'
import { z } from 'zod'

/** The AI SDK's own loop with one tool that does nothing: what a turn costs without anything of ours. */
export async function runBareTurn(baseURL: string, steps: number): Promise<void> {
  const provider = createOpenAICompatible({ name: 'bare', baseURL, includeUsage: true })
  const listFiles = tool({
    description: 'Lists files',
    inputSchema: z.strictObject({ glob: z.string().default('**') }),
    execute: async () => ({ text: 'a.txt\t1 bytes' }),
  })
  const agent = new ToolLoopAgent({
    model: provider('scripted'),
    instructions: 'Be brief.',
    tools: { list_files: listFiles },
    stopWhen: isStepCount(steps + 1),
  })
  const { fullStream } = await agent.stream({ prompt: 'Look around' })
  for await (const _ of fullStream) {
    // read to the end, as a client would
  }
}
