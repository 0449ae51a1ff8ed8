import {
  CoherexError,
  type Agent,
  type AgentTemplate,
  type Approval,
  type ApprovalDecision,
  type ApprovalsByTool,
  type Page,
  type Quotas,
} from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Database, EventBus, Log } from '../base/index.ts'
import type { ShellPool } from '../capabilities/index.ts'
import type { Egress } from '../egress/index.ts'
import type { Models } from '../models/index.ts'
import { getAgent, type Registry, type StoredAgent } from '../registry/index.ts'
import type { Runs, Sandboxes } from '../runs/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import {
  listApprovals,
  readApproval,
  readTeamRules,
  selectApproval,
  setTeamRules,
  toApproval,
  type ApprovalFilters,
} from './approvals/approval-store.ts'
import { decideApproval } from './approvals/decide-approval.ts'
import { describeProblems } from './loop/describe-call.ts'
import { templates } from './templates/read-templates.ts'
import { readAgentUse } from './threads/agent-use.ts'
import { createThreads } from './threads/create-threads.ts'
import { selectThread } from './threads/thread-store.ts'
import { createToolbox } from './tools/create-toolbox.ts'
import type { ReadDelivery } from './tools/read-delivery.ts'
import { selectTurn, selectTurnUse } from './turns/turn-store.ts'
import { createWakes } from './turns/wakes.ts'
import { askTurn } from './work/ask-turn.ts'
import { Turns } from './work/turns.ts'

export interface AgentsDeps {
  database: Database
  events: EventBus
  log: Log
  models: Models
  egress: Egress
  runs: Runs
  sandboxes: Sandboxes
  workspaces: Workspaces
  /** For commands over the files of a workspace. */
  shells: ShellPool
  serverId: string
  leaseSeconds: number
  /** Where senders of webhooks reach the server. */
  publicUrl: string
  registry: Registry
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
    const { thread, turn, tool } = await database.transaction({ team: teamId }, async (transaction) => {
      const asked = await selectApproval(transaction, teamId, approvalId)
      return {
        tool: asked.tool,
        turn: await selectTurn(transaction, teamId, asked.turnId),
        thread: await selectThread(transaction, teamId, asked.threadId),
      }
    })
    const agent = await getAgent(database, teamId, turn.agentName, turn.agentVersion)
    const made = (await toolbox.toolsFor(agent, thread)).find(({ name }) => name === tool)
    if (!made) throw new CoherexError('conflict', `The agent has no tool "${tool}" any more`)
    const parsed = made.input.safeParse(input)
    if (!parsed.success) throw new CoherexError('invalid_input', describeProblems(parsed.error))
  }

  return {
    turns,
    threads: createThreads(deps),

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
      const { working, spentUsd } = await database.transaction({ team: teamId }, (transaction) =>
        selectTurnUse(transaction, teamId),
      )
      return { turnsAtOnce: working, spendUsdPerMonth: spentUsd }
    },

    approvals: {
      list: (teamId: string, filters: ApprovalFilters): Promise<Page<Approval>> =>
        listApprovals(database, teamId, filters),
      get: (teamId: string, id: string): Promise<Approval> => readApproval(database, teamId, id),

      /** A person's answer to what an agent asked; the turn goes on with it. */
      async decide(caller: TeamCaller, approvalId: string, decision: ApprovalDecision): Promise<Approval> {
        const { teamId } = caller
        if (decision.input !== undefined) await checkEdited(teamId, approvalId, decision.input)
        const decided = await decideApproval(database, caller, approvalId, decision)
        await deps.events.publish({ teamId, type: 'approval', id: approvalId })
        await deps.events.publish({ teamId, type: 'thread', id: decided.rootThreadId ?? decided.threadId })
        await turns.due(teamId)
        return toApproval(decided)
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
