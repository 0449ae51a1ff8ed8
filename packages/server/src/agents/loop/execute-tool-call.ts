import { CoherexError } from '@coherex/contract'
import type { UIMessageChunk } from 'ai'
import type { AgentTool, ToolContext, ToolOutput } from '../tools/tool.ts'
import type { OpenCall } from './answer.ts'

export interface ExecutedCall {
  id: string
  tool: string
  status: 'done' | 'failed'
  durationMs: number
  runId: string | null
}

// what is kept of a result at all; a model reads it in pieces
const mostKeptText = 400_000

/** Checks, runs and answers one call. What goes wrong is an answer to the model, never the end of the turn. */
export async function executeToolCall(
  call: OpenCall,
  tools: readonly AgentTool[],
  context: Omit<ToolContext, 'callId' | 'onProgress'>,
  onChunk: (chunk: UIMessageChunk) => void,
): Promise<ExecutedCall> {
  const started = performance.now()
  const end = (status: ExecutedCall['status'], runId: string | null = null): ExecutedCall => {
    const durationMs = Math.round(performance.now() - started)
    return { id: call.id, tool: call.tool, status, durationMs, runId }
  }
  const fail = (errorText: string) => {
    onChunk({ type: 'tool-output-error', toolCallId: call.id, errorText })
    return end('failed')
  }

  const tool = tools.find(({ name }) => name === call.tool)
  if (!tool) return fail(`There is no tool "${call.tool}". There are: ${tools.map(({ name }) => name).join(', ')}`)
  const parsed = tool.input.safeParse(call.input)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
    return fail(`The arguments are not valid. ${problems.slice(0, 10).join('; ')}`)
  }
  try {
    const output = await tool.run(parsed.data, {
      ...context,
      callId: call.id,
      onProgress: (progress) =>
        onChunk({ type: 'tool-output-available', toolCallId: call.id, output: bounded(progress), preliminary: true }),
    })
    onChunk({ type: 'tool-output-available', toolCallId: call.id, output: bounded(output) })
    return end('done', output.runId ?? null)
  } catch (error) {
    if (context.signal.aborted) throw error
    // what is no CoherexError is ours: its words may name paths of the host
    if (!(error instanceof CoherexError)) throw error
    return fail(error.message)
  }
}

function bounded(output: ToolOutput): ToolOutput {
  return output.text.length <= mostKeptText ? output : { ...output, text: output.text.slice(0, mostKeptText) }
}
