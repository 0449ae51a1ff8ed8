import {
  appOwner,
  CoherexError,
  type AppCall,
  type AppCallAnswer,
  type AppOwner,
  type ToolApp,
} from '@coherex/contract'
import { isToolUIPart } from 'ai'
import { and, desc, eq } from 'drizzle-orm'
import { tellOfThread, type TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import { readText, type Registry, type StoredAgent } from '../../registry/index.ts'
import { agentOfThread } from '../threads/agent-of-thread.ts'
import { messageTable } from '../threads/tables.ts'
import { selectThread } from '../threads/thread-store.ts'
import { toMcpTool, type AgentMcp } from '../tools/mcp-tools.ts'
import { refuseToolCall } from '../tools/refuse-tool-call.ts'
import { registeredTool, type CallTool } from '../tools/registered-tool.ts'
import type { AgentTool } from '../turn/tool.ts'
import { turnTable } from '../turns/tables.ts'
import type { StoredTurn } from '../turns/turn-store.ts'
import { admitAppCall, endAppCall } from './admit-app-call.ts'

export interface AppsDeps {
  database: Database
  events: EventBus
  mcp: AgentMcp
  registry: Pick<Registry, 'tools'>
  callTool: CallTool
}

/** A call in a conversation, as a message has it. */
export interface NamedCall {
  threadId: string
  messageId: string
  callId: string
}

type Result = Extract<AppCallAnswer, { status: 'done' }>['result']

/** A tool that a view may call, and how that is done. */
interface AppTool {
  tool: AgentTool
  call(input: unknown): Promise<Result>
}

const longestCallMs = 60_000

/** Views of calls (MCP Apps): what they are, and the calls that they make. */
export function createApps(deps: AppsDeps) {
  const { database, mcp, registry, callTool } = deps

  async function findOwner(teamId: string, { threadId, messageId, callId }: NamedCall) {
    const [message] = await database.transaction({ team: teamId }, async (transaction) => {
      await selectThread(transaction, teamId, threadId)
      const of = messageTable
      return transaction
        .select({ parts: of.parts })
        .from(of)
        .where(and(eq(of.teamId, teamId), eq(of.threadId, threadId), eq(of.id, messageId)))
    })
    const part = message?.parts.filter(isToolUIPart).find(({ toolCallId }) => toolCallId === callId)
    const data = part?.state === 'output-available' ? (part.output as { data?: { app?: unknown } }).data : undefined
    const owner = appOwner.safeParse(data?.app)
    if (!owner.success) throw new CoherexError('not_found', 'This call has no view')
    return owner.data
  }

  async function readPage(
    teamId: string,
    { name, version }: AppOwner & { kind: 'tool' },
  ): Promise<ToolApp | undefined> {
    const { content } = await registry.tools.find(teamId, name, version)
    const { ui } = content.definition
    const page = ui === undefined ? undefined : content.files.get(ui)
    const html = page && readText(page)
    return html === undefined ? undefined : { html, prefersBorder: true }
  }

  /** The turn that wrote a message last, and its agent in that version. */
  async function findTurn(teamId: string, { threadId, messageId }: NamedCall) {
    const { thread, turn } = await database.transaction({ team: teamId }, async (transaction) => {
      const [found] = await transaction
        .select()
        .from(turnTable)
        .where(and(eq(turnTable.teamId, teamId), eq(turnTable.threadId, threadId), eq(turnTable.answerId, messageId)))
        .orderBy(desc(turnTable.createdAt))
        .limit(1)
      return { thread: await selectThread(transaction, teamId, threadId), turn: found }
    })
    if (!turn) throw new CoherexError('conflict', 'No agent answered here: the view can only be looked at')
    // whose rules would count is a matter of all that asked
    if (turn.depth > 0)
      throw new CoherexError('conflict', 'An agent was asked for this by another one: the view can only be looked at')
    return { turn, agent: await agentOfThread(database, thread, turn.agentVersion) }
  }

  /** A view calls tools of its own server that the agent is given; the view of a tool of the team calls that tool. */
  async function findTool(
    caller: TeamCaller,
    { owner, agent, turn, tool }: { owner: AppOwner; agent: StoredAgent; turn: StoredTurn; tool: string },
    { callId, signal }: { callId: string; signal: AbortSignal },
  ): Promise<AppTool | undefined> {
    const { tools = [] } = agent.definition
    const { teamId } = caller
    if (owner.kind === 'mcp') {
      const { server } = owner
      if (!tools.some((one) => one === `mcp:${server}` || one === `mcp:${server}/${tool}`)) return undefined
      const [offered] = await mcp.offered(teamId, { server, tool, to: 'app' })
      if (!offered) return undefined
      const { hash } = offered
      return {
        tool: toMcpTool(mcp, offered),
        call: async (input) => toResult(await mcp.call(caller, { server, tool, hash, input }, { signal })),
      }
    }
    const { name, version } = owner
    const reference = tools.find((one) => one === `tool:${name}` || one === `tool:${name}@${version}`)
    if (reference === undefined || tool !== name) return undefined
    const { find } = registry.tools
    const chain = { agents: [], rootThreadId: null }
    const refuseCall = refuseToolCall({ database, find }, { agent, chain, caller })
    return {
      tool: {
        reference,
        ...(await registeredTool({ find, call: callTool, refuseFor: () => refuseCall }, teamId, `${name}@${version}`)),
      },
      async call(input) {
        const startedBy = { kind: 'agent' as const, id: turn.id, name: agent.name, callId }
        const { output, run } = await callTool(
          caller,
          { name, version, input },
          { ...{ startedBy, threadId: turn.threadId, signal, refuseCall }, onStart: () => undefined },
        )
        if (run.status !== 'succeeded') return failed(run.error?.message ?? `The run ended as ${run.status}`)
        return { content: [{ type: 'text', text: JSON.stringify(output) }], ...structuredOf(output) }
      },
    }
  }

  return {
    async read(teamId: string, named: NamedCall): Promise<ToolApp> {
      const owner = await findOwner(teamId, named)
      const found = owner.kind === 'mcp' ? await mcp.app(teamId, owner) : await readPage(teamId, owner)
      if (!found) throw new CoherexError('not_found', 'The tool of this call has no view any more')
      return found
    },

    /** A call that a view asks for: made, or waiting for a person. */
    async call(
      caller: TeamCaller,
      named: NamedCall,
      { id, tool: name, input, signal }: AppCall & { signal: AbortSignal },
    ): Promise<AppCallAnswer> {
      const { teamId } = caller
      const owner = await findOwner(teamId, named)
      const { turn, agent } = await findTurn(teamId, named)
      const ends = AbortSignal.any([signal, AbortSignal.timeout(longestCallMs)])
      // apart from calls of the model, and from those of another view
      const callId = `app:${id}:${named.callId}`
      const found = await findTool(caller, { owner, agent, turn, tool: name }, { callId, signal: ends })
      if (!found) throw new CoherexError('not_found', `The view may call no tool "${name}"`)
      const shownBy = { callId: named.callId, tool: owner.kind === 'mcp' ? owner.tool : owner.name }
      const admission = await admitAppCall(database, caller, { turn, agent, tool: found.tool, shownBy, callId, input })
      if (admission.kind === 'wait') {
        const { approvalId, reason, isNew } = admission
        if (isNew) await tellOfThread(deps, named.threadId, { teamId, type: 'approval', id: approvalId })
        return { status: 'waiting', approvalId, reason }
      }
      const result = await answerOf(() => found.call(admission.input), ends)
      await endAppCall(database, turn, { callId, status: result.isError ? 'failed' : 'done' })
      return { status: 'done', result }
    },
  }
}

/** What goes wrong in a call is an answer to the view. */
async function answerOf(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CoherexError) return failed(error.message)
    if (signal.aborted)
      return failed(`It took longer than ${longestCallMs / 1000} seconds, or nobody waits for it any more`)
    throw error
  }
}

function failed(message: string): Result {
  return { content: [{ type: 'text', text: message }], isError: true }
}

function toResult({ text, structured, displays = [], meta }: Awaited<ReturnType<AgentMcp['call']>>): Result {
  const images = displays.flatMap((one) =>
    Object.entries(one).map(([mimeType, data]) => ({ type: 'image', mimeType, data })),
  )
  return { content: [{ type: 'text', text }, ...images], ...structuredOf(structured), ...(meta && { _meta: meta }) }
}

function structuredOf(value: unknown): Pick<Result, 'structuredContent'> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { structuredContent: value as Record<string, unknown> } : {}
}
