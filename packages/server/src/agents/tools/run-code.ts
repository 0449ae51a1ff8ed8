import { type Language, type OutputLine, type Run, type RunRequest } from '@coherex/contract'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from './tool.ts'

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

/** A run in words for a model, with its rich output beside them for people. */
export function describeRun(run: Run): ToolOutput {
  const lines = run.output.map(lineToText).filter((line) => line !== '')
  const displays = run.output.flatMap((line) => (line.stream === 'display' ? [line.data] : []))
  const result = run.result === undefined ? [] : [`Result: ${run.resultText ?? JSON.stringify(run.result)}`]
  const error = run.error ? [describeError(run)] : []
  const files = run.files.length > 0 ? [`Files: ${run.files.map(({ path }) => path).join(', ')}`] : []
  const text = [lines.join(''), ...result, ...error, ...files].filter(Boolean).join('\n')
  return {
    text: text || 'It ran, and printed nothing.',
    runId: run.id,
    ...(displays.length > 0 && { displays }),
    ...(run.error && { error: { message: run.error.message, ...(run.error.line && { line: run.error.line }) } }),
  }
}

function lineToText(line: OutputLine): string {
  // what programs print comes in pieces; what a console says are lines
  if (line.stream === 'stdout' || line.stream === 'stderr') return line.text
  if (line.stream !== 'display') return line.text.endsWith('\n') ? line.text : `${line.text}\n`
  const plain = line.data['text/plain']
  if (typeof plain === 'string') return `${plain}\n`
  // the person sees it; the model is told that it is there
  return `[shown to the person: ${Object.keys(line.data).join(', ')}]\n`
}

function describeError({ error }: Run): string {
  if (!error) return ''
  const where = error.line === undefined ? '' : ` at line ${error.line}`
  return `Error (${error.kind})${where}: ${error.message}${error.stack ? `\n${error.stack}` : ''}`
}
