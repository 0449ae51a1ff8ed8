import { CoherexError, type ApprovalsByTool } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import type { ToolRegistry } from '../../registry/index.ts'
import type { RefuseCall } from '../../tools/index.ts'
import { readTeamRules } from '../approvals/approval-store.ts'
import { couldCarryOut } from '../approvals/forced-rules.ts'
import type { ToolContext } from '../turn/tool.ts'
import { hasNetwork } from './registered-tool.ts'

/**
 * What an agent's code may not call: a tool that its definition does not name, and one that a person is asked about, for whom code
 * cannot wait. A tool that it names may call others, but for those that a person is asked about.
 */
export function refuseToolCall(
  { database, find }: { database: Database; find: ToolRegistry['find'] },
  { agent, chain, caller }: Pick<ToolContext, 'agent' | 'chain' | 'caller'>,
): RefuseCall {
  const { definition } = agent
  const { tools = [], approvals } = definition
  return async ({ name, version, isDirect }) => {
    const reference = `tool:${name}`
    const pinned = `${reference}@${version}`
    if (isDirect && !tools.some((one) => one === (version === undefined ? reference : pinned)))
      return `the agent "${agent.name}" is not given ${version === undefined ? reference : pinned}`
    const teamRules = await database.transaction({ team: caller.teamId }, (transaction) =>
      readTeamRules(transaction, caller.teamId),
    )
    const isForced =
      couldCarryOut(definition, chain.agents) && (await reachesOut(find, caller.teamId, { name, version }))
    const asks = isForced || [approvals, teamRules].some((rules) => asksFor(rules, name))
    return asks ? 'a person is asked about it first: the agent calls it as a tool of its own' : undefined
  }
}

/** A tool that is not there is refused by the call itself. */
async function reachesOut(
  find: ToolRegistry['find'],
  teamId: string,
  { name, version }: { name: string; version?: number | undefined },
): Promise<boolean> {
  try {
    return hasNetwork((await find(teamId, name, version)).content)
  } catch (error) {
    if (error instanceof CoherexError) return false
    throw error
  }
}

function asksFor(rules: ApprovalsByTool | undefined, name: string): boolean {
  return Object.entries(rules ?? {}).some(([reference, rule]) => {
    if (reference !== `tool:${name}` && !reference.startsWith(`tool:${name}@`)) return false
    return (typeof rule === 'string' ? rule : rule?.ask) !== 'never'
  })
}
