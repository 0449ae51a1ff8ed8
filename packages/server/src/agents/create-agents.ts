import {
  CoherexError,
  type Agent,
  type AgentTemplate,
  type Approval,
  type ApprovalChange,
  type ApprovalDecision,
  type ApprovalsByTool,
  type Author,
  type GeneratedDefinition,
  type NeededApproval,
  type Page,
  type Quotas,
  type ThreadApproval,
  type TurnChanges,
  type UndoneTurn,
} from '@coherex/contract'
import { tellOfThread, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus, Log } from '../base/index.ts'
import type { ShellPool } from '../capabilities/index.ts'
import type { Egress } from '../egress/index.ts'
import type { Models } from '../models/index.ts'
import type { Registry, StoredAgent } from '../registry/index.ts'
import type { Attachments, Runs, Sandboxes } from '../runs/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import {
  listApprovals,
  readApproval,
  readTeamRules,
  selectApproval,
  setTeamRules,
  type ApprovalFilters,
} from './approvals/approval-store.ts'
import { approveAgain, findNeeded, toNeeded, type RepeatedCall } from './approvals/approve-again.ts'
import { decideApproval } from './approvals/decide-approval.ts'
import { previewCall } from './approvals/preview-call.ts'
import { listThreadApprovals, withdrawThreadApproval } from './approvals/thread-approvals.ts'
import { createApps } from './apps/create-apps.ts'
import { describeProblems } from './loop/describe-call.ts'
import { templates } from './templates/read-templates.ts'
import { agentOfThread } from './threads/agent-of-thread.ts'
import { readAgentUse } from './threads/agent-use.ts'
import { createThreads } from './threads/create-threads.ts'
import { tellThread } from './threads/thread-news.ts'
import { selectThread } from './threads/thread-store.ts'
import { createToolbox } from './tools/create-toolbox.ts'
import type { AgentMcp } from './tools/mcp-tools.ts'
import type { ReadDelivery } from './tools/read-delivery.ts'
import type { BindTools, CallTool } from './tools/registered-tool.ts'
import { readTurnUse, selectTurn } from './turns/turn-store.ts'
import { createWakes } from './turns/wakes.ts'
import { askTurn } from './work/ask-turn.ts'
import { generateDefinition } from './work/generate-definition.ts'
import { Turns } from './work/turns.ts'
import { readTurnChanges, undoTurn } from './work/undo-turn.ts'

export interface AgentsDeps {
  database: Database
  events: EventBus
  log: Log
  models: Models
  egress: Egress
  runs: Runs
  sandboxes: Sandboxes
  attachments: Attachments
  workspaces: Workspaces
  /** For commands over the files of a workspace. */
  shells: ShellPool
  serverId: string
  leaseSeconds: number
  /** Where senders of webhooks reach the server. */
  publicUrl: string
  registry: Registry
  /** Calls a tool of the team's. */
  callTool: CallTool
  bindTools: BindTools
  /** Tools of the team's MCP servers. */
  mcp: AgentMcp
  /** What the trigger that began a thread was sent; undefined where none did. */
  readDelivery: ReadDelivery
}

export type Agents = ReturnType<typeof createAgents>

