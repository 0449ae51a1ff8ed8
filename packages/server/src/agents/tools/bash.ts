import { z } from 'zod'
import { defineTool, type AgentTool } from '../turn/tool.ts'
import { runCodeTool, type RunCode } from './run-code.ts'

/** Bash in the thread's sandbox, where the workspace's files are. */
export function bashTool(runCode: RunCode): AgentTool {
  const run = runCodeTool(runCode)
  return defineTool({
    name: 'bash',
    description:
      'Runs Bash in your sandbox. The workspace’s files are in the current folder; what you change there stays in the sandbox, so change files of the workspace with the file tools',
    input: z.strictObject({
      command: z.string().min(1).max(100_000),
      timeoutSeconds: z.number().int().min(1).max(300).optional(),
    }),
    scope: 'run',
    isReadOnly: false,
    run: ({ command, timeoutSeconds }, context) =>
      run.run({ language: 'bash', code: command, timeoutSeconds }, context),
  })
}
