import { CoherexError, type TurnChunk } from '@coherex/contract'
import type { Admission, CallToAdmit } from '../turn/admission.ts'
import type { OpenCall } from '../turn/answer.ts'
import type { BreakingCall, ExecutedCall, RestingCall } from '../turn/call.ts'
import { CallWaits, TurnBreak, TurnSleep, type AgentTool, type ToolContext, type ToolOutput } from '../turn/tool.ts'
import { describeProblems, describeUnknownTool } from './describe-call.ts'

/** What the loop gives to every call of a turn. */
export type CallContext = Omit<ToolContext, 'callId' | 'onProgress' | 'isApproved'>

export interface CallHandlers {
  admit(call: CallToAdmit): Promise<Admission>
  onChunk(chunk: TurnChunk): void
}

// what is kept of a result at all; a model reads it in pieces
const mostKeptText = 400_000

/** Checks, runs and answers one call. What goes wrong is an answer to the model, never the end of the turn. */
export async function executeToolCall(
  call: OpenCall,
  tools: readonly AgentTool[],
  context: CallContext,
  { admit, onChunk }: CallHandlers,
): Promise<ExecutedCall | RestingCall | BreakingCall> {
  const startedAt = new Date().toISOString()
  const started = performance.now()
  const toolCallId = call.id
  const end = (status: ExecutedCall['status'], runId: string | null = null): ExecutedCall => {
    const durationMs = Math.round(performance.now() - started)
    return { id: call.id, tool: call.tool, status, startedAt, durationMs, runId }
  }
  const fail = (errorText: string) => {
    onChunk({ type: 'tool-output-error', toolCallId, errorText })
    return end('failed')
  }
  const succeed = (output: ToolOutput) => {
    onChunk({ type: 'tool-output-available', toolCallId, output: bounded(output) })
    return end('done', output.runId ?? null)
  }
  const rest = (until: Date): RestingCall => ({ id: call.id, tool: call.tool, status: 'sleeping', until })
  const wait = (approvalIds: readonly string[]): RestingCall => ({
    ...{ id: call.id, tool: call.tool },
    status: 'waiting',
    approvalIds,
  })

  const tool = tools.find(({ name }) => name === call.tool)
  if (!tool) return fail(describeUnknownTool(call.tool, tools))
  const parsed = tool.input.safeParse(call.input)
  if (!parsed.success) return fail(describeProblems(parsed.error))
  let input: unknown = parsed.data

  const admission = await admit({ call, tool, input })
  switch (admission.kind) {
    case 'wait':
      if (admission.isNew) {
        const { approvalId, reason } = admission
        onChunk({ type: 'tool-approval-request', approvalId, toolCallId, reason })
      }
      return wait([admission.approvalId])
    case 'deny':
      onChunk({
        type: 'tool-approval-response',
        approvalId: admission.approvalId,
        approved: false,
        reason: admission.reason,
      })
      onChunk({ type: 'tool-output-denied', toolCallId })
      return end('failed')
    case 'refuse':
      return fail(admission.reason)
    case 'sleep':
      return rest(admission.until)
    case 'answer':
      return succeed({ text: admission.text })
    case 'run':
  }
  const { isApproved, approvalId, editedInput, caller = context.caller } = admission
  if (approvalId !== undefined) onChunk({ type: 'tool-approval-response', approvalId, approved: true })
  if (editedInput !== undefined) {
    const edited = tool.input.safeParse(editedInput)
    if (!edited.success) return fail(describeProblems(edited.error))
    onChunk({ type: 'tool-input-available', toolCallId, toolName: tool.name, input: editedInput })
    input = edited.data
  }
  try {
    const output = await tool.run(input, {
      ...context,
      caller,
      isApproved,
      callId: call.id,
      onProgress: (progress) =>
        onChunk({ type: 'tool-output-available', toolCallId, output: bounded(progress), preliminary: true }),
    })
    return succeed(output)
  } catch (error) {
    if (error instanceof TurnSleep) return rest(error.until)
    if (error instanceof CallWaits) return wait(error.approvalIds)
    if (error instanceof TurnBreak) return { ...fail(error.message), ending: error.ending }
    if (context.signal.aborted) throw error
    // what is no CoherexError is ours: its words may name paths of the host
    if (!(error instanceof CoherexError)) throw error
    return fail(error.message)
  }
}

function bounded(output: ToolOutput): ToolOutput {
  return output.text.length <= mostKeptText ? output : { ...output, text: output.text.slice(0, mostKeptText) }
}
