import type { AppOwner, Run, StartedBy } from '@coherex/contract'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import type { FoundTool, ToolRegistry } from '../../registry/index.ts'
import type { BindMore } from '../../runs/index.ts'
import type { RefuseCall } from '../../tools/index.ts'
import { describeRun } from '../turn/describe-run.ts'
import { defineTool, startedByCall, type AgentTool, type ToolContext } from '../turn/tool.ts'

export interface CallTool {
  (
    caller: TeamCaller,
    call: { name: string; version: number; input: unknown },
    options: {
      startedBy: StartedBy
      threadId: string
      signal: AbortSignal
      refuseCall: RefuseCall
      onStart(runId: string): void
    },
  ): Promise<{ output: unknown; run: Run }>
}

export type BindTools = (refuse: RefuseCall) => BindMore

export interface RegisteredTools {
  find: ToolRegistry['find']
  call: CallTool
  /** What a tool that is called may not call in turn. */
  refuseFor(context: ToolContext): RefuseCall
}

/** A tool of the team's for an agent: `name`, or `name@version`. The version is settled when the turn begins. */
export async function registeredTool(tools: RegisteredTools, teamId: string, named: string): Promise<AgentTool> {
  const [name = '', pinned] = named.split('@')
  const { version, status, deprecation, content } = await tools.find(teamId, name, pinned ? Number(pinned) : undefined)
  const isBare = !isObjectSchema(content)
  const leave = status === 'deprecated' ? ` (deprecated: ${deprecation ?? ''})` : ''
  return defineTool({
    // apart from ours, so that no tool of a team stands in for one of them
    name: `tool_${name.replaceAll('-', '_')}`,
    // a rule for the tool holds for each of its versions
    group: `tool:${name}`,
    description: `${content.definition.description}${leave}`,
    input: describeInput(content, isBare),
    scope: 'run',
    isReadOnly: false,
    reachesOut: hasNetwork(content),
    async run(given, context) {
      const input = isBare ? (given as { input: unknown }).input : given
      const { caller, threadId, signal, onProgress } = context
      const { output, run } = await tools.call(
        caller,
        { name, version, input },
        {
          ...{ startedBy: startedByCall(context), threadId, signal, refuseCall: tools.refuseFor(context) },
          onStart: (runId) => onProgress({ text: 'It runs.', runId }),
        },
      )
      if (run.status !== 'succeeded') return describeRun(run)
      const { displays } = describeRun(run)
      const app = { kind: 'tool', name, version } satisfies AppOwner
      const data = content.definition.ui === undefined ? undefined : { structured: output as never, app }
      return { text: JSON.stringify(output), runId: run.id, ...(displays && { displays }), ...(data && { data }) }
    },
  })
}

export function hasNetwork({ definition }: FoundTool['content']): boolean {
  return (definition.network?.allow.length ?? 0) > 0
}

/** The schema as the tool has it: what models are told, while the call itself checks the value. */
function describeInput({ input }: FoundTool['content'], isBare: boolean): z.ZodType {
  const own = z.unknown().meta(typeof input === 'boolean' ? {} : input)
  return isBare ? z.object({ input: own }) : own
}

/** Models give objects; any other input is one field of one. */
function isObjectSchema({ input }: FoundTool['content']): boolean {
  return typeof input === 'object' && (input['type'] === 'object' || input['properties'] !== undefined)
}
