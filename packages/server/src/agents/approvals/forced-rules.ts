import type { AgentDefinition, ApprovalsByTool } from '@coherex/contract'
import type { StoredAgent } from '../../registry/index.ts'
import type { AgentTool } from '../turn/tool.ts'

/** What can send something out, where a definition has a network. */
const ways = ['fetch', 'bash', 'run-code'] as const

/**
 * An agent that strangers can write to, that reads what is the team's, and that can reach an address could be talked into
 * carrying the one to the other. Nobody watches it, so a person is asked each time it could: no definition relaxes that.
 * What agents say to each other carries on both: those that asked count with it. A tool of the team has a network of its
 * own, which the definition does not tell: `tool` is the call that is looked at.
 */
export function forcedRules(
  definition: AgentDefinition,
  asking: readonly Pick<StoredAgent, 'definition'>[] = [],
  tool: Pick<AgentTool, 'group' | 'reachesOut'> = {},
): ApprovalsByTool {
  if (!couldCarryOut(definition, asking)) return {}
  const { tools = [], network } = definition
  const reaches = (network?.allow.length ?? 0) > 0
  const open = [...(reaches ? ways : []), ...tools.filter((one) => one.startsWith('mcp:'))]
  if (tool.reachesOut && tool.group !== undefined) open.push(tool.group as (typeof open)[number])
  return Object.fromEntries(open.map((one) => [one, 'always' as const])) as ApprovalsByTool
}

/** Whether it, with those that asked, is open to strangers and reads what is the team's: each way out is asked about. */
export function couldCarryOut(
  definition: AgentDefinition,
  asking: readonly Pick<StoredAgent, 'definition'>[] = [],
): boolean {
  const together = [...asking.map((agent) => agent.definition), definition]
  return together.some(isOpenToStrangers) && together.some(readsTeamData)
}

function isOpenToStrangers({ triggers = [] }: AgentDefinition): boolean {
  return triggers.some((trigger) => 'webhook' in trigger)
}

function readsTeamData({ tools = [], sources = [] }: AgentDefinition): boolean {
  return sources.length > 0 || tools.some((tool) => tool === 'files' || /^(?:agent|mcp|tool):/.test(tool))
}
