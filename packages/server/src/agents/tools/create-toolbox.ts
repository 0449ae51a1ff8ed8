import type { Database, EventBus } from '../../base/index.ts'
import type { ShellPool } from '../../capabilities/index.ts'
import type { Egress } from '../../egress/index.ts'
import { getAgent, type Registry, type StoredAgent } from '../../registry/index.ts'
import type { Attachments, Runs, Sandboxes } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { createSkillTools } from '../skills/create-skill-tools.ts'
import { proposeSkillTool } from '../skills/propose-skill.ts'
import { selectBranch, toUiMessage } from '../threads/message-store.ts'
import { selectThread, type StoredThread } from '../threads/thread-store.ts'
import type { WakeDoors } from '../turn/sleep-event.ts'
import { startedByCall, type AgentTool, type ToolContext } from '../turn/tool.ts'
import { askAgentTool, type AskAgent } from './ask-agent.ts'
import { bashTool } from './bash.ts'
import { codeModeTool } from './code-mode.ts'
import { definitionTools } from './definitions.ts'
import { fetchUrlTool } from './fetch-url.ts'
import { fileTools } from './files.ts'
import { mcpTools, type AgentMcp } from './mcp-tools.ts'
import { readDeliveryTool, type ReadDelivery } from './read-delivery.ts'
import { readResultTool } from './read-result.ts'
import { refuseToolCall } from './refuse-tool-call.ts'
import { registeredTool, type BindTools, type CallTool } from './registered-tool.ts'
import { runCodeTool, type RunCode } from './run-code.ts'
import { sleepTools } from './sleep.ts'
import { createThreadSandboxes } from './thread-sandbox.ts'
import { workspaceShellTool } from './workspace-shell.ts'

export interface ToolDeps {
  database: Database
  events: EventBus
  egress: Egress
  runs: Runs
  sandboxes: Sandboxes
  attachments: Pick<Attachments, 'layOut'>
  workspaces: Workspaces
  shells: ShellPool
  registry: Registry
  callTool: CallTool
  /** Gives code the tools of the team, but for those that are refused. */
  bindTools: BindTools
  mcp: AgentMcp
  wakes: WakeDoors
  readDelivery: ReadDelivery
}

/** Makes the tools that a definition names, and no others. */
export function createToolbox(deps: ToolDeps, askAgent: AskAgent) {
  const { database, egress, runs, workspaces } = deps
  const { find } = deps.registry.tools
  const refuseFor = (context: ToolContext) => refuseToolCall({ database, find }, context)
  const threadSandboxes = createThreadSandboxes(deps)
  const skillToolsFor = createSkillTools(deps, threadSandboxes.sandboxOf)
  const runCode: RunCode = {
    sandboxOf: threadSandboxes.sandboxOf,
    addPackages: (context, sandboxId, asked) =>
      deps.sandboxes.changePackages(context.caller, sandboxId, {
        ...asked,
        remove: [],
        preparation: { signal: context.signal, onProgress: (line) => context.onProgress({ text: line }) },
      }),
    start: (context, request) =>
      runs.start(context.caller, request, {
        ...{ startedBy: startedByCall(context), threadId: context.threadId },
        bindMore: deps.bindTools(refuseFor(context)),
      }),
    cancel: (caller, id) => runs.cancel(caller, id),
  }

  async function toolsFor(agent: StoredAgent, thread: StoredThread): Promise<AgentTool[]> {
    const { tools = [], network, approvals } = agent.definition
    const onFetch = approvals?.fetch
    const asksOutside = (typeof onFetch === 'string' ? onFetch : onFetch?.ask) === 'outside-allow-list'
    const { teamId, id } = thread
    // read again for each call: the answer under way is part of it
    const conversation = () =>
      database.transaction({ team: teamId }, async (transaction) => {
        const { headId } = await selectThread(transaction, teamId, id)
        return (await selectBranch(transaction, teamId, id, headId)).map(toUiMessage)
      })
    const made: AgentTool[] = []
    for (const reference of tools) {
      const more = (await makeTools(reference)).map((tool) => ({ reference, ...tool }))
      // a tool of a server may be named with it and by itself
      made.push(...more.filter(({ name }) => !made.some((one) => one.name === name)))
    }
    if (tools.includes('code-mode')) made.push({ ...codeModeTool(runs, [...made]), reference: 'code-mode' })
    if (agent.definition.triggers?.length) made.push(readDeliveryTool(deps.readDelivery))
    return [...made, ...(await skillToolsFor(agent, thread)), readResultTool(conversation)]

    async function makeTools(reference: string): Promise<AgentTool[]> {
      const [kind, name = ''] = reference.split(':')
      if (kind === 'files') return fileTools(workspaces, conversation)
      if (kind === 'bash') return [bashTool(runCode), ...(thread.workspaceId ? [workspaceShellTool(deps)] : [])]
      if (kind === 'run-code') return [runCodeTool(runCode)]
      if (kind === 'fetch') return [fetchUrlTool(egress, { allow: network?.allow ?? [], asksOutside })]
      if (kind === 'sleep') return sleepTools(deps.wakes)
      if (kind === 'propose-skill') return [proposeSkillTool(deps.registry.skills)]
      if (kind === 'definitions') return definitionTools(deps.registry.agents)
      if (kind === 'agent') {
        const asked = await getAgent(database, thread.teamId, name)
        return [askAgentTool(asked, askAgent)]
      }
      if (kind === 'tool') return [await registeredTool({ find, call: deps.callTool, refuseFor }, thread.teamId, name)]
      if (kind === 'mcp') return mcpTools(deps.mcp, thread.teamId, name)
      return []
    }
  }

  return { toolsFor, sandboxOf: threadSandboxes.sandboxOf }
}