/** Agents at work: tools and turns. */
export function createAgents(deps: AgentsDeps) {
  const { database, registry } = deps
  const toolbox = createToolbox({ ...deps, wakes: createWakes(deps) }, (asked, context) =>
    askTurn(database, turns, asked, context),
  )
  const turns: Turns = new Turns({ ...deps, toolsFor: toolbox.toolsFor })

  /** Throws when arguments that a person wrote are none of the tool's: they hear it now, and not the model later. */
  async function checkEdited(teamId: string, approvalId: string, input: unknown): Promise<void> {
    // whoever is asked may answer, and need not see the conversation for it
    await readApproval(database, teamId, approvalId)
    const { thread, turn, tool } = await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
      const asked = await selectApproval(transaction, teamId, approvalId)
      return {
        tool: asked.tool,
        turn: await selectTurn(transaction, teamId, asked.turnId),
        thread: await selectThread(transaction, teamId, asked.threadId),
      }
    })
    const agent = await agentOfThread(database, thread, turn.agentVersion)
    const made = (await toolbox.toolsFor(agent, thread)).find(({ name }) => name === tool)
    if (!made) throw new CoherexError('conflict', `The agent has no tool "${tool}" any more`)
    const parsed = made.input.safeParse(input)
    if (!parsed.success) throw new CoherexError('invalid_input', describeProblems(parsed.error))
  }

  const threads = createThreads({
    ...deps,
    async say(saying) {
      const { teamId, id } = await turns.say(saying)
      return turns.get(teamId, id)
    },
  })

  return {
    turns,
    threads,
    apps: createApps(deps),

    /** The sandbox of a thread for a person who runs code of it themselves; the one that its agent has. */
    async sandboxOf(caller: TeamCaller, threadId: string): Promise<string> {
      const { teamId } = caller
      const thread = await database.transaction({ team: teamId }, (transaction) =>
        selectThread(transaction, teamId, threadId),
      )
      const agent = await agentOfThread(database, thread)
      return toolbox.sandboxOf({ caller, agent, threadId, workspaceId: thread.workspaceId })
    },

    /** A definition from a description, by the builder; nothing is stored as an agent. */
    generate: (
      caller: TeamCaller,
      asked: { text: string; model?: string | undefined; signal: AbortSignal },
    ): Promise<GeneratedDefinition> => generateDefinition({ threads, turns, registry }, caller, asked),

    /** What the answer of a turn did to files. */
    turnChanges: (teamId: string, turnId: string): Promise<TurnChanges> => readTurnChanges(deps, teamId, turnId),
    /** Takes that back, and the conversation where asked; keeps what people typed. */
    undoTurn: (
      caller: TeamCaller,
      asked: { turnId: string; author: Author; withConversation: boolean },
    ): Promise<UndoneTurn> => undoTurn({ ...deps, threads }, caller, asked),

    /** What is stored of an agent, with what it lacks and how it was used. */
    async describe(teamId: string, agent: StoredAgent): Promise<Agent> {
      const needs = await registry.agents.findNeeds(teamId, agent.definition)
      return { ...agent, needs, use: await readAgentUse(database, teamId, agent.name) }
    },

    async templates(teamId: string): Promise<AgentTemplate[]> {
      return Promise.all(
        templates.map(async ({ id, title, source, definition }) => ({
          id,
          title,
          description: definition.description,
          source,
          needs: await registry.agents.findNeeds(teamId, definition),
        })),
      )
    },

    /** What a team takes of its quotas. */
    async usage(teamId: string): Promise<Partial<Quotas>> {
      const { working, spentUsd } = await readTurnUse(database, teamId)
      return { turnsAtOnce: working, spendUsdPerMonth: spentUsd }
    },

    approvals: {
      list: (teamId: string, filters: ApprovalFilters): Promise<Page<Approval>> =>
        listApprovals(database, teamId, filters),
      get: (teamId: string, id: string): Promise<Approval> => readApproval(database, teamId, id),
      /** What the call would do to files as they are now. */
      change: (teamId: string, id: string): Promise<ApprovalChange> => previewCall(deps, teamId, id),

      /** The approvals that calls needed and need again, should somebody repeat them. */
      async needed(teamId: string, calls: readonly RepeatedCall[]): Promise<NeededApproval[]> {
        const rows = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
          findNeeded(transaction, teamId, calls),
        )
        return rows.map(toNeeded)
      },
      /** Throws unless the caller approves again what these calls needed an approval for. */
      again: (
        caller: TeamCaller,
        repeated: { calls: readonly RepeatedCall[]; hashes?: readonly string[] | undefined },
      ): Promise<void> => approveAgain(database, caller, repeated),

      /** A person's answer to what an agent asked; the turn goes on with it. */
      async decide(caller: TeamCaller, approvalId: string, decision: ApprovalDecision): Promise<Approval> {
        const { teamId } = caller
        if (decision.input !== undefined) await checkEdited(teamId, approvalId, decision.input)
        const decided = await decideApproval(database, caller, approvalId, decision)
        await tellOfThread(deps, decided.threadId, { teamId, type: 'approval', id: approvalId })
        await tellThread(deps, teamId, decided.rootThreadId ?? decided.threadId)
        await turns.due(teamId)
        return readApproval(database, teamId, approvalId)
      },

      ofThread: (caller: TeamCaller, threadId: string): Promise<ThreadApproval[]> =>
        listThreadApprovals(database, caller, threadId),
      async withdraw(caller: TeamCaller, named: { threadId: string; approvalId: string }): Promise<void> {
        await withdrawThreadApproval(database, caller, named)
        const event = { teamId: caller.teamId, type: 'approval', id: named.approvalId }
        await tellOfThread(deps, named.threadId, event)
      },

      rules: (teamId: string): Promise<ApprovalsByTool> =>
        database.transaction({ team: teamId }, (transaction) => readTeamRules(transaction, teamId)),
      async setRules(caller: TeamCaller, rules: ApprovalsByTool): Promise<void> {
        await setTeamRules(database, caller, rules)
        await deps.events.publish({ teamId: caller.teamId, type: 'approval', id: null })
      },
    },

    async close(): Promise<void> {
      await turns.close()
    },
  }
}
