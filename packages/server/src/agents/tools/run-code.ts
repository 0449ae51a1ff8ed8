import { type Language, type Run, type RunRequest } from '@coherex/contract'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import { describeRun } from '../turn/describe-run.ts'
import { defineTool, type AgentTool, type ToolContext } from '../turn/tool.ts'

export interface RunCode {
  /** The thread's own sandbox, made at its first use. */
  sandboxOf(context: ToolContext): Promise<string>
  start(context: ToolContext, request: RunRequest): Promise<{ id: string; ended: Promise<Run> }>
  cancel(caller: TeamCaller, runId: string): Promise<unknown>
}

const languages = ['python', 'javascript', 'typescript', 'bash', 'sql', 'r'] as const satisfies Language[]

/** Code in the thread's sandbox, where variables and files stay from one call to the next. */
export function runCodeTool({ sandboxOf, start, cancel }: RunCode): AgentTool {
  return defineTool({
    name: 'run_code',
    description:
      'Runs code in your sandbox and shows its output, result, plots and errors. Variables and files stay for the next call',
    input: z.strictObject({
      language: z.enum(languages),
      code: z.string().min(1).max(500_000),
      timeoutSeconds: z.number().int().min(1).max(300).optional(),
    }),
    scope: 'run',
    isReadOnly: false,
    async run({ language, code, timeoutSeconds }, context) {
      const { caller, signal } = context
      const sandboxId = await sandboxOf(context)
      const limits = timeoutSeconds === undefined ? {} : { limits: { timeoutMs: timeoutSeconds * 1000 } }
      const { id, ended } = await start(context, { language, code, sandboxId, ...limits })
      const stop = () => void cancel(caller, id).catch(() => undefined)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      context.onProgress({ text: 'It runs.', runId: id })
      try {
        const run = await ended
        signal.throwIfAborted()
        return describeRun(run)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  })
}
