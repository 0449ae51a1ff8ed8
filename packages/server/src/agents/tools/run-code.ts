import {
  CoherexError,
  packageLanguageOf,
  requirements,
  type Language,
  type PackageLanguage,
  type Run,
  type RunRequest,
} from '@coherex/contract'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import { describeRun } from '../turn/describe-run.ts'
import { defineTool, type AgentTool, type ToolContext } from '../turn/tool.ts'

export interface RunCode {
  /** The thread's own sandbox, made at its first use. */
  sandboxOf(context: ToolContext): Promise<string>
  addPackages(context: ToolContext, sandboxId: string, asked: AskedPackages): Promise<unknown>
  start(context: ToolContext, request: RunRequest): Promise<{ id: string; ended: Promise<Run> }>
  cancel(caller: TeamCaller, runId: string): Promise<unknown>
}

/** Packages of one language for the thread's sandbox. */
export interface AskedPackages {
  language: PackageLanguage
  requirements: string[]
}

const languages = ['python', 'javascript', 'typescript', 'bash', 'sql', 'r'] as const satisfies Language[]

/** Code in the thread's sandbox, where variables and files stay from one call to the next. */
export function runCodeTool({ sandboxOf, addPackages, start, cancel }: RunCode): AgentTool {
  return defineTool({
    name: 'run_code',
    description:
      'Runs code in your sandbox and shows its output, result, plots and errors. Variables, files and packages stay for the next call',
    input: z.strictObject({
      language: z.enum(languages),
      code: z.string().min(1).max(500_000),
      packages: requirements
        .optional()
        .describe(
          'Packages of PyPI for Python, of npm for JavaScript and TypeScript, that the code imports: "polars>=1", "es-toolkit@1"',
        ),
      timeoutSeconds: z.number().int().min(1).max(300).optional(),
    }),
    scope: 'run',
    isReadOnly: false,
    async run({ language, code, packages = [], timeoutSeconds }, context) {
      const { caller, signal } = context
      const sandboxId = await sandboxOf(context)
      if (packages.length > 0) {
        const of = packageLanguageOf(language)
        if (of === undefined) throw new CoherexError('invalid_input', `packages: ${language} takes none`)
        await addPackages(context, sandboxId, { language: of, requirements: packages })
      }
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
